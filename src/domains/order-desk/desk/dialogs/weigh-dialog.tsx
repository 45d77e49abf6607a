import { useState, type FormEvent, type ReactNode } from 'react';
import { serverClock } from '../../../../browser/server-clock.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg, type Message } from '../../../../i18n/messages.ts';
import { finalAmountPaise, formatKilograms } from '../../../../lib/money.ts';
import { SubmitButton } from '../../../../ui/actions/button.tsx';
import { FormError } from '../../../../ui/feedback/form-error.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { Sheet } from '../../../../ui/overlays/sheet.tsx';
import { MAX_ITEMS, WEIGHT_STEP_GRAMS, canBeWeighed, isUnusualWeight } from '../../../orders/rules.ts';
import { MAX_BAGS, weigh, type DeskOrder } from '../contract.ts';
import { DialogOrder } from './dialog-order.tsx';
import { NumberPad } from './number-pad.tsx';
import { QuestionNotice } from './question-notice.tsx';
import { ReasonField } from './reason-field.tsx';
import { laterVisitText } from './later-visit-text.ts';
import { isOfCode } from '../refusals.ts';
import { MOVED_PICKUP } from '../rules.ts';
import type { SendDoorChange } from '../use-change.ts';

const FIELDS = ['weight', 'items', 'bags'] as const;
type Field = (typeof FIELDS)[number];

const textOf = (value: number | null) => (value === null ? '' : String(value));

const isMovedPickup = (refusal: Message) => [...MOVED_PICKUP].some((code) => isOfCode(refusal, code));

interface WeighDialogProps {
  open: boolean;
  order: Pick<DeskOrder, 'orderid' | 'version' | 'bags' | 'program_rate' | 'offer_rate'> & { name?: string };
  /** The former weighing, which is corrected. */
  weighed: { weight: number | null; items: number | null };
  /** Of a pickup that is planned for a later day. */
  laterDay: string | null;
  /** The change of the order since the dialog was opened. */
  notice?: ReactNode;
  pending: boolean;
  change: SendDoorChange;
  onClose(): void;
}

/** The weigh-in: typed on its own number pad, or with a keyboard. */
export function WeighDialog({ open, onClose, ...rest }: WeighDialogProps) {
  const { t } = useLanguage();
  return (
    <Sheet open={open} onClose={onClose} title={t('Weigh')}>
      <WeighForm {...rest} onClose={onClose} />
    </Sheet>
  );
}

function WeighForm({ order, notice, weighed, laterDay, pending, change, onClose }: Omit<WeighDialogProps, 'open'>) {
  const language = useLanguage();
  const { t, plural, rupees, formatMessage } = language;
  const [values, setValues] = useState({
    weight: weighed.weight === null ? '' : String(weighed.weight / 1000),
    items: textOf(weighed.items),
    bags: textOf(order.bags),
  });
  const [note, setNote] = useState('');
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const [active, setActive] = useState<Field>('weight');
  const [invalid, setInvalid] = useState<readonly Field[]>([]);
  const [refusal, setRefusal] = useState<Message | null>(null);
  // A live update must not hide that the order changed while the form was open. Once the person has
  // read that, the current version counts.
  const [openedVersion] = useState(order.version);
  const [hasReadChange, setHasReadChange] = useState(false);
  // A pickup that is moved while the form is open is refused, with the person and the time.
  const [openedDay] = useState(laterDay);
  const [isDayAsked, setDayAsked] = useState(false);
  /** The unusual weight that the person was asked about. */
  const [asked, setAsked] = useState<string>();
  const set = (field: Field, value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    setRefusal(null);
    setInvalid((before) => before.filter((other) => other !== field));
  };
  const weight = Math.round(Number(values.weight) * 1000);
  const items = Number(values.items);
  const bags = values.bags === '' ? undefined : Number(values.bags);
  const impossible: Record<Field, boolean> = {
    weight: !canBeWeighed(weight, 1),
    items: !canBeWeighed(WEIGHT_STEP_GRAMS, items),
    bags: bags !== undefined && !(Number.isInteger(bags) && bags >= 1 && bags <= MAX_BAGS),
  };
  const wrong = FIELDS.filter((field) => impossible[field]);
  const isPossible = wrong.length === 0;
  const figures = `${weight} ${items}`;
  const isCorrection = weighed.weight !== null && (weight !== weighed.weight || items !== weighed.items);
  const isUnusual = isUnusualWeight(weight, items);
  const isMoved = refusal !== null && isMovedPickup(refusal);
  const isWeightAsked = isPossible && isUnusual && asked === figures;
  const isCollectedEarly = isMoved || (isDayAsked && openedDay !== null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setInvalid(wrong);
    if (wrong[0]) setActive(wrong[0]);
    const needsReason = isCorrection && reason.trim() === '';
    setReasonMissing(needsReason);
    if (!isPossible || needsReason || pending) return;
    if ((openedDay !== null && !isDayAsked) || (isUnusual && asked !== figures)) {
      setDayAsked(true);
      setAsked(figures);
      return;
    }
    const body = {
      orderid: order.orderid,
      version: hasReadChange ? order.version : openedVersion,
      weight,
      items,
      ...(bags !== undefined && { bags }),
      ...(note.trim() && { note: note.trim() }),
      ...(isCorrection && { reason: reason.trim() }),
      ...(isCollectedEarly && { collect_now: true as const }),
    };
    const onRefusal = (refused: Message) => {
      setRefusal(refused);
      // The server has refused the figures that the person confirmed: there is no insisting.
      if (!isMovedPickup(refused)) setAsked(undefined);
      if (isOfCode(refused, 'changed-meanwhile')) setHasReadChange(true);
    };
    if (await change({ call: weigh, body, live: ['version'], done: msg('Weighed'), onRefusal })) onClose();
  };
  const fieldOf = (field: Field, label: string, limits: string) => (
    <TextField
      label={label}
      error={invalid.includes(field) ? limits : null}
      // The number pad replaces the keyboard of a phone.
      inputMode="none"
      autoComplete="off"
      value={values[field]}
      onFocus={() => setActive(field)}
      // A comma or minus sign stays, and is an error: without it, '10,5' would be 105.
      onChange={({ target }) => set(field, target.value.replaceAll(/[^\d.,−-]/g, ''))}
    />
  );
  return (
    <form onSubmit={(event) => void submit(event)} onInput={() => setRefusal(null)} className="space-y-4">
      <DialogOrder order={order} notice={notice} />
      {weighed.weight !== null && (
        <p className="text-sm">
          {t('Before: {figures}', {
            figures: plural(
              weighed.items ?? 0,
              { one: '{weight} kg, {items} piece', other: '{weight} kg, {items} pieces' },
              { weight: formatKilograms(weighed.weight), items: weighed.items ?? 0 },
            ),
          })}
        </p>
      )}
      <div className="grid grid-cols-3 gap-3">
        {fieldOf('weight', t('Weight (kg)'), t('0.01 to 1,000'))}
        {fieldOf('items', t('Pieces'), t('1 to {max}', { max: MAX_ITEMS.toLocaleString('en-IN') }))}
        {fieldOf('bags', t('Bags'), t('1 to {max}', { max: MAX_BAGS }))}
      </div>
      <p aria-live="polite" className="min-h-6 font-semibold">
        {weight > 0 && t('Amount {amount}', { amount: rupees(finalAmountPaise(order.program_rate, weight, order.offer_rate)) })}
      </p>
      <NumberPad value={values[active]} decimals={active === 'weight' ? 2 : 0} onChange={(value) => set(active, value)} />
      {isCorrection && (
        <ReasonField
          label={t('Reason of the correction (the customer reads it)')}
          value={reason}
          isMissing={isReasonMissing}
          onChange={(text) => {
            setReason(text);
            setReasonMissing(false);
          }}
        />
      )}
      <TextField error={null} label={t('Note (optional)')} value={note} maxLength={200} onChange={({ target }) => setNote(target.value)} />
      {isDayAsked && openedDay !== null && (
        <QuestionNotice>
          <p>{laterVisitText(language, { stage: 'pickup', day: openedDay }, serverClock.now())}</p>
          <p>{t('If the customer agrees, collect the clothes now: the pickup is then of today.')}</p>
        </QuestionNotice>
      )}
      {isWeightAsked && (
        <QuestionNotice key={figures}>
          {plural(
            items,
            {
              one: '{weight} kg for {items} piece. Look at the scale again.',
              other: '{weight} kg for {items} pieces. Look at the scale again.',
            },
            { weight: formatKilograms(weight), items },
          )}
        </QuestionNotice>
      )}
      <FormError text={refusal && formatMessage(refusal)} />
      {isMoved && <p>{t('If the customer agrees, collect the clothes now: the pickup is then of today.')}</p>}
      <SubmitButton variant="primary" wide pending={pending}>
        {isCollectedEarly ? t('Collect today anyway') : isWeightAsked ? t('Save all the same') : t('Save')}
      </SubmitButton>
    </form>
  );
}
