import { useState, type FormEvent } from 'react';
import { useForm } from '../../../browser/form.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { CallRefused } from '../../../contract/call-failures.ts';
import { MAX_LINE_LENGTH } from '../../../contract/define-call.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { Message } from '../../../i18n/messages.ts';
import { formatAmount } from '../../../lib/money.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { QuestionNotice } from '../../order-desk/desk/dialogs/question-notice.tsx';
import { useAmountError } from '../../staff/desk/amount-error.ts';
import { SettlingAnswer } from '../../staff/desk/settling-answer.tsx';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { useKeyedSend, type KeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { customerError, payOut, reason, typedPayOut, type DeskCustomer, type PayOut } from './contract.ts';

interface PayOutFormProps {
  customer: Pick<DeskCustomer, 'mobile' | 'wallet' | 'wallet_promotional'>;
  name: string;
  onPaidBack(): Promise<void>;
}

interface PayOutDialogProps extends PayOutFormProps {
  open: boolean;
  onClose(): void;
}

/** Records money of a wallet that the laundry pays back to the customer. */
export function PayOutDialog({ open, onClose, ...form }: PayOutDialogProps) {
  const { t } = useLanguage();
  // Outside the form, which a closed dialog unmounts: the same payout is sent again with its key.
  const send = useKeyedSend();
  return (
    <Dialog open={open} onClose={onClose} title={t('Pay money back to {name}', { name: form.name })}>
      <PayOutForm {...form} send={send} />
    </Dialog>
  );
}

const rules = { amount: typedPayOut, reason };

function PayOutForm({
  customer: { mobile, wallet, wallet_promotional: promotional },
  name,
  send,
  onPaidBack,
}: PayOutFormProps & { send: KeyedSend }) {
  const { t, formatMessage, rupees } = useLanguage();
  const amountError = useAmountError();
  const form = useForm(rules, { amount: '', reason: '' }, payOut.errors);
  const [error, setError] = useState<Message>();
  /** The payout that the person is asked about. */
  const [asked, setAsked] = useState<PayOut>();
  const { pending, mutate } = useMutation<PayOut>({
    async mutationFn(body) {
      const result = await send(payOut, body);
      if (result.response === 'success') return onPaidBack();
      setAsked(undefined);
      setError(toErrorMessage(result));
    },
    onError(problem) {
      if (problem instanceof CallRefused) setError(problem);
      else showProblem(problem, 'paying money back');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    setError(undefined);
    const values = form.validate();
    if (!values) return;
    if (values.amount > wallet) {
      return form.setError('amount', customerError('payout-above-balance', { balance: formatAmount(wallet) }));
    }
    if (!asked) return setAsked({ mobile, ...values });
    void mutate(asked);
  };
  return (
    <form method="post" onSubmit={submit} onInput={() => setAsked(undefined)} noValidate className="space-y-5">
      <div className="text-sm">
        <p className="font-semibold">{t('The wallet has {amount}.', { amount: rupees(wallet) })}</p>
        {promotional > 0 && (
          <p className="text-ink-soft">
            {t('Of it, at most {amount} came from promotions and cashback.', { amount: rupees(promotional) })}
          </p>
        )}
        <p className="text-ink-soft">
          {t('This sends no money: pay it by bank transfer or UPI. Cash would stay in Cash with its holder.')}
        </p>
      </div>
      <TextField
        label={t('Amount')}
        prefix="₹"
        {...form.field('amount')}
        error={amountError(form.values.amount, form.field('amount').error)}
        inputMode="decimal"
        autoComplete="off"
      />
      <TextField
        label={t('How and why')}
        hint={t('With the reference of the transfer. The customer reads it in the wallet.')}
        {...form.field('reason')}
        autoComplete="off"
        maxLength={MAX_LINE_LENGTH}
      />
      {asked && (
        <QuestionNotice>
          {t('{amount} leave the wallet of {name}. This cannot be undone.', { amount: rupees(asked.amount), name })}
        </QuestionNotice>
      )}
      <FormError text={error && formatMessage(error)} />
      <SettlingAnswer question={asked && String(asked.amount)}>
        <SubmitButton variant="primary" wide pending={pending}>
          {asked ? t('Yes, {amount} are paid back', { amount: rupees(asked.amount) }) : t('Pay money back')}
        </SubmitButton>
      </SettlingAnswer>
    </form>
  );
}
