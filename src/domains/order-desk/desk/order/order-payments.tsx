import { useState } from 'react';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { SegmentedChoice } from '../../../../ui/fields/segmented-choice.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { Money } from '../../../../ui/layout/money.tsx';
import type { Paise } from '../../../../lib/money.ts';
import type { ReversedCash } from '../../../orders/events-contract.ts';
import { isManual } from '../../../manual-payments/rules.ts';
import { mayCall } from '../../../staff/desk/contract.ts';
import { DialogDraft } from '../../../staff/desk/dialog-draft.tsx';
import { deleteDraft } from '../../../staff/desk/draft-storage.ts';
import { useMe } from '../../../staff/desk/session.ts';
import { BegunOnlineNotice } from '../dialogs/begun-online-notice.tsx';
import { BegunUpiNotice } from '../dialogs/begun-upi-notice.tsx';
import { reversePayment, type DeskOrder, type DeskPayment } from '../contract.ts';
import { METHOD_TEXTS } from '../desk-texts.ts';
import { ReasonDialog } from '../dialogs/reason-dialog.tsx';
import { UpiCheck } from '../upi/upi-check.tsx';
import type { SendChange } from '../use-change.ts';

export function OrderPayments({ order, pending, change }: { order: DeskOrder; pending: boolean; change: SendChange }) {
  const language = useLanguage();
  const { t, rupees, translateData } = language;
  const { role } = useMe();
  const [reversed, setReversed] = useState<DeskPayment>();
  const [cash, setCash] = useState<ReversedCash>();
  const [cashError, setCashError] = useState<string>();
  const { is_erased: isErased } = order.customer;
  const refund = refundOf(order);
  const takenBack = takenBackOf(order);
  const draft = reversed && `${order.orderid} reverse ${reversed.received_at} ${reversed.amount}`;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Payments')}</h2>
      {order.payments.length === 0 && <p className="mt-2 text-sm text-ink-soft">{t('Nothing is paid yet.')}</p>}
      <div className="mt-3 space-y-3 empty:hidden">
        {order.begun_upi && (
          <BegunUpiNotice payment={order.begun_upi}>
            {t('{time}, reference {reference}. The statement of the bank shows whether it came.', {
              time: formatDayTime(language, order.begun_upi.reported_at ?? order.begun_upi.begun_at),
              reference: order.begun_upi.reference,
            })}
            {order.begun_upi.reported_at !== null && order.begun_upi.left_to_pay === 0 && (
              <p className="font-semibold">{t('Nothing is left to pay on this order. Only the statement remains to be compared.')}</p>
            )}
            {!isErased && (
              <div className="pt-2">
                <UpiCheck payment={order.begun_upi} {...{ pending, change }} />
              </div>
            )}
          </BegunUpiNotice>
        )}
        {order.begun_online && <BegunOnlineNotice payment={order.begun_online} />}
        {order.dismissed_upi && (
          <Notice tone="info" title={t('{amount} by UPI did not arrive', { amount: rupees(order.dismissed_upi.amount) })}>
            {t('{time}, reference {reference}: {reason}', {
              time: formatDayTime(language, order.dismissed_upi.dismissed_at),
              reference: order.dismissed_upi.reference,
              reason: order.dismissed_upi.reason,
            })}
            {!isErased && (
              <div className="pt-2">
                <UpiCheck payment={order.dismissed_upi} isDismissed {...{ pending, change }} />
              </div>
            )}
          </Notice>
        )}
      </div>
      <ul className="divide-y divide-line">
        {order.payments.map((payment) => (
          <li key={payment.tid} className="flex flex-wrap items-center justify-between gap-2 py-3 text-sm">
            <div>
              <p className="font-medium">
                {translateData(METHOD_TEXTS[payment.method] ?? payment.method)} <Money amountPaise={payment.amount} />
              </p>
              <p className="text-ink-soft">
                {[formatDayTime(language, payment.received_at), payment.received_by, payment.note].filter(Boolean).join(' · ')}
              </p>
              {payment.reversal && (
                <p className="font-medium text-bad-ink">{t('Reversed: {reason}', { reason: payment.reversal.reason })}</p>
              )}
            </div>
            {!isErased && !payment.reversal && isManual(payment.method) && mayCall(role, 'staff/reversepayment') && (
              <Button
                variant="quiet"
                size="small"
                onClick={() => {
                  setReversed(payment);
                  setCash(undefined);
                  setCashError(undefined);
                }}
              >
                {t('Reverse')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {refund !== undefined && (
        <div className="border-t border-line pt-3 text-sm font-medium">
          <p>{t('Back to the customer when the order was cancelled: {amount}', { amount: rupees(refund) })}</p>
          {takenBack > 0 && <p>{t('Taken back since, because the payment was reversed: {amount}', { amount: rupees(takenBack) })}</p>}
        </div>
      )}
      <DialogDraft name={draft}>
        <ReasonDialog
          open={reversed !== undefined}
          title={t('Reverse {amount}?', { amount: rupees(reversed?.amount ?? 0) })}
          submitLabel={t('Reverse')}
          pending={pending}
          onSubmit={async (reason, onRefusal) => {
            if (reversed?.method === 'cash' && cash === undefined) {
              setCashError(t('Choose what happens to the cash'));
              return false;
            }
            const body = { tid: reversed?.tid ?? '', reason, ...(cash && { cash }) };
            const isMade = await change({ call: reversePayment, body, done: msg('The payment is reversed'), onRefusal });
            if (isMade && draft !== undefined) deleteDraft(draft);
            return isMade;
          }}
          onClose={() => setReversed(undefined)}
        >
          {reversed?.method === 'cash' && (
            <SegmentedChoice<ReversedCash>
              ref={focusAtOpening}
              legend={t('The cash')}
              variant="chips"
              options={[
                { value: 'given-back', label: t('Goes back to the customer') },
                { value: 'never-received', label: t('Was never received') },
              ]}
              value={cash ?? ''}
              error={cashError}
              onChange={(value) => {
                setCash(value);
                setCashError(undefined);
              }}
            />
          )}
          {cash === 'given-back' && (
            <p className="text-sm text-ink-soft">{t('It leaves the cash of the person who holds it now, as Cash shows.')}</p>
          )}
          {cash === 'never-received' && (
            <p className="text-sm text-ink-soft">{t('If it was handed in already, its hand-in is compared without this payment.')}</p>
          )}
        </ReasonDialog>
      </DialogDraft>
    </Card>
  );
}

/** The choice is above the reason, which the dialog focuses otherwise. */
function focusAtOpening(input: HTMLInputElement | null) {
  if (input) input.dataset.autofocus = '';
}

/** Returns the amount that the cancellation credited. Undefined without one or without a credit. */
const refundOf = ({ cancellation, history }: DeskOrder): Paise | undefined => {
  const amount = cancellation && history.findLast(({ kind }) => kind === 'cancelled')?.amount;
  return amount ? amount : undefined;
};

/** Returns what reversed payments have taken back of that credit. */
const takenBackOf = ({ history }: DeskOrder): number => {
  const since = history.slice(history.findLastIndex(({ kind }) => kind === 'cancelled') + 1);
  return since.reduce((sum, { kind, amount }) => (kind === 'refund-reversed' ? sum + (amount ?? 0) : sum), 0);
};
