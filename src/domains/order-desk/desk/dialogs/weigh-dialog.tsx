import { useEffect, useEffectEvent, useReducer, useState, type FormEvent, type ReactNode } from 'react';
import { serverClock } from '../../../../browser/server-clock.ts';
import { MAX_LINE_LENGTH } from '../../../../contract/define-call.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg, type Message } from '../../../../i18n/messages.ts';
import { finalAmountPaise, formatKilograms } from '../../../../lib/money.ts';
import { hasTooManyDecimals } from '../../../../lib/typed-money.ts';
import { SubmitButton } from '../../../../ui/actions/button.tsx';
import { FormError } from '../../../../ui/feedback/form-error.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { Sheet } from '../../../../ui/overlays/sheet.tsx';
import { MAX_ITEMS } from '../../../orders/rules.ts';
import { TOO_MANY_DECIMALS } from '../../../staff/desk/amount-error.ts';
import { DraftNotice, useDialogDraft } from '../../../staff/desk/dialog-draft.tsx';
import { MAX_BAGS, weigh, type DeskOrder } from '../contract.ts';
import { SettlingAnswer } from '../../../staff/desk/settling-answer.tsx';
import { DialogOrder } from './dialog-order.tsx';
import { isMovedPickup } from '../refusals.ts';
import { MarkedField, NumberPad } from './number-pad.tsx';
import { QuestionNotice } from './question-notice.tsx';
import { useSubmitInView } from './use-submit-in-view.ts';
import { ReasonField } from './reason-field.tsx';
import { laterVisitText } from './later-visit-text.ts';
import {
  openWeighForm,
  readWeighForm,
  weighDraftField,
  weighFormReducer,
  withDecimalPoint,
  type WeighDraft,
  type Weighed,
  type WeighField,
} from './weigh-form.ts';
import type { SendDoorChange } from '../use-change.ts';

interface WeighDialogProps {
  open: boolean;
  order: Pick<DeskOrder, 'orderid' | 'version' | 'program_rate' | 'offer_rate'> & { name?: string };
  /** The former weighing, which is corrected. */
  weighed: Weighed;
  /** The day of a pickup that is planned for later, else null. */
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
  const { initialDraft, store } = useDialogDraft();
  const [draftField] = useState(() => weighDraftField(weighed));
  const [opened] = useState(() => openWeighForm(weighed, laterDay, initialDraft[draftField] as WeighDraft | undefined));
  const [form, dispatch] = useReducer(weighFormReducer, opened);
  const { values, note, reason, active, openedDay, refusal } = form;
  const { weight, items, bags, figures, invalid, isCorrection, needsQuestion, isWeightAsked, isMoved, isCollectedEarly } = readWeighForm(
    form,
    weighed,
  );
  const storeDraft = useEffectEvent((typed: WeighDraft) => store({ [draftField]: typed }));
  useEffect(() => {
    const isTyped = values !== opened.values || note !== opened.note || reason !== opened.reason;
    if (isTyped) storeDraft({ values, note, reason });
  }, [opened, values, note, reason]);
  const formRef = useSubmitInView(refusal);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isReasonMissing = isCorrection && reason.trim() === '';
    dispatch({ kind: 'check', invalid, isReasonMissing });
    if (invalid.length > 0 || isReasonMissing || pending) return;
    if (needsQuestion) return dispatch({ kind: 'ask', figures });
    const body = {
      orderid: order.orderid,
      version: order.version,
      weight,
      items,
      ...(bags !== undefined && { bags }),
      ...(note.trim() && { note: note.trim() }),
      ...(isCorrection && { reason: reason.trim() }),
      ...(isCollectedEarly && { collect_now: true as const }),
    };
    const onRefusal = (refused: Message) => dispatch({ kind: 'refuse', refusal: refused });
    // After a moved pickup, the customer agrees to the version that the person saw.
    const request = { call: weigh, body, live: ['version'], done: msg('Weighed'), onRefusal, keepsVersionAfter: isMovedPickup } as const;
    if (await change(request)) onClose();
  };
  const labels: Record<WeighField, string> = { weight: t('Weight (kg)'), items: t('Pieces'), bags: t('Bags') };
  const fieldOf = (field: WeighField, limits: string) => (
    <MarkedField isMarked={field === active}>
      <TextField
        label={labels[field]}
        error={form.invalid.includes(field) ? limits : null}
        // The number pad replaces the keyboard of a phone.
        inputMode="none"
        autoComplete="off"
        data-autofocus={field === 'weight' || undefined}
        value={values[field]}
        onFocus={() => dispatch({ kind: 'activate', field })}
        // Every character stays, also one that is an error: without it, '10 5' would be 105.
        onChange={({ target }) => dispatch({ kind: 'type', field, value: target.value })}
      />
    </MarkedField>
  );
  return (
    <form ref={formRef} onSubmit={(event) => void submit(event)} className="space-y-4">
      <DialogOrder order={order} notice={notice} />
      <DraftNotice fields={[draftField]} />
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
        {fieldOf('weight', hasTooManyDecimals(withDecimalPoint(values.weight)) ? t(TOO_MANY_DECIMALS) : t('0.01 to 1,000'))}
        {fieldOf('items', t('1 to {max}', { max: MAX_ITEMS.toLocaleString('en-IN') }))}
        {fieldOf('bags', t('1 to {max}', { max: MAX_BAGS }))}
      </div>
      <p aria-live="polite" className="min-h-6 font-semibold">
        {!invalid.includes('weight') &&
          t('Amount {amount}', { amount: rupees(finalAmountPaise(order.program_rate, weight, order.offer_rate)) })}
      </p>
      <NumberPad
        field={labels[active]}
        value={values[active]}
        isDecimal={active === 'weight'}
        onChange={(value) => dispatch({ kind: 'type', field: active, value })}
      />
      {isCorrection && (
        <ReasonField
          label={t('Reason of the correction (the customer reads it)')}
          value={reason}
          isMissing={form.isReasonMissing}
          onChange={(value) => dispatch({ kind: 'type-reason', value })}
        />
      )}
      <TextField
        error={null}
        label={t('Note (optional)')}
        value={note}
        maxLength={MAX_LINE_LENGTH}
        onChange={({ target }) => dispatch({ kind: 'type-note', value: target.value })}
      />
      {form.isDayAsked && openedDay !== null && !isWeightAsked && (
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
      {isMoved && !(form.isDayAsked && openedDay !== null) && (
        <p>{t('If the customer agrees, collect the clothes now: the pickup is then of today.')}</p>
      )}
      <SettlingAnswer question={isWeightAsked && !isMoved ? figures : isCollectedEarly ? 'day' : undefined}>
        <SubmitButton variant="primary" wide pending={pending}>
          {isWeightAsked && !isMoved ? t('Save all the same') : isCollectedEarly ? t('Collect today anyway') : t('Save')}
        </SubmitButton>
      </SettlingAnswer>
    </form>
  );
}
