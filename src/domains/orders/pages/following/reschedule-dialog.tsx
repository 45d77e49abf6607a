import { useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg, type ErrorMessage } from '../../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../../ui/feedback/toast.ts';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { toErrorMessage } from '../../../../contract/errors.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { useMutation } from '../../../../browser/use-mutation.ts';
import { alertProblem } from '../../../error-reports/pages/problem.ts';
import { loadEvenings } from '../../../evenings/pages/use-evenings.ts';
import { reschedule } from '../../contract.ts';
import { chooseDelivery } from '../../delivery-contract.ts';
import type { EveningErrorCode } from '../../pickup-rules.ts';
import { PickupDayForm } from '../draft/pickup-day-form.tsx';
import { isOutForDelivery, type OrderChangesProps } from './change-dialogs.ts';

interface RescheduleDialogProps extends OrderChangesProps {
  open: boolean;
  onClose(): void;
}

/** Chooses the day of the pickup, or of another delivery. */
export function RescheduleDialog({ open, onClose, ...props }: RescheduleDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={isOutForDelivery(props.order) ? t('Choose the delivery evening') : t('Change pickup day')}>
      <RescheduleForm {...props} onClose={onClose} />
    </Dialog>
  );
}

/** The errors that name another evening. */
const TAKEN: ReadonlySet<string> = new Set<EveningErrorCode>(['evening-full', 'evening-closed', 'evening-limit']);

function RescheduleForm({ order, userid, onChanged, onClose }: Omit<RescheduleDialogProps, 'open'>) {
  const { t, formatMessage } = useLanguage();
  const isDelivery = isOutForDelivery(order);
  const { attempt } = order;
  const current = isDelivery ? order.delivery_date : attempt ? null : order.pickup_date;
  const [chosen, setChosen] = useState(current ?? '');
  const [taken, setTaken] = useState<ErrorMessage | null>(null);
  const { pending, mutate } = useMutation<string>({
    async mutationFn(day) {
      const target = { userid, orderid: order.orderid };
      const response = isDelivery
        ? await fetchSend(chooseDelivery, { ...target, delivery_date: day })
        : await fetchSend(reschedule, { ...target, pickup_date: day });
      if (response.response !== 'success' && TAKEN.has(response.code)) {
        // Continues with the next free evening.
        setTaken(toErrorMessage(response));
        setChosen(String(response.params.pickupDay));
        await loadEvenings();
        return;
      }
      showToast(
        response.response === 'success'
          ? {
              text: isDelivery ? msg('We bring your clothes on {day, date}', { day }) : msg('Your pickup is now on {day, date}', { day }),
              theme: 'green',
              durationMs: TOAST_MS.long,
            }
          : { text: toErrorMessage(response), theme: 'red', durationMs: TOAST_MS.long },
      );
      await onChanged();
      onClose();
    },
    onError: (error) => {
      alertProblem(error, { doing: 'choosing a day' });
      onClose();
    },
  });
  return (
    <PickupDayForm
      area={order.area}
      timeslot={order.timeslot}
      current={current}
      visit={order}
      booked={order.pickup_date}
      isDelivery={isDelivery}
      chosen={chosen}
      onChoose={setChosen}
      onSubmit={() => void mutate(chosen)}
      submitLabel={isDelivery ? t('Choose this evening') : t('Change pickup day')}
      pending={pending}
      error={taken && formatMessage(taken)}
    />
  );
}
