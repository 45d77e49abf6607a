import { useState } from 'react';
import { toErrorMessage } from '../../../contract/errors.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { Message } from '../../../i18n/messages.ts';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { ChoiceDialog } from '../../staff/desk/choice-dialog.tsx';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { assignDeskClaim, type ClaimPerson, type DeskClaim } from './contract.ts';

interface ClaimAssignmentProps {
  claim: DeskClaim;
  people: readonly ClaimPerson[];
  onDone(): Promise<unknown>;
  /** Another person has assigned the claim meanwhile. Resolves to who handles it now. */
  onOutdated(): Promise<DeskClaim['assigned']>;
  onClose(): void;
}

/** Asks for the person who handles a claim. Without one, it offers the caller. */
export function ClaimAssignment({ claim, people, onDone, onOutdated, onClose }: ClaimAssignmentProps) {
  const { t, formatMessage } = useLanguage();
  const [read, setRead] = useState(claim.assigned);
  const [person, setPerson] = useState(claim.assigned?.personid ?? people.find(({ is_me: isMe }) => isMe)?.personid ?? '');
  const [error, setError] = useState<Message | null>(null);
  const send = useKeyedSend();
  const { pending, mutate } = useMutation<void, boolean>({
    async mutationFn() {
      const body = { claimid: claim.claimid, person: person || null, person_read: read?.personid ?? null };
      const response = await send(assignDeskClaim, body, ['person_read']);
      if (response.response === 'success') {
        await onDone();
        return true;
      }
      setError(toErrorMessage(response));
      if (response.code === 'claim-assigned') setRead(await onOutdated());
      return false;
    },
    onError: (failure) => showProblem(failure, 'assigning a claim'),
  });
  return (
    <ChoiceDialog
      open
      title={t('Assign this report')}
      label={t('Who handles it?')}
      value={person}
      options={[
        { value: '', label: t('Nobody yet') },
        ...people.map(({ personid, name, is_me: isMe }) => ({ value: personid, label: isMe ? t('{name} (you)', { name }) : name })),
      ]}
      pending={pending}
      onChoose={(value) => {
        setPerson(value);
        setError(null);
      }}
      onSubmit={async () => (await mutate()) ?? false}
      onClose={onClose}
    >
      <FormError text={error && formatMessage(error)} />
      {error && <p>{read ? t('Handled by {name}', { name: read.name }) : t('Nobody handles it yet')}</p>}
    </ChoiceDialog>
  );
}
