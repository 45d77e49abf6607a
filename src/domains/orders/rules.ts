/**
 * Amounts, pickup days and stages of orders: pure functions. Specification sections 4 and 9; design
 * section 6, "Ordering".
 */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { dayAfter, kolkataDay, kolkataHour } from '../../lib/dates.ts';
import { asPaise, costPaise, discountedRatePaise, finalAmountPaise, type Paise } from '../../lib/money.ts';
import type { Area } from '../catalogue/contract.ts';
import type { ActiveOffer } from '../offers/rules.ts';
import {
  choicesOf,
  orderError,
  STAGES,
  TIMESLOT,
  type OrderRequest,
  type PlacingCode,
  type ServiceChoices,
  type Stage,
} from './contract.ts';

/** Orders placed before this hour in Asia/Kolkata are picked up the same day. */
const PICKUP_CUT_OFF_HOUR = 16;

/** Returns the day of the next pickup, YYYY-MM-DD in Asia/Kolkata. */
export function pickupDay(now: Date): string {
  const today = kolkataDay(now);
  return kolkataHour(now) < PICKUP_CUT_OFF_HOUR ? today : dayAfter(today);
}

/** A program with its current rates. */
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

/** The server's figures, or which of them differs from what the customer saw. */
export type Agreement = { figures: AgreedFigures } | { refusal: ErrorMessage<PlacingCode> };

/** Compares the client's figures with the server's and never uses them. */
export function agreeOnOrder(asked: OrderRequest, program: OfferedProgram | null, offer: ActiveOffer | null, now: Date): Agreement {
  if (!program) return { refusal: orderError('unknown-program') };
  if (!choicesBelong(asked)) return { refusal: orderError('wrong-options') };
  if (asked.timeslot !== TIMESLOT) return { refusal: orderError('unknown-timeslot') };

  const day = pickupDay(now);
  const seenDay = asked.pickup_date ?? day;
  if (seenDay < day) return { refusal: orderError('pickup-moved', { pickupDay: day }) };
  if (seenDay > day) return { refusal: orderError('unknown-timeslot') };

  const figures = program.surcharges
    .map(({ area, surchargePaise }) => {
      const ratePaise = asPaise(program.baseRatePaise + surchargePaise);
      const orderRatePaise = discountedRatePaise(ratePaise, offer?.percent ?? 0);
      return { area, surchargePaise, ratePaise, orderRatePaise, pickupDay: day };
    })
    // If the request names no area, the first one with the rate that the customer saw.
    .find(({ area, ratePaise }) => (asked.area ? area === asked.area : ratePaise === asked.programrate));
  if (figures?.ratePaise !== asked.programrate) return { refusal: orderError('rates-changed') };
  const sawOffer = (asked.offerid || null) === (offer?.id ?? null) && (asked.offerrate ?? 0) === (offer?.percent ?? 0);
  if (!sawOffer) return { refusal: orderError('offer-changed') };
  return figures.orderRatePaise === asked.orderrate ? { figures } : { refusal: orderError('rates-changed') };
}

/** Returns whether the service uses every chosen option. The customer may leave options out. */
function choicesBelong(chosen: ServiceChoices & Pick<OrderRequest, 'program'>): boolean {
  const used = choicesOf(chosen.program);
  return (['detergent', 'conditioner', 'iron'] as const).every((option) => chosen[option] === '' || chosen[option] === used[option]);
}

export interface OrderAmounts {
  /** Rate times weight. */
  cost: Paise;
  /** The difference of the other two, so that the lines of the bill add up. */
  discount: Paise;
  final: Paise;
}

/** Returns null until the order is weighed at pickup. */
export function amountsOf(order: { ratePaise: Paise; offerPercent: number; weightGrams: number | null }): OrderAmounts | null {
  if (order.weightGrams === null) return null;
  const cost = costPaise(order.ratePaise, order.weightGrams);
  const final = finalAmountPaise(order.ratePaise, order.weightGrams, order.offerPercent);
  return { cost, discount: asPaise(cost - final), final };
}

/**
 * The N of 'saved about N to N+1 hours': a third of the kilograms, rounded up (specification
 * section 9).
 */
export const hoursSaved = (weightGrams: number): number => Math.ceil(weightGrams / 3000);

/** Returns whether an order can be paid from the wallet in this stage (specification section 4). */
export const mayPayFromWallet = (stage: string): boolean => STAGES.some((row) => row.stage === stage && row.walletPayment);

/** Returns the only stage from which an order can enter `stage`; undefined for the first one. */
export const stageBefore = (stage: Stage): Stage | undefined => STAGES[STAGES.findIndex((row) => row.stage === stage) - 1]?.stage;

/** The scale and the API have a resolution of 0.01 kg. */
const WEIGHT_STEP_GRAMS = 10;
const MAX_WEIGHT_GRAMS = 1_000_000;
const MAX_ITEMS = 10_000;

const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;

export const canBeWeighed = (weightGrams: number, items: number): boolean =>
  isCount(weightGrams, MAX_WEIGHT_GRAMS) && weightGrams % WEIGHT_STEP_GRAMS === 0 && isCount(items, MAX_ITEMS);

/**
 * Every order sends out a rider; a household orders once or twice a day. Counted for each customer,
 * as a guest or with an account, in UTC days, which change at 05:30 in Asia/Kolkata.
 */
export const MAX_ORDERS_PER_DAY = 20;
