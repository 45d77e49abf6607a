/** Who holds how much cash, hand-ins and their differences. */
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { CallRefused } from '../../../contract/call-failures.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type MessageKey } from '../../../i18n/messages.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { newId } from '../../../lib/ids.ts';
import { asPaise, parseRupees } from '../../../lib/money.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import type { Envelope } from '../../../contract/define-call.ts';
import { mayCall } from '../../staff/desk/contract.ts';
import { LiveStatus } from '../../staff/desk/live-status.tsx';
import { staffRead, staffSend, useMe } from '../../staff/desk/session.ts';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { useDeskEvents } from '../../staff/desk/use-desk-events.ts';
import { cashError, explainDifference, getCash, handIn, MAX_MOVEMENTS, type Cash, type HandIn } from './contract.ts';

type Open = { dialog: 'count'; holder: Cash['holders'][number]; key: string; error: string | null } | { dialog: 'explain'; handin: HandIn };

export function Component() {
  const { t, formatMessage } = useLanguage();
  const [open, setOpen] = useState<Open>();
  const [changed, setChanged] = useState<Cash>();
  const query = useQuery<Cash>({
    queryKey: [],
    queryFn: ({ signal }) => staffRead(getCash, {}, { signal }),
    onError: (error) => showProblem(error, 'loading the cash'),
  });
  const { pending, mutate } = useMutation<{ send(): Promise<Envelope<Cash>>; done: MessageKey }>({
    async mutationFn({ send, done }) {
      const answer = await send();
      if (answer.response !== 'success') return showRefusal(answer);
      setChanged(answer.data);
      setOpen(undefined);
      showToast({ theme: 'green', text: done });
    },
    onError: (error) => {
      if (error instanceof CallRefused && error.status === 409) void showCurrent(error);
      else showProblem(error, 'changing the cash');
    },
  });
  /** The form stays open with its count, which is compared with the current amount. */
  const showCurrent = async (error: CallRefused) => {
    const current = await query.refetch();
    if (!current) return;
    setChanged(undefined);
    setOpen((before) => {
      if (before?.dialog !== 'count') return before;
      const { personid } = before.holder;
      const holder = current.holders.find((row) => row.personid === personid) ?? { ...before.holder, held: asPaise(0) };
      return { ...before, holder, key: newId(), error: formatMessage(error) };
    });
  };
  const live = useDeskEvents(async () => {
    if ((await query.refetch()) === undefined) return false;
    setChanged(undefined);
    return true;
  });
  const cash = changed ?? (query.status === 'success' ? query.data : undefined);
  const close = () => setOpen(undefined);
  return (
    <StaffPage title={t('Cash')} width="reading" actions={<LiveStatus {...live} />}>
      {query.status === 'loading' && (
        <SkeletonGroup label={t('Loading the cash')}>
          <Skeleton shape="block" />
          <Skeleton shape="block" />
        </SkeletonGroup>
      )}
      {query.status === 'error' && <LoadingFailed title={t('The cash could not be loaded')} onRetry={query.retry} />}
      {cash && (
        <>
          <Holders cash={cash} onCount={(holder) => setOpen({ dialog: 'count', holder, key: newId(), error: null })} />
          <HandIns
            title={t('Open differences')}
            empty={t('Every hand-in fits.')}
            handins={cash.differences}
            onExplain={(handin) => setOpen({ dialog: 'explain', handin })}
          />
          <HandIns title={t('Last hand-ins')} empty={t('Nothing was handed in yet.')} handins={cash.handins} />
        </>
      )}
      <Dialog open={open?.dialog === 'count'} onClose={close} title={t('Count the cash')}>
        {open?.dialog === 'count' && (
          <CountForm
            holder={open.holder}
            refusal={open.error}
            pending={pending}
            onSubmit={(counted) =>
              void mutate({
                send: () => {
                  const { personid, held: expected } = open.holder;
                  return staffSend(handIn, { personid, counted: asPaise(counted), expected }, { idempotencyKey: open.key });
                },
                done: msg('The hand-in is noted'),
              })
            }
          />
        )}
      </Dialog>
      <Dialog open={open?.dialog === 'explain'} onClose={close} title={t('Explain the difference')}>
        {open?.dialog === 'explain' && (
          <ExplainForm
            pending={pending}
            onSubmit={(explanation) =>
              void mutate({
                send: () => staffSend(explainDifference, { handinid: open.handin.handinid, explanation }),
                done: msg('The difference is explained'),
              })
            }
          />
        )}
      </Dialog>
    </StaffPage>
  );
}

function Holders({ cash: { holders }, onCount }: { cash: Cash; onCount(holder: Cash['holders'][number]): void }) {
  const { t } = useLanguage();
  const { role } = useMe();
  const mayCount = (isMe: boolean) => mayCall(role, 'staff/handin') && (!isMe || role === 'owner');
  return (
    <section aria-labelledby="holders">
      <h2 id="holders" className="text-lg font-bold">
        {t('Who holds cash')}
      </h2>
      {holders.length === 0 && <p className="mt-2 text-ink-soft">{t('Nobody holds cash.')}</p>}
      <ul className="mt-3 space-y-3">
        {holders.map((holder) => (
          <Card as="li" key={holder.personid}>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="font-semibold [overflow-wrap:anywhere]">{holder.is_me ? t('You') : holder.name}</p>
              <p className="text-lg font-bold">
                <Money amountPaise={holder.held} />
              </p>
              {mayCount(holder.is_me) && (
                <Button variant="secondary" size="small" onClick={() => onCount(holder)}>
                  {holder.is_me ? t('Take to the bank') : t('Count')}
                </Button>
              )}
            </div>
            <Movements holder={holder} />
          </Card>
        ))}
      </ul>
    </section>
  );
}

/** What a person received since the last hand-in. */
function Movements({ holder: { movements, is_me: isMe } }: { holder: Cash['holders'][number] }) {
  const language = useLanguage();
  const { t, plural } = language;
  const count = movements.length;
  return (
    <details open={isMe} className="mt-3">
      <summary className="cursor-pointer py-1 text-sm font-medium">
        {plural(count, { one: '{count} payment since the last hand-in', other: '{count} payments since the last hand-in' }, { count })}
      </summary>
      <ul className="mt-1 divide-y divide-line text-sm">
        {movements.map(({ orderid, amount, at }) => (
          <li key={`${at} ${orderid} ${amount}`} className="flex flex-wrap items-center justify-between gap-x-3 py-2">
            {orderid === null ? (
              t('Handed in by a colleague')
            ) : (
              <Link to={staffLinks.order(orderid)} className="underline tabular-nums">
                {t('Order {orderid}', { orderid })}
              </Link>
            )}
            <span className="text-ink-soft">{formatDayTime(language, at)}</span>
            <Money amountPaise={Math.abs(amount)} {...(amount < 0 && { direction: 'debit' })} />
          </li>
        ))}
      </ul>
      {count === MAX_MOVEMENTS && <p className="text-sm text-ink-soft">{t('Earlier payments are not listed.')}</p>}
    </details>
  );
}

interface HandInsProps {
  title: string;
  empty: string;
  handins: readonly HandIn[];
  onExplain?(handin: HandIn): void;
}

function HandIns({ title, empty, handins, onExplain }: HandInsProps) {
  const language = useLanguage();
  const { t, rupees } = language;
  const { role } = useMe();
  return (
    <section aria-label={title}>
      <h2 className="text-lg font-bold">{title}</h2>
      {handins.length === 0 && <p className="mt-2 text-ink-soft">{empty}</p>}
      <ul className="mt-3 space-y-3">
        {handins.map((handin) => (
          <Card as="li" key={handin.handinid}>
            <p className="font-semibold [overflow-wrap:anywhere]">
              {t('{holder} to {counter}', { holder: handin.holder.name, counter: handin.counter.name })}
            </p>
            <p className="mt-1 text-sm text-ink-soft">{formatDayTime(language, handin.at)}</p>
            <p className="mt-1 text-sm">
              {t('{counted} counted of {expected}', { counted: rupees(handin.counted), expected: rupees(handin.expected) })}
              {handin.difference !== 0 && (
                <>
                  {' '}
                  <Money amountPaise={Math.abs(handin.difference)} direction={handin.difference < 0 ? 'debit' : 'credit'} />
                </>
              )}
            </p>
            {handin.reversed !== 0 && (
              <p className="mt-1 text-sm">{t('{amount} of it was reversed later', { amount: rupees(handin.reversed) })}</p>
            )}
            {handin.explanation !== null && <p className="mt-1 text-sm [overflow-wrap:anywhere]">{handin.explanation}</p>}
            {onExplain && mayCall(role, 'staff/explaincash') && (
              <div className="mt-3">
                <Button variant="secondary" size="small" onClick={() => onExplain(handin)}>
                  {t('Explain')}
                </Button>
              </div>
            )}
          </Card>
        ))}
      </ul>
    </section>
  );
}

interface CountFormProps {
  holder: Cash['holders'][number];
  /** The server has refused the count. */
  refusal: string | null;
  pending: boolean;
  onSubmit(countedPaise: number): void;
}

/**
 * The expected amount is not shown, so that the cash is counted. Another amount is asked about
 * before it is saved.
 */
function CountForm({ holder, refusal, pending, onSubmit }: CountFormProps) {
  const { t, rupees, formatMessage } = useLanguage();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  /** The difference that the person was asked about. */
  const [asked, setAsked] = useState(0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const paise = parseRupees(text);
    if (Number.isNaN(paise)) return setError(formatMessage(cashError('impossible-count')));
    const difference = paise - holder.held;
    if (difference !== asked && difference !== 0) return setAsked(difference);
    if (!pending) onSubmit(paise);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <p>
        {holder.is_me
          ? t('The cash leaves the laundry, for example to the bank.')
          : t('You hold the cash of {name} afterwards.', { name: holder.name })}
      </p>
      <TextField
        label={t('Counted')}
        prefix="₹"
        inputMode="decimal"
        autoComplete="off"
        error={error ?? refusal}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setError(null);
          setAsked(0);
        }}
      />
      {asked !== 0 && (
        <Notice tone="warn" live title={t('Is this right?')}>
          {asked < 0
            ? t('{amount} less than was received. Count again.', { amount: rupees(asPaise(-asked)) })
            : t('{amount} more than was received. Count again.', { amount: rupees(asPaise(asked)) })}
        </Notice>
      )}
      <SubmitButton variant="primary" wide pending={pending}>
        {asked === 0 ? t('Save') : t('Save all the same')}
      </SubmitButton>
    </form>
  );
}

function ExplainForm({ pending, onSubmit }: { pending: boolean; onSubmit(explanation: string): void }) {
  const { t, formatMessage } = useLanguage();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) return setError(formatMessage(cashError('explanation-required')));
    if (!pending) onSubmit(text.trim());
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <TextField
        label={t('Reason')}
        error={error}
        value={text}
        maxLength={200}
        onChange={({ target }) => {
          setText(target.value);
          setError(null);
        }}
      />
      <SubmitButton variant="primary" wide pending={pending}>
        {t('Save')}
      </SubmitButton>
    </form>
  );
}
