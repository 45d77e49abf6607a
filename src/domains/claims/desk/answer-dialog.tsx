import { useState, type FormEvent } from 'react';
import { fieldError, toErrorMessage } from '../../../contract/errors.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type Message, type MessageKey } from '../../../i18n/messages.ts';
import { asPaise, formatAmount, type Paise } from '../../../lib/money.ts';
import { parseTypedRupees } from '../../../lib/typed-money.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextAreaField } from '../../../ui/fields/text-area-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { useAmountError } from '../../staff/desk/amount-error.ts';
import { staffError } from '../../staff/desk/contract.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { MAX_MESSAGE_LENGTH } from '../contract.ts';
import { CLAIM_CREDIT_LIMITS } from '../rules.ts';
import { answer as answerRule, answerDeskClaim, claimDeskError, settleDeskClaim, type DeskClaim } from './contract.ts';

interface AnswerDialogProps {
  open: boolean;
  claim: DeskClaim | undefined;
  /** The amount that the person may still credit today, null without a limit. */
  creditsLeft: Paise | null;
  /** The answer ends the claim, with an amount or without. */
  settles: boolean;
  onDone(message: MessageKey): Promise<void>;
  /** The customer has written what `claim` does not have yet. */
  onOutdated(): Promise<void>;
  onClose(): void;
}

export function AnswerDialog({ open, claim, creditsLeft, settles, onDone, onOutdated, onClose }: AnswerDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={settles ? t('Settle this report') : t('Answer this report')}>
      {claim && <AnswerForm claim={claim} creditsLeft={creditsLeft} settles={settles} onDone={onDone} onOutdated={onOutdated} />}
    </Dialog>
  );
}

interface AnswerFormProps extends Pick<AnswerDialogProps, 'creditsLeft' | 'settles' | 'onDone' | 'onOutdated'> {
  claim: DeskClaim;
}

function AnswerForm({ claim, creditsLeft, settles, onDone, onOutdated }: AnswerFormProps) {
  const { t, rupees, formatMessage } = useLanguage();
  const [opened] = useState(claim);
  const [text, setText] = useState('');
  const [amount, setAmount] = useState('');
  const [textError, setTextError] = useState<Message>();
  const explain = useAmountError();
  const [amountError, setAmountError] = useState<Message>();
  const [formError, setFormError] = useState<Message | null>(null);
  /** The amount above that of the order that the form asks about. */
  const [askedPaise, setAskedPaise] = useState<number>();
  const send = useKeyedSend();
  const { pending, mutate } = useMutation<{ answer: string; amountPaise: number }>({
    async mutationFn({ answer, amountPaise }) {
      const read = { claimid: claim.claimid, answer, messages_read: claim.messages.length };
      const response = settles
        ? await send(settleDeskClaim, { ...read, ...(amountPaise > 0 && { amount: asPaise(amountPaise) }) }, ['messages_read'])
        : await send(answerDeskClaim, read, ['messages_read']);
      if (response.response === 'success') return onDone(settles ? msg('The report is settled') : msg('The answer is sent'));
      setFormError(toErrorMessage(response));
      if (response.code === 'claim-has-reply') await onOutdated();
    },
    onError: (error) => showProblem(error, 'answering a claim'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const answer = answerRule.safeParse(text);
    const amountPaise = amount.trim() === '' ? 0 : parseTypedRupees(amount);
    const isPossible = amountPaise >= 0 && amountPaise <= CLAIM_CREDIT_LIMITS.max;
    setFormError(null);
    setTextError(fieldError(settleDeskClaim.errors, answer.error?.issues[0]));
    setAmountError(isPossible ? undefined : claimDeskError('impossible-compensation'));
    if (!answer.success || !isPossible || pending) return;
    if (claim.order_amount !== null && amountPaise > claim.order_amount && amountPaise !== askedPaise) return setAskedPaise(amountPaise);
    void mutate({ answer: answer.data, amountPaise });
  };
  // The amount of this form may be in the wallet already, also if the response was lost.
  if (claim.settled_at !== opened.settled_at || claim.credited !== opened.credited) {
    return (
      <Notice tone="warn">{t('This report was settled while this form was open. Close the form and look at the report first.')}</Notice>
    );
  }
  return (
    <form onSubmit={submit} onInput={() => setFormError(null)} noValidate className="space-y-4">
      {settles && claim.order_amount !== null && <p>{t('Amount of the order {amount}', { amount: rupees(claim.order_amount) })}</p>}
      <NewMessages messages={claim.messages.slice(opened.messages.length)} />
      <TextAreaField
        label={t('Answer')}
        hint={t('The customer reads it on the page of the order.')}
        error={textError && formatMessage(textError)}
        value={text}
        maxLength={MAX_MESSAGE_LENGTH}
        onChange={(event) => {
          setText(event.target.value);
          setTextError(undefined);
        }}
        data-autofocus
      />
      {settles &&
        (claim.has_wallet ? (
          <TextField
            label={t('Amount for the wallet')}
            hint={t('Empty: without an amount')}
            prefix="₹"
            inputMode="decimal"
            autoComplete="off"
            error={explain(amount, amountError && formatMessage(amountError))}
            value={amount}
            onChange={(event) => {
              setAmount(event.target.value);
              setAmountError(undefined);
              setAskedPaise(undefined);
            }}
          />
        ) : (
          <Notice tone="warn">{formatMessage(claimDeskError('claim-without-wallet'))}</Notice>
        ))}
      {settles && claim.has_wallet && creditsLeft !== null && (
        <Notice tone="info">{formatMessage(staffError('over-daily-credits', { left: formatAmount(creditsLeft) }))}</Notice>
      )}
      {askedPaise !== undefined && claim.order_amount !== null && (
        <Notice tone="warn" live>
          {t('{amount} is more than the order costs, {order}.', { amount: rupees(askedPaise), order: rupees(claim.order_amount) })}
        </Notice>
      )}
      <FormError text={formError && formatMessage(formError)} />
      <SubmitButton variant="primary" wide pending={pending}>
        {askedPaise !== undefined
          ? t('Pay {amount} all the same', { amount: rupees(askedPaise) })
          : settles
            ? t('Settle')
            : t('Send the answer')}
      </SubmitButton>
    </form>
  );
}

/** The messages of the customer since the dialog was opened. */
function NewMessages({ messages }: Pick<DeskClaim, 'messages'>) {
  const { t } = useLanguage();
  const written = messages.filter(({ author }) => author === 'customer');
  if (written.length === 0) return null;
  return (
    <Notice tone="warn" live>
      <p className="font-semibold">{t('The customer has written:')}</p>
      {written.map(({ message, message_date: date }) => (
        <p key={`${date} ${message}`} className="mt-1 wrap-anywhere whitespace-pre-line">
          {message}
        </p>
      ))}
    </Notice>
  );
}
