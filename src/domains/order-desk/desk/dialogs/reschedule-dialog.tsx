import { useState, type ReactNode } from 'react';
import { serverClock } from '../../../../browser/server-clock.ts';
import { formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg, type Message } from '../../../../i18n/messages.ts';
import { FormError } from '../../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { useEvenings } from '../../../evenings/pages/use-evenings.ts';
import { WITHOUT_LIMITS } from '../../../evenings/rules.ts';
import type { Stage } from '../../../orders/contract.ts';
import { offeredVisits } from '../../../orders/visit-rules.ts';
import { DraftNotice, useDraftField } from '../../../staff/desk/dialog-draft.tsx';
import { ChoiceDialog } from '../../../staff/desk/choice-dialog.tsx';
import { rescheduleOrder, type DeskOrder } from '../contract.ts';
import { ReasonField } from './reason-field.tsx';
import type { SendChange } from '../use-change.ts';

interface RescheduleDialogProps {
  open: boolean;
  order: DeskOrder;
  /** The change of the order since the dialog was opened. */
  notice: ReactNode;
  pending: boolean;
  change: SendChange;
  onClose(): void;
}

/** Asks for the day of a pickup, or of another delivery after a failed one, with the reason. */
export function RescheduleDialog({ open, order, notice, pending, change, onClose }: RescheduleDialogProps) {
  const language = useLanguage();
  const { t, formatMessage } = language;
  const [reason, setReason] = useDraftField('reason', '');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const [refusal, setRefusal] = useState<Message | null>(null);
  const isDelivery = order.washing_stage === ('delivery' satisfies Stage);
  const current = isDelivery ? order.delivery_date : order.attempt ? null : order.pickup_date;
  const { orderid, version } = order;
  const evenings = useEvenings(open ? orderid : undefined);
  const offered = offeredVisits(evenings?.[order.area] ?? WITHOUT_LIMITS, order, serverClock.now());
  const others = offered.filter((evening) => evening.day !== current);
  const [chosen, setChosen] = useState<string>();
  // The chosen day can be that of the order by now.
  const chosenEvening = others.find((evening) => evening.day === chosen);
  // The evening of the failed visit can still be chosen, but a later one is more likely.
  const failedOn = order.attempt?.at.slice(0, 10) ?? '';
  const free = others.filter(({ status }) => status !== 'full');
  const day = (chosenEvening ?? free.find((evening) => evening.day > failedOn) ?? free[0] ?? others[0])?.day ?? '';
  return (
    <ChoiceDialog
      open={open}
      title={t('Another day')}
      label={isDelivery ? t('Delivery day') : t('Pickup day')}
      value={day}
      options={others.map(({ day: value, status }) => ({
        value,
        label: status === 'full' ? t('{day}: full', { day: formatWeekday(language, value) }) : formatWeekday(language, value),
      }))}
      empty={notice || <Notice tone="warn">{t('There is no other evening to choose. The owner can open one under Evenings.')}</Notice>}
      pending={pending}
      onChoose={(value) => {
        setChosen(value);
        setRefusal(null);
      }}
      onSubmit={async () => {
        setReasonMissing(reason.trim() === '');
        if (reason.trim() === '') return false;
        return change({
          call: rescheduleOrder,
          body: { orderid, version, pickup_date: day, reason: reason.trim() },
          live: ['version'],
          done: isDelivery ? msg('The delivery day is noted') : msg('The pickup day is changed'),
          onRefusal: setRefusal,
        });
      }}
      onClose={onClose}
    >
      {notice}
      <DraftNotice fields={['reason']} />
      <ReasonField
        label={t('Reason (the customer reads it)')}
        value={reason}
        isMissing={isReasonMissing}
        onChange={(text) => {
          setReason(text);
          setReasonMissing(false);
        }}
      />
      <FormError text={refusal && formatMessage(refusal)} />
    </ChoiceDialog>
  );
}
