import { useState, type FormEvent } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type Message } from '../../../i18n/messages.ts';
import { asPaise, formatAmount, parseRupees } from '../../../lib/money.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Sheet } from '../../../ui/overlays/sheet.tsx';
import { MANUAL_PAYMENT_LIMITS, type ManualPaymentMethod } from '../../manual-payments/rules.ts';
import { useMe } from '../../staff/desk/session.ts';
import { deskError, receive, type DeskOrder } from './contract.ts';
import { DialogOrder } from './dialog-order.tsx';
import { NumberPad } from './number-pad.tsx';
import type { SendChange } from './use-change.ts';

interface PaymentDialogProps {
  open: boolean;
  order: Pick<DeskOrder, 'orderid' | 'left_to_pay'> & { name?: string };
  pending: boolean;
  change: SendChange;
  onClose(): void;
}

export function PaymentDialog({ open, onClose, ...rest }: PaymentDialogProps) {
  const { t } = useLanguage();
  return (
    <Sheet open={open} onClose={onClose} title={t('Take a payment')}>
      <PaymentForm {...rest} onClose={onClose} />
    </Sheet>
  );
}

function PaymentForm({ order, pending, change, onClose }: Omit<PaymentDialogProps, 'open'>) {
  const { t, rupees, formatMessage } = useLanguage();
  const { role } = useMe();
  const left = order.left_to_pay ?? asPaise(0);
  const [openedLeft] = useState(left);
  const [isNoted, setNoted] = useState(false);
  const [method, setMethod] = useState<ManualPaymentMethod>('cash');
  const [text, setText] = useState(left > 0 ? String(left / 100) : '');
  const [isInvalid, setInvalid] = useState(false);
  const [refusal, setRefusal] = useState<Message | null>(null);
  const enter = (value: string) => {
    setText(value);
    setInvalid(false);
    setRefusal(null);
  };
  const paise = parseRupees(text);
  const isPossible = paise >= MANUAL_PAYMENT_LIMITS.min && paise <= MANUAL_PAYMENT_LIMITS.max;
  const excess = isPossible ? Math.max(0, paise - left) : 0;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setInvalid(!isPossible);
    if (!isPossible || pending) return;
    const body = { orderid: order.orderid, method, amount: asPaise(paise), ...(excess > 0 && { overpaid: true }) };
    if (!(await change({ call: receive, body, done: msg('The payment is noted'), onRefusal: setRefusal }))) return;
    setNoted(true);
    onClose();
  };
  // The payment of this form may be noted already, also if its answer was lost.
  if (left !== openedLeft && !pending && !isNoted) {
    return (
      <Notice tone="warn" live>
        {t('This order was paid or changed while this form was open. Close the form and look at the order first.')}
      </Notice>
    );
  }
  return (
    <form onSubmit={(event) => void submit(event)} onInput={() => setRefusal(null)} className="space-y-4">
      <DialogOrder order={order} />
      <p className="font-semibold">{t('Left to pay {amount}', { amount: rupees(left) })}</p>
      <SegmentedChoice
        legend={t('How')}
        variant="segments"
        options={[
          { value: 'cash', label: t('Cash') },
          { value: 'upi', label: t('UPI') },
        ]}
        value={method}
        onChange={(value) => {
          setMethod(value);
          setRefusal(null);
        }}
      />
      <TextField
        error={null}
        label={t('Amount')}
        prefix="₹"
        inputMode="none"
        autoComplete="off"
        value={text}
        onChange={({ target }) => enter(target.value.replaceAll(/[^\d.]/g, ''))}
      />
      <NumberPad value={text} decimals={2} onChange={enter} />
      {excess > 0 && (
        <Notice tone="warn" live>
          {method === 'upi' && role !== 'owner'
            ? formatMessage(deskError('upi-more-than-due', { rest: formatAmount(left) }))
            : t('{amount} is more than is due and goes to the wallet of the customer.', { amount: rupees(excess) })}
        </Notice>
      )}
      {isInvalid && (
        <p role="alert" className="text-sm font-medium text-bad-ink">
          {formatMessage(deskError('impossible-amount'))}
        </p>
      )}
      <FormError text={refusal && formatMessage(refusal)} />
      <SubmitButton variant="primary" wide pending={pending}>
        {isPossible ? t('Take {amount}', { amount: rupees(paise) }) : t('Take a payment')}
      </SubmitButton>
    </form>
  );
}
