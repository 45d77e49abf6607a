import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg, type Message } from '../../../../i18n/messages.ts';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { BegunOnlineNotice } from './begun-online-notice.tsx';
import { BegunUpiNotice } from './begun-upi-notice.tsx';
import type { BegunOnline } from '../begun-online.ts';
import type { BegunUpi } from '../begun-upi.ts';
import { HAND_OVER_CODE, RETURNED, deskError, move, type DeskOrder } from '../contract.ts';
import { DialogOrder } from './dialog-order.tsx';
import { TextDialog } from '../../../staff/desk/text-dialog.tsx';
import { isOfCode } from '../refusals.ts';
import { BagsField, COUNTED_BAGS, useBagsQuestion, type BagsCount } from './bags-count.tsx';
import type { SendDoorChange } from '../use-change.ts';

interface HandOverDialogProps {
  open: boolean;
  order: Pick<DeskOrder, 'orderid' | 'version' | 'bags' | 'left_to_pay'> & { name?: string; to_return: boolean };
  begunUpi: BegunUpi | null;
  begunOnline: BegunOnline | null;
  triesLeft: number;
  count: BagsCount;
  /** The change of the order since the dialog was opened. */
  notice?: ReactNode;
  pending: boolean;
  change: SendDoorChange;
  children?: ReactNode;
  onClose(): void;
}

/** Asks for the code of the customer, and for the bags if they were counted at the pickup. */
export function HandOverDialog({
  open,
  order,
  notice,
  begunUpi,
  begunOnline,
  triesLeft,
  count,
  pending,
  change,
  children,
  onClose,
}: HandOverDialogProps) {
  const { t, rupees, formatMessage } = useLanguage();
  const bagsQuestion = useBagsQuestion(order.bags, msg('Deliver all the same'));
  /** The tries after a wrong code, until the order is loaded again. */
  const [wrong, setWrong] = useState<{ version: number; left: number }>();
  const { orderid, version, to_return: toReturn } = order;
  const tries = wrong?.version === version ? Math.min(wrong.left, triesLeft) : triesLeft;
  const body = { orderid, version, stage: toReturn ? RETURNED : 'delivered', ...(count.text && { bags: Number(count.text) }) };
  return (
    <TextDialog
      open={open}
      title={toReturn ? t('Return the clothes') : t('Hand over')}
      label={t('Hand-over code')}
      required={formatMessage(deskError('malformed-code'))}
      isPossible={(code) => HAND_OVER_CODE.test(code)}
      submitLabel={toReturn ? t('Returned') : t('Delivered')}
      pending={pending}
      locked={
        tries > 0
          ? undefined
          : t('The owner or an operator makes a new code. The customer then sees it on the page of the order: ask for it again.')
      }
      digits={4}
      questionOf={() => (COUNTED_BAGS.test(count.text) ? bagsQuestion(count.text) : undefined)}
      onSubmit={async (code, refuse) => {
        if (!count.check()) return false;
        const onRefusal = (error: Message) => {
          if (isOfCode(error, 'wrong-hand-over-code')) setWrong({ version, left: Number(error.params.left) });
          // The form is locked then, and shows the reason.
          if (isOfCode(error, 'too-many-codes')) setWrong({ version, left: 0 });
          else refuse(error);
        };
        const isDone = await change({
          call: move,
          body: { ...body, code },
          live: ['version'],
          done: toReturn ? msg('Returned') : msg('Moved'),
          onRefusal,
        });
        if (isDone) count.clear();
        return isDone;
      }}
      onClose={onClose}
    >
      <DialogOrder order={order} notice={notice} />
      <p aria-live="polite" className="text-sm text-ink-soft">
        {tries > 0
          ? t('The customer sees the code on the page of the order. Tries left: {left}', { left: tries })
          : t('The code was wrong too often. It does not work any more, and the customer reads that.')}
      </p>
      {(order.left_to_pay ?? 0) > 0 && (
        <Notice tone="warn">{t('{amount} is still to be paid.', { amount: rupees(order.left_to_pay ?? 0) })}</Notice>
      )}
      {(order.left_to_pay ?? 0) > 0 && begunUpi && <BegunUpiNotice payment={begunUpi} />}
      {(order.left_to_pay ?? 0) > 0 && begunOnline && <BegunOnlineNotice payment={begunOnline} />}
      {children}
      <BagsField bags={order.bags} count={count} />
    </TextDialog>
  );
}
