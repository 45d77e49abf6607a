import { useState, type ReactNode } from 'react';
import { serverClock } from '../../../../browser/server-clock.ts';
import { formatTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { SelectField } from '../../../../ui/fields/select-field.tsx';
import { attemptReasons, type AttemptReason } from '../../../orders/visit-rules.ts';
import { attempt, type DeskOrder } from '../contract.ts';
import { DialogOrder } from './dialog-order.tsx';
import { ATTEMPT_TEXTS } from '../desk-texts.ts';
import { laterVisitText } from './later-visit-text.ts';
import { useDraftField } from '../../../staff/desk/dialog-draft.tsx';
import { TextDialog } from '../../../staff/desk/text-dialog.tsx';
import type { SendDoorChange } from '../use-change.ts';

interface AttemptDialogProps {
  open: boolean;
  /** The stage of the order: a delivery has other reasons than a pickup. */
  stage: string;
  /** The day of a visit that is planned for later, else null. */
  laterDay: string | null;
  /** The start of the slot of a visit of today that is asked about, because it is not begun. */
  slotStart?: string | null;
  order: Pick<DeskOrder, 'orderid' | 'version'> & { name?: string };
  /** The change of the order since the dialog was opened. */
  notice?: ReactNode;
  pending: boolean;
  change: SendDoorChange;
  onClose(): void;
}

/** Asks why a visit failed. */
export function AttemptDialog({ open, stage, laterDay, slotStart = null, order, notice, pending, change, onClose }: AttemptDialogProps) {
  const language = useLanguage();
  const { t } = language;
  const { orderid, version } = order;
  const [why, setWhy] = useDraftField<AttemptReason | undefined>('why', undefined);
  const [error, setError] = useState<string>();
  return (
    <TextDialog
      open={open}
      title={t('Failed visit')}
      label={t('Note (optional)')}
      submitLabel={t('Save')}
      pending={pending}
      questionOf={() => {
        const question =
          laterDay !== null
            ? laterVisitText(language, { stage, day: laterDay }, serverClock.now())
            : slotStart !== null && t('The slot begins at {time}. Note a failed visit already?', { time: formatTime(language, slotStart) });
        return why && question ? { question, submitLabel: t('Save all the same') } : undefined;
      }}
      onSubmit={async (note, onRefusal) => {
        if (why)
          return change({
            call: attempt,
            body: { orderid, version, why, ...(note && { note }) },
            live: ['version'],
            done: msg('The visit is noted'),
            onRefusal,
          });
        setError(t('Choose what happened'));
        return false;
      }}
      onClose={onClose}
    >
      <DialogOrder order={order} notice={notice} />
      <SelectField
        label={t('What happened?')}
        error={error}
        value={why ?? ''}
        data-autofocus
        options={[
          ...(why ? [] : [{ value: '', label: t('Choose') }]),
          ...attemptReasons(stage).map((reason) => ({ value: reason, label: t(ATTEMPT_TEXTS[reason]) })),
        ]}
        onChange={({ target }) => {
          setWhy(target.value as AttemptReason);
          setError(undefined);
        }}
      />
    </TextDialog>
  );
}
