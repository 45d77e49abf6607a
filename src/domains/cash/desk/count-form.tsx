import { useState, type FormEvent } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { asPaise, type Paise } from '../../../lib/money.ts';
import { parseTypedRupees } from '../../../lib/typed-money.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useAmountError } from '../../staff/desk/amount-error.ts';
import { cashError, type Holder, type Rest } from './contract.ts';

interface CountFormProps {
  holder: Holder;
  /** The server has refused the count. */
  refusal: string | null;
  pending: boolean;
  /** `rest` is given if less was counted. */
  onSubmit(countedPaise: Paise, rest?: Rest): void;
}

/**
 * The expected amount is not shown, so that the cash is counted. Another amount is asked about
 * before it is saved: for a smaller one, where the rest is.
 */
export function CountForm({ holder, refusal, pending, onSubmit }: CountFormProps) {
  const { t, rupees, formatMessage } = useLanguage();
  const amountError = useAmountError();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  /** The difference that the person was asked about. */
  const [asked, setAsked] = useState(0);
  const [rest, setRest] = useState<Rest>();
  const [restError, setRestError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const paise = parseTypedRupees(text);
    if (Number.isNaN(paise)) return setError(amountError(text, formatMessage(cashError('impossible-count'))));
    const difference = paise - holder.held;
    if (difference !== asked && difference !== 0) return setAsked(difference);
    if (difference < 0 && rest === undefined) return setRestError(t('Choose where the rest is'));
    if (!pending) onSubmit(asPaise(paise), difference < 0 ? rest : undefined);
  };
  const describeDifference = () => {
    const amount = rupees(asPaise(Math.abs(asked)));
    if (asked > 0) return t('{amount} more than was received. Count again.', { amount });
    return holder.is_me ? t('{amount} less than you hold.', { amount }) : t('{amount} less than was received. Count again.', { amount });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <p>
        {holder.is_me
          ? t('The cash leaves the laundry, for example to the bank.')
          : t('You hold the cash of {name} afterwards.', { name: holder.name })}
      </p>
      <TextField
        label={holder.is_me ? t('Amount for the bank') : t('Counted')}
        prefix="₹"
        inputMode="decimal"
        autoComplete="off"
        error={error ?? refusal}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setError(null);
          setAsked(0);
          setRest(undefined);
          setRestError(undefined);
        }}
      />
      {asked !== 0 && (
        <Notice tone="warn" live title={t('Is this right?')}>
          {describeDifference()}
        </Notice>
      )}
      {asked < 0 && (
        <SegmentedChoice<Rest>
          legend={t('The rest: {amount}', { amount: rupees(asPaise(-asked)) })}
          variant="chips"
          options={[
            { value: 'kept', label: holder.is_me ? t('Stays with you') : t('Stays with {name}', { name: holder.name }) },
            { value: 'missing', label: t('Is missing') },
          ]}
          value={rest ?? ''}
          error={restError}
          onChange={(value) => {
            setRest(value);
            setRestError(undefined);
          }}
        />
      )}
      <SubmitButton variant="primary" wide pending={pending}>
        {asked === 0 ? t('Save') : t('Save all the same')}
      </SubmitButton>
    </form>
  );
}
