/** The state of the weigh-in, and its changes. Pure functions. */
import type * as z from 'zod/mini';
import type { Message } from '../../../../i18n/messages.ts';
import { WEIGHT_STEP_GRAMS, canBeWeighed, isUnusualWeight } from '../../../orders/rules.ts';
import { isWeighingCorrection } from '../bags-rules.ts';
import { MAX_BAGS, type weigh } from '../contract.ts';
import { isMovedPickup } from '../refusals.ts';

const WEIGH_FIELDS = ['weight', 'items', 'bags'] as const;
export type WeighField = (typeof WEIGH_FIELDS)[number];

export interface Weighed {
  weight: number | null;
  items: number | null;
  bags: number | null;
}

export interface WeighForm {
  /** As typed. */
  readonly values: Readonly<Record<WeighField, string>>;
  readonly note: string;
  readonly reason: string;
  /** The field of the number pad. */
  readonly active: WeighField;
  readonly invalid: readonly WeighField[];
  readonly isReasonMissing: boolean;
  /**
   * The day when the form was opened: a live update must not hide that it changed since. A pickup
   * that is moved meanwhile is refused, with the person and the time.
   */
  readonly openedDay: string | null;
  /** The figures that the person was asked about. */
  readonly asked: string | null;
  readonly isDayAsked: boolean;
  readonly refusal: Message | null;
}

/** The typed values. */
export type WeighDraft = Pick<WeighForm, 'values' | 'note' | 'reason'>;

export type WeighAction =
  | { kind: 'type'; field: WeighField; value: string }
  | { kind: 'type-note' | 'type-reason'; value: string }
  | { kind: 'activate'; field: WeighField }
  | { kind: 'check'; invalid: readonly WeighField[]; isReasonMissing: boolean }
  | { kind: 'ask'; figures: string }
  | { kind: 'refuse'; refusal: Message };

/** Names the field of the drafts: figures are not kept for another former weighing. */
export const weighDraftField = ({ weight, items }: Weighed): string => `after ${weight} ${items}`;

/** Returns what a person typed for a weighing that the server has refused. */
export const toWeighDraft = ({ weight, items, bags, note, reason }: RefusedWeighing): WeighDraft => ({
  values: { weight: String(weight / 1000), items: String(items), bags: bags === undefined ? '' : String(bags) },
  note: note ?? '',
  reason: reason ?? '',
});

type RefusedWeighing = Pick<z.output<typeof weigh.body>, 'weight' | 'items' | 'bags' | 'note' | 'reason'>;

const textOf = (value: number | null) => (value === null ? '' : String(value));

/**
 * Returns the state of a form that begins with the former weighing, if any. `laterDay` is the day
 * of a pickup that is planned for later, else null. `draft` is what was typed before.
 */
export const openWeighForm = ({ weight, items, bags }: Weighed, laterDay: string | null, draft: WeighDraft | undefined): WeighForm => ({
  values: { weight: weight === null ? '' : String(weight / 1000), items: textOf(items), bags: textOf(bags) },
  note: '',
  reason: '',
  ...draft,
  active: 'weight',
  invalid: [],
  isReasonMissing: false,
  openedDay: laterDay,
  asked: null,
  isDayAsked: false,
  refusal: null,
});

export function weighFormReducer(form: WeighForm, action: WeighAction): WeighForm {
  switch (action.kind) {
    case 'type': {
      const { field, value } = action;
      return {
        ...form,
        values: { ...form.values, [field]: value },
        invalid: form.invalid.filter((other) => other !== field),
        refusal: null,
      };
    }
    case 'type-note':
      return { ...form, note: action.value, refusal: null };
    case 'type-reason':
      return { ...form, reason: action.value, isReasonMissing: false, refusal: null };
    case 'activate':
      return { ...form, active: action.field };
    case 'check':
      return { ...form, invalid: action.invalid, active: action.invalid[0] ?? form.active, isReasonMissing: action.isReasonMissing };
    case 'ask':
      // One question for each press: a weight is not confirmed together with the day.
      return form.openedDay !== null && !form.isDayAsked ? { ...form, isDayAsked: true } : { ...form, asked: action.figures };
    case 'refuse': {
      const { refusal } = action;
      // The server has refused the figures that the person confirmed, so the form asks again.
      const asked = isMovedPickup(refusal) ? form.asked : null;
      return { ...form, refusal, asked };
    }
  }
}

/** Returns NaN for a text that is not digits with at most one point, such as '1e2'. */
const toNumber = (text: string): number => (/^(?:\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN);

/** Returns '5.5' for '5,5'. A comma before three digits, as in '1,000', stays and is an error. */
export const withDecimalPoint = (text: string): string => text.trim().replace(/^(\d*),(\d{1,2})$/, '$1.$2');

/**
 * Returns the typed figures, and the questions that they raise. `weight`, in grams, and `items` are
 * NaN for a text that is no number: use them only if `invalid` is empty.
 */
export function readWeighForm({ values, asked, isDayAsked, openedDay, refusal }: WeighForm, weighed: Weighed) {
  const weight = Math.round(toNumber(withDecimalPoint(values.weight)) * 1000);
  const items = toNumber(values.items);
  const bags = values.bags === '' ? undefined : toNumber(values.bags);
  const impossible: Record<WeighField, boolean> = {
    weight: !canBeWeighed(weight, 1),
    items: !canBeWeighed(WEIGHT_STEP_GRAMS, items),
    bags: bags !== undefined && !(Number.isInteger(bags) && bags >= 1 && bags <= MAX_BAGS),
  };
  const invalid = WEIGH_FIELDS.filter((field) => impossible[field]);
  const figures = `${weight} ${items}`;
  const isUnusual = isUnusualWeight(weight, items);
  const isMoved = refusal !== null && isMovedPickup(refusal);
  return {
    weight,
    items,
    bags,
    figures,
    invalid,
    isCorrection: isWeighingCorrection(weighed, { weight, items, bags }),
    needsQuestion: (openedDay !== null && !isDayAsked) || (isUnusual && asked !== figures),
    isWeightAsked: invalid.length === 0 && isUnusual && asked === figures,
    /** The order was moved to a later day while the form was open. */
    isMoved,
    isCollectedEarly: isMoved || (isDayAsked && openedDay !== null),
  };
}
