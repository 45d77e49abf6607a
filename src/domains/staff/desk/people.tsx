/** The members of the staff: the owner adds, changes and removes them, and makes their links. */
import { useState } from 'react';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { PlusIcon } from '../../../ui/icons/edit.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { getPeople, setPerson, type Person, type PersonChange } from './contract.ts';
import { LoadState } from './load-state.tsx';
import { PersonDialog } from './person-dialog.tsx';
import { PersonLinkDialog } from './person-link-dialog.tsx';
import { ROLE_NAMES } from './role-names.ts';
import { staffRead, useMe } from './session.ts';
import { showProblem, showRefusal } from './show-problem.ts';
import { StaffPage } from './staff-page.tsx';
import { useKeyedSend } from './use-keyed-send.ts';

type Open =
  | { dialog: 'add' }
  | { dialog: 'change' | 'new-link' | 'remove'; person: Person }
  | { dialog: 'link'; name: string; link: string };

export function Component() {
  const language = useLanguage();
  const { t } = language;
  const people = useQuery({
    queryKey: [],
    queryFn: ({ signal }) => staffRead(getPeople, {}, { signal }),
    onError: (error) => showProblem(error, 'listing the people'),
  });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const isOpenPerson = ({ personid }: Person) => open?.dialog === 'remove' && open.person.personid === personid;
  const send = useKeyedSend();
  const { pending, mutate } = useMutation({
    async mutationFn({ name, change }: { name: string; change: PersonChange }) {
      const result = await send(setPerson, change);
      if (result.response !== 'success') return showRefusal(result);
      const { link } = result.data;
      if (link === null) showToast({ theme: 'green', text: msg('Saved') });
      setOpen(link === null ? undefined : { dialog: 'link', name, link });
      await people.refetch();
    },
    onError: (error) => showProblem(error, 'changing a person'),
  });

  return (
    <StaffPage
      width="text"
      title={t('People')}
      text={t('Who works here, and what each person may do.')}
      actions={
        <Button variant="primary" size="small" icon={<PlusIcon small />} onClick={() => setOpen({ dialog: 'add' })}>
          {t('Add a person')}
        </Button>
      }
    >
      <LoadState
        query={people}
        loading={t('Loading the people')}
        failed={t('The people could not be loaded')}
        shapes={['block', 'block', 'block']}
      />
      {people.status === 'success' && (
        <>
          <p className="text-sm text-ink-soft">
            {t(
              'The limit of credits a day is the setting OPERATOR_CREDITS_A_DAY of the program. It applies to operators, and to change that riders note.',
            )}
          </p>
          <ul className="space-y-4">
            {people.data.map((person) => (
              <PersonCard
                key={person.personid}
                person={person}
                isOnlyOwner={isOnlyOwner(people.data, person)}
                onChange={() => setOpen({ dialog: 'change', person })}
                onLink={() => setOpen({ dialog: 'new-link', person })}
                onRemove={() => {
                  setOpen({ dialog: 'remove', person });
                  // Orders and cash have changed since the page was loaded.
                  void people.refetch();
                }}
              />
            ))}
          </ul>
        </>
      )}
      <PersonDialog
        open={open?.dialog === 'add' || open?.dialog === 'change'}
        person={open?.dialog === 'change' ? open.person : undefined}
        keepsRole={open?.dialog === 'change' && people.status === 'success' && isOnlyOwner(people.data, open.person)}
        pending={pending}
        onSave={(name, change) => void mutate({ name, change })}
        onClose={close}
      />
      <ConfirmDialog
        open={open?.dialog === 'new-link'}
        title={t('Make a new link?')}
        message={open?.dialog === 'new-link' ? newLinkText(language, open.person) : ''}
        confirmLabel={t('New password link')}
        pending={pending}
        error={null}
        onConfirm={() => {
          if (open?.dialog !== 'new-link') return;
          const { personid, name } = open.person;
          void mutate({ name, change: { action: 'link', personid } });
        }}
        onCancel={close}
      />
      <ConfirmDialog
        open={open?.dialog === 'remove'}
        title={t('Remove this person?')}
        message={
          open?.dialog === 'remove'
            ? removalText(language, (people.status === 'success' && people.data.find(isOpenPerson)) || open.person)
            : ''
        }
        confirmLabel={t('Remove')}
        pending={pending}
        error={null}
        onConfirm={() => {
          if (open?.dialog !== 'remove') return;
          const { personid, name } = open.person;
          void mutate({ name, change: { action: 'remove', personid } });
        }}
        onCancel={close}
      />
      <PersonLinkDialog
        open={open?.dialog === 'link'}
        name={open?.dialog === 'link' ? open.name : ''}
        link={open?.dialog === 'link' ? open.link : ''}
        onClose={close}
      />
    </StaffPage>
  );
}

const isOnlyOwner = (people: readonly Person[], { role }: Person): boolean =>
  role === 'owner' && people.filter((person) => person.role === 'owner').length === 1;

/** The effects of a new link, and of its use. */
function newLinkText({ t }: Language, { name, status }: Person): string {
  const earlierLink = t('An earlier link of {name} stops working at once.', { name });
  if (status === 'invited') return earlierLink;
  return `${earlierLink} ${t('Once {name} sets a password with the new one, every device is logged out, and the passkeys are removed.', { name })}`;
}

/** The effects of a removal. */
function removalText({ t, plural, rupees }: Language, { name, open_orders: orders, held_cash: held }: Person): string {
  return [
    t('{name} is logged out on every device at once and cannot log in again. A screen that is open closes within 15 seconds.', { name }),
    orders > 0 &&
      plural(
        orders,
        { one: '{count} open order is without a rider then.', other: '{count} open orders are without a rider then.' },
        { count: orders },
      ),
    held > 0 && t('{name} holds {amount} in cash. Count it first, or later in Cash.', { name, amount: rupees(held) }),
  ]
    .filter(Boolean)
    .join(' ');
}

interface PersonCardProps {
  person: Person;
  /** The laundry needs an owner: this one keeps the role and stays. */
  isOnlyOwner: boolean;
  onChange(): void;
  onLink(): void;
  onRemove(): void;
}

function PersonCard({
  person: { name, mobile, role, status, passkeys, credits },
  isOnlyOwner,
  onChange,
  onLink,
  onRemove,
}: PersonCardProps) {
  const { t, rupees } = useLanguage();
  const me = useMe();
  const ofPerson = <span className="sr-only">{name}</span>;
  return (
    <Card as="li">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-lg font-semibold">{name}</h2>
        <Badge tone="accent">{t(ROLE_NAMES[role])}</Badge>
        {status === 'invited' && <Badge tone="warn">{t('No password yet')}</Badge>}
        {passkeys > 0 && <Badge tone="good">{t('Passkey')}</Badge>}
        {mobile === me.mobile && <Badge tone="plain">{t('You')}</Badge>}
      </div>
      <p className="mt-1 text-ink-soft tabular-nums">+91 {mobile}</p>
      {credits && (
        <p className="mt-1 text-sm">
          {t('Credits to customers: {left} left today of {limit} a day', {
            left: rupees(credits.left_today),
            limit: rupees(credits.per_day),
          })}
        </p>
      )}
      {isOnlyOwner && <p className="mt-1 text-sm">{t('The only owner: add another owner before this one is removed or changed.')}</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="secondary" size="small" onClick={onChange}>
          {t('Edit')}
          {ofPerson}
        </Button>
        <Button variant="secondary" size="small" onClick={onLink}>
          {t('New password link')}
          {ofPerson}
        </Button>
        <Button variant="quiet" size="small" disabled={isOnlyOwner} onClick={onRemove}>
          {t('Remove')}
          {ofPerson}
        </Button>
      </div>
    </Card>
  );
}
