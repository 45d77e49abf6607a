import { useState, type FormEvent } from 'react';
import { useForm } from '../../../browser/form.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { CallRefused } from '../../../contract/call-failures.ts';
import { MAX_LINE_LENGTH } from '../../../contract/define-call.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type Message, type MessageKey } from '../../../i18n/messages.ts';
import { formatAmount } from '../../../lib/money.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { useAmountError } from '../../staff/desk/amount-error.ts';
import { staffError } from '../../staff/desk/contract.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { useKeyedSend, type KeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { MOVEMENT_NAMES } from '../../wallet/pages/movement-names.ts';
import { GRANTED_CREDITS, customerError, customerMessages, grant, reason, typedGrant, type DeskCustomer, type Grant } from './contract.ts';

interface GrantFormProps {
  customer: Pick<DeskCustomer, 'mobile' | 'limits'>;
  onGiven(message: MessageKey): Promise<void>;
}

interface GrantDialogProps extends GrantFormProps {
  open: boolean;
  name: string;
  onClose(): void;
}

/** Credits the wallet of a customer or gives an offer. */
export function GrantDialog({ open, name, onClose, ...form }: GrantDialogProps) {
  const { t } = useLanguage();
  // Outside the form, which a closed dialog unmounts: the same credit is sent again with its key.
  const send = useKeyedSend();
  return (
    <Dialog open={open} onClose={onClose} title={t('Give to {name}', { name })}>
      <GrantForm {...form} send={send} />
    </Dialog>
  );
}

const KINDS = [...GRANTED_CREDITS.map((kind) => ({ kind, name: MOVEMENT_NAMES[kind] })), { kind: 'offer', name: msg('Offer') }] as const;

const creditRules = { amount: typedGrant.amount };
const offerRules = { percent: typedGrant.percent, days: typedGrant.days };
const reasonRules = { reason };

function GrantForm({ customer: { mobile, limits }, send, onGiven }: GrantFormProps & { send: KeyedSend }) {
  const { t, formatMessage, rupees } = useLanguage();
  const [kind, setKind] = useState<Grant['kind']>('compensation');
  const amountError = useAmountError();
  const credit = useForm(creditRules, { amount: '' }, grant.errors);
  const offer = useForm(offerRules, { percent: '', days: '' }, grant.errors);
  const why = useForm(reasonRules, { reason: '' }, grant.errors);
  const [error, setError] = useState<Message>();
  const { pending, mutate } = useMutation<Grant>({
    async mutationFn(body) {
      const result = await send(grant, body);
      if (result.response !== 'success') return setError(toErrorMessage(result));
      await onGiven(body.kind === 'offer' ? customerMessages.offered : customerMessages.credited);
    },
    onError(problem) {
      if (problem instanceof CallRefused) setError(problem);
      else showProblem(problem, 'giving to a customer');
    },
  });
  const readGrant = (): Grant | undefined => {
    // The last form that is checked has the focus: the first on the screen.
    const written = why.validate();
    if (kind === 'offer') {
      const values = offer.validate();
      return values && written && { kind, mobile, ...values, ...written };
    }
    const values = credit.validate();
    return values && written && { kind, mobile, ...values, ...written };
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = readGrant();
    if (!body || pending) return;
    setError(undefined);
    void mutate(body);
  };
  const amount = typedGrant.amount.safeParse(credit.values.amount);
  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      <SegmentedChoice
        variant="chips"
        legend={t('What')}
        options={KINDS.map((row) => ({ value: row.kind, label: t(row.name) }))}
        value={kind}
        onChange={setKind}
      />
      {kind === 'offer' ? (
        <div className="grid grid-cols-2 items-start gap-4">
          <TextField label={t('Percent')} {...offer.field('percent')} inputMode="numeric" autoComplete="off" />
          <TextField label={t('Days')} {...offer.field('days')} inputMode="numeric" autoComplete="off" />
        </div>
      ) : (
        <TextField
          label={t('Amount')}
          prefix="₹"
          {...credit.field('amount')}
          error={amountError(credit.values.amount, credit.field('amount').error)}
          inputMode="decimal"
          autoComplete="off"
        />
      )}
      {limits && (
        <Notice tone="info">
          {formatMessage(
            kind === 'offer'
              ? customerError('offer-above-limit', { percent: limits.offer_percent, days: limits.offer_days })
              : staffError('over-daily-credits', { left: formatAmount(limits.credits_today) }),
          )}
        </Notice>
      )}
      <TextField
        label={t('Reason')}
        hint={t('For the records of the laundry')}
        {...why.field('reason')}
        autoComplete="off"
        maxLength={MAX_LINE_LENGTH}
      />
      <FormError text={error && formatMessage(error)} />
      <SubmitButton variant="primary" wide pending={pending}>
        {kind !== 'offer' && amount.success ? t('Give {amount}', { amount: rupees(amount.data) }) : t('Give')}
      </SubmitButton>
    </form>
  );
}
