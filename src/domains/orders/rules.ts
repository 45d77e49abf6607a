/** What an order costs, when it is fetched and how it moves on. Pure: the time is an argument. Specification sections 4 and 9; design section 6, "Ordering". */
import type { Told } from '../../i18n/messages.ts';
import { dayAfter, formatDay, kolkataDay, kolkataHour } from '../../lib/dates.ts';
import { asPaise, costPaise, discountedRatePaise, finalAmountPaise, type Paise } from '../../lib/money.ts';
import type { Area } from '../catalogue/contract.ts';
import type { ActiveOffer } from '../offers/rules.ts';
import { choicesOf, orderMessages, STAGES, TIMESLOT, type OrderRequest, type ServiceChoices, type Stage } from './contract.ts';

/** Orders placed before this hour in Asia/Kolkata are fetched the same day; the slot begins an hour later. */
const PICKUP_CUT_OFF_HOUR = 16;

/** The day of the next pickup, YYYY-MM-DD in Asia/Kolkata. */
export function pickupDay(now: Date): string {
  const today = kolkataDay(now);
  return kolkataHour(now) < PICKUP_CUT_OFF_HOUR ? today : dayAfter(today);
}

/** A program as the catalogue sells it now. */
export interface OfferedProgram {
  baseRatePaise: Paise;
  surcharges: readonly { area: Area; surchargePaise: Paise }[];
}

export interface AgreedFigures {
  area: Area;
  surchargePaise: Paise;
  /** Base and surcharge, before the offer. */
  ratePaise: Paise;
  /** After the offer. */
  orderRatePaise: Paise;
  pickupDay: string;
}

/** Either the server's own figures, or the sentence that says what the customer saw differently. */
export type Agreement = { figures: AgreedFigures } | { refusal: Told };

/** The client's figures are only compared: an order costs what the customer saw, or it is not placed. */
export function agreeOnOrder(asked: OrderRequest, program: OfferedProgram | null, offer: ActiveOffer | null, now: Date): Agreement {
  if (!program) return { refusal: orderMessages.unknownProgram };
  if (!choicesBelong(asked)) return { refusal: orderMessages.wrongChoices };
  if (asked.timeslot !== TIMESLOT) return { refusal: orderMessages.unknownSlot };

  const day = pickupDay(now);
  const seenDay = asked.pickup_date ?? day;
  if (seenDay < day) return { refusal: orderMessages.slotMoved(formatDay(day)) };
  if (seenDay > day) return { refusal: orderMessages.unknownSlot };

  const figures = program.surcharges
    .map(({ area, surchargePaise }) => {
      const ratePaise = asPaise(program.baseRatePaise + surchargePaise);
      const orderRatePaise = discountedRatePaise(ratePaise, offer?.percent ?? 0);
      return { area, surchargePaise, ratePaise, orderRatePaise, pickupDay: day };
    })
    // Without an area, the one whose rate the customer saw.
    .find(({ area, ratePaise }) => (asked.area ? area === asked.area : ratePaise === asked.programrate));
  if (figures?.ratePaise !== asked.programrate) return { refusal: orderMessages.ratesChanged };
  const sawOffer = (asked.offerid || null) === (offer?.id ?? null) && (asked.offerrate ?? 0) === (offer?.percent ?? 0);
  if (!sawOffer) return { refusal: orderMessages.offerChanged };
  return figures.orderRatePaise === asked.orderrate ? { figures } : { refusal: orderMessages.ratesChanged };
}

/** Every chosen option is one that the service uses; leaving one out is the customer's right. */
function choicesBelong(chosen: ServiceChoices & Pick<OrderRequest, 'program'>): boolean {
  const used = choicesOf(chosen.program);
  return (['detergent', 'conditioner', 'iron'] as const).every((option) => chosen[option] === '' || chosen[option] === used[option]);
}

export interface OrderAmounts {
  /** Rate times weight. */
  cost: Paise;
  /** What the offer takes off: the difference of the other two, so that the lines add up. */
  discount: Paise;
  final: Paise;
}

/** Null while the weight is unknown: amounts are calculated at pickup. */
export function amountsOf(order: { ratePaise: Paise; offerPercent: number; weightGrams: number | null }): OrderAmounts | null {
  if (order.weightGrams === null) return null;
  const cost = costPaise(order.ratePaise, order.weightGrams);
  const final = finalAmountPaise(order.ratePaise, order.weightGrams, order.offerPercent);
  return { cost, discount: asPaise(cost - final), final };
}

/** The N of 'saved about N to N+1 hours': a third of the kilograms, rounded up (specification section 9). */
export const hoursSaved = (weightGrams: number): number => Math.ceil(weightGrams / 3000);

/** Half of an order may be paid from the wallet while it is in the laundry: neither before its pickup nor once delivered (specification section 4). */
export const mayPayFromWallet = (stage: string): boolean => ['queue', 'washing', 'delivery'].includes(stage);

/** The stage an order must be in to enter `stage`: the one before it in the table. Nothing enters the first. */
export const stageBefore = (stage: Stage): Stage | undefined => STAGES[STAGES.findIndex((row) => row.stage === stage) - 1]?.stage;

/** The scale reads hundredths of a kilogram, and so does the wire. */
const WEIGHT_STEP_GRAMS = 10;
const MOST_WEIGHT_GRAMS = 1_000_000;
const MOST_ITEMS = 10_000;

const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;

export const canBeWeighed = (weightGrams: number, items: number): boolean =>
  isCount(weightGrams, MOST_WEIGHT_GRAMS) && weightGrams % WEIGHT_STEP_GRAMS === 0 && isCount(items, MOST_ITEMS);

/**
 * A household orders once or twice a day, and somebody who orders for a whole house a few times more; every order sends a rider out. Counted by the
 * customer, as guest or with an account, in days of UTC: they change at 05:30, when nobody orders.
 */
export const MOST_ORDERS_A_DAY = 20;
