import { useState, type FormEvent, type ReactNode } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg, type Message } from '../../../../i18n/messages.ts';
import { asPaise, formatAmount } from '../../../../lib/money.ts';
import { Button, SubmitButton } from '../../../../ui/actions/button.tsx';
import { FormError } from '../../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { SegmentedChoice } from '../../../../ui/fields/segmented-choice.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { Sheet } from '../../../../ui/overlays/sheet.tsx';
import type { ManualPaymentMethod } from '../../../manual-payments/rules.ts';
import { useAmountError } from '../../../staff/desk/amount-error.ts';
import { DraftNotice, useDraftField } from '../../../staff/desk/dialog-draft.tsx';
import { useMe } from '../../../staff/desk/session.ts';
import { SettlingAnswer } from '../../../staff/desk/settling-answer.tsx';
import { BegunOnlineNotice } from './begun-online-notice.tsx';
import { BegunUpiNotice } from './begun-upi-notice.tsx';
import type { BegunOnline } from '../begun-online.ts';
import type { BegunUpi } from '../begun-upi.ts';
import { deskError, receive, type DeskOrder } from '../contract.ts';
import { DialogOrder } from './dialog-order.tsx';
import { MarkedField, NumberPad } from './number-pad.tsx';
import { readPaymentForm } from './payment-form.ts';
import { useSubmitInView } from './use-submit-in-view.ts';
import { isOfCode } from '../refusals.ts';
import { QuestionNotice } from './question-notice.tsx';
import type { SendDoorChange } from '../use-change.ts';

interface PaymentDialogProps {
  open: boolean;
  order: Pick<DeskOrder, 'orderid' | 'total_amount' | 'left_to_pay'> & { name?: string };
  /** The UPI payment that the customer reported as paid, or began. */
  begunUpi: BegunUpi | null;
  begunOnline: BegunOnline | null;
  /** The change of the order since the dialog was opened. */
  notice?: ReactNode;
  pending: boolean;
  change: SendDoorChange;
  onClose(): void;
}

export function PaymentDialog({ open, onClose, ...rest }: PaymentDialogProps) {
  const { t } = useLanguage();
  const [opening, setOpening] = useState(0);
  return (
    <Sheet open={open} onClose={onClose} title={t('Take a payment')}>
      <PaymentForm key={opening} {...rest} onReopen={() => setOpening(opening + 1)} onClose={onClose} />
    </Sheet>
  );
}

/** '446.40' or '500': rupees as a person writes them. */
const toTyped = (paise: number): string => (paise % 100 === 0 ? String(paise / 100) : (paise / 100).toFixed(2));

function PaymentForm({
  order,
  notice,
  begunUpi,
  begunOnline,
  pending,
  change,
  onReopen,
  onClose,
}: Omit<PaymentDialogProps, 'open'> & { onReopen(): void }) {
  const { t, rupees, formatMessage } = useLanguage();
  const amountError = useAmountError();
  const { role } = useMe();
  const left = order.left_to_pay ?? asPaise(0);
  const [openedLeft] = useState(left);
  const [isNoted, setNoted] = useState(false);
  const [method, setMethod] = useDraftField<ManualPaymentMethod>('method', 'cash');
  // An amount is not kept for another rest.
  const amountField = `amount of ${openedLeft}`;
  const [text, setText] = useDraftField(amountField, left > 0 ? toTyped(left) : '');
  const [isInvalid, setInvalid] = useState(false);
  const [refusal, setRefusal] = useState<Message | null>(null);
  /** The payment that the person was asked about. */
  const [asked, setAsked] = useState<string>();
  const formRef = useSubmitInView(refusal);
  const enter = (value: string) => {
    setText(value);
    setInvalid(false);
    setRefusal(null);
  };
  const { amount, isPossible, excess, isPaidTwice, mayArriveOnline, isLikelySlip, needsQuestion, question } = readPaymentForm(
    { method, text },
    { left, begunUpi, begunOnline },
  );
  const isAsked = asked === question;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setInvalid(!isPossible);
    if (!isPossible || pending) return;
    if (needsQuestion && !isAsked) return setAsked(question);
    const body = { orderid: order.orderid, method, amount, ...(excess > 0 && { overpaid: true }) };
    const onRefusal = (refused: Message) => {
      setRefusal(refused);
      setAsked(undefined);
    };
    if (!(await change({ call: receive, body, done: msg('The payment is noted'), onRefusal }))) return;
    setNoted(true);
    onClose();
  };
  // The payment of this form may be noted already, also if its response was lost.
  if (left !== openedLeft && !pending && !isNoted) {
    return (
      <Notice
        tone="warn"
        live
        action={
          left > 0 && (
            <Button variant="secondary" size="small" onClick={onReopen}>
              {t('Take {amount} instead', { amount: rupees(left) })}
            </Button>
          )
        }
      >
        {t('This order was paid or changed while this form was open. Close the form and look at the order first.')}
      </Notice>
    );
  }
  return (
    <form ref={formRef} onSubmit={(event) => void submit(event)} onInput={() => setRefusal(null)} className="space-y-4">
      <DialogOrder order={order} notice={notice} />
      <DraftNotice fields={['method', amountField]} />
      {begunUpi && <BegunUpiNotice payment={begunUpi} />}
      {begunOnline && <BegunOnlineNotice payment={begunOnline} />}
      <div>
        {order.total_amount !== null && (
          <p className="text-sm text-ink-soft">{t('Amount of the order {amount}', { amount: rupees(order.total_amount) })}</p>
        )}
        <p className="font-semibold">{t('Left to pay {amount}', { amount: rupees(left) })}</p>
      </div>
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
      <MarkedField isMarked>
        <TextField
          error={isInvalid ? amountError(text, formatMessage(deskError('impossible-amount'))) : null}
          label={t('Amount')}
          prefix="₹"
          inputMode="none"
          autoComplete="off"
          data-autofocus
          value={text}
          onChange={({ target }) => enter(target.value)}
        />
      </MarkedField>
      <NumberPad field={t('Amount')} value={text} isDecimal onChange={enter} />
      {excess > 0 && !isAsked && !(refusal && isOfCode(refusal, 'upi-more-than-due')) && (
        <Notice tone="warn" live>
          {method === 'upi' && role !== 'owner'
            ? formatMessage(deskError('upi-more-than-due', { rest: formatAmount(left) }))
            : t('{amount} more than is due: it goes to the wallet of the customer.', { amount: rupees(excess) })}
        </Notice>
      )}
      {isAsked && (
        <QuestionNotice key={question}>
          {isLikelySlip && <p>{t('Only {amount} is due: look at the amount again.', { amount: rupees(left) })}</p>}
          {excess > 0 && <p>{t('{amount} more than is due: it goes to the wallet of the customer.', { amount: rupees(excess) })}</p>}
          {excess > 0 && role !== 'owner' && (
            <p>{t('It counts in your daily limit of credits. If the payment is reversed, it does not.')}</p>
          )}
          {isPaidTwice && begunUpi && (
            <p>
              {t('The customer says that {amount} are paid by UPI. With this payment it would be paid twice.', {
                amount: rupees(begunUpi.amount),
              })}
            </p>
          )}
          {mayArriveOnline && begunOnline && (
            <p>
              {t('{amount} may still arrive online. With this payment it would be paid twice, and the excess goes to the wallet.', {
                amount: rupees(begunOnline.amount),
              })}
            </p>
          )}
        </QuestionNotice>
      )}
      <FormError text={refusal && formatMessage(refusal)} />
      <SettlingAnswer question={isAsked ? question : undefined}>
        <SubmitButton variant="primary" wide pending={pending}>
          {!isPossible
            ? t('Take a payment')
            : isAsked
              ? t('Take {amount} all the same', { amount: rupees(amount) })
              : t('Take {amount}', { amount: rupees(amount) })}
        </SubmitButton>
      </SettlingAnswer>
    </form>
  );
}
