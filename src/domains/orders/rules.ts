/**
 * Amounts, pickup days and stages of orders: pure functions. Specification sections 4 and 9; design
 * section 6, "Ordering".
 */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { addSeconds, MAX_CLOCK_SKEW_SECONDS } from '../../lib/clock.ts';
import { dayAfter, kolkataDateTime, kolkataDay, kolkataTime } from '../../lib/dates.ts';
import { asPaise, costPaise, discountedRatePaise, finalAmountPaise, walletPartPaise, type Paise } from '../../lib/money.ts';
import { AREAS, type Area } from '../catalogue/contract.ts';
import type { AreaEvenings, Evening, Evenings } from '../evenings/contract.ts';
import { comingEvenings, firstFree, nextPickupDay, offeredEvenings, pickupDay } from '../evenings/rules.ts';
import type { ActiveOffer } from '../offers/rules.ts';
import {
  orderError,
  STAGES,
  TIMESLOT,
  UNDO_SECONDS,
  type OrderParty,
  type Order,
  type OrderRequest,
  type PlaceOrderErrorCode,
  type Stage,
} from './contract.ts';
import { choicesOf, type ServiceChoices } from './choices-contract.ts';

/** The errors of an evening that accepts no order. */
export type EveningErrorCode = 'evening-full' | 'evening-closed' | 'evening-limit' | 'evenings-full';

/**
 * Returns the error of an evening that is full or closed, with the next free one, otherwise the
 * first free one of `coming`. Returns 'evenings-full' if none is free.
 */
function eveningError({ day, status }: Evening, coming: readonly Evening[]): ErrorMessage<EveningErrorCode> {
  const free = firstFree(coming, day);
  if (!free) return orderError('evenings-full', { lastDay: coming.at(-1)?.day ?? '' });
  return orderError(status === 'closed' ? 'evening-closed' : 'evening-full', { pickupDay: free.day });
}

/**
 * The open pickups of a customer, guest or not, on one evening with a capacity. A household needs
 * no more, and no customer can fill an evening. The staff can exceed it. docs/decisions/0060.
 */
export const MAX_PICKUPS_PER_EVENING = 3;

/**
 * Returns the error of an evening on which the customer has `MAX_PICKUPS_PER_EVENING` orders, with
 * the next free day. Returns 'evenings-full' if no other evening is free.
 */
export function pickupLimitError(day: string, area: AreaEvenings, now: Date): ErrorMessage<EveningErrorCode> {
  const others = comingEvenings(area, now).filter((evening) => evening.day !== day);
  const free = firstFree(others, day);
  if (!free) return orderError('evenings-full', { lastDay: others.at(-1)?.day ?? '' });
  return orderError('evening-limit', { pickups: MAX_PICKUPS_PER_EVENING, pickupDay: free.day });
}

/**
 * Returns the error of the evening of an order that exists, or null if it accepts the order: it is
 * free, or `area` does not list it, because it has no limit. Accepts a day after its cut-off.
 */
export function checkEvening(day: string, area: AreaEvenings, now: Date): ErrorMessage<EveningErrorCode> | null {
  const evening = area.evenings.find((row) => row.day === day);
  return !evening || evening.status === 'free' ? null : eveningError(evening, comingEvenings(area, now));
}

/**
 * Returns the error of a day that accepts no order, otherwise null. `day` is the next pickup day or
 * later.
 */
function checkComingDay(day: string, area: AreaEvenings, now: Date): ErrorMessage<EveningErrorCode | 'pickup-day-too-far'> | null {
  const coming = comingEvenings(area, now);
  const evening = coming.find((row) => row.day === day);
  const last = offeredEvenings(area, now).at(-1)?.day ?? coming[0].day;
  if (!evening || day > last) return orderError('pickup-day-too-far', { lastDay: last });
  return evening.status === 'free' ? null : eveningError(evening, coming);
}

/** Returns the error of a day to which an order cannot be rescheduled, otherwise null. */
export function checkPickupDay(
  day: string,
  area: AreaEvenings,
  now: Date,
): ErrorMessage<EveningErrorCode | 'pickup-day-past' | 'pickup-day-closed' | 'pickup-day-too-far'> | null {
  if (day >= pickupDay(now, area.cut_off)) return checkComingDay(day, area, now);
  const code = day < kolkataDay(now) ? 'pickup-day-past' : 'pickup-day-closed';
  return orderError(code, { pickupDay: nextPickupDay(area, now) });
}

type OrderDayErrorCode = EveningErrorCode | 'pickup-moved' | 'pickup-day-too-far';
type OrderDayCheck = { day: string } | { error: ErrorMessage<OrderDayErrorCode> };

/**
 * Returns `requested`, the day that the customer saw or chose, if it accepts a new order, otherwise
 * its error. Without `requested`, returns the first free evening.
 */
export function checkOrderDay(requested: string | undefined, area: AreaEvenings, now: Date): OrderDayCheck {
  const next = pickupDay(now, area.cut_off);
  // Most orders: saves the list of evenings.
  if ((requested ?? next) === next && area.evenings.every((evening) => evening.day !== next)) return { day: next };
  const free = nextPickupDay(area, now);
  const day = requested ?? free;
  if (day < next) return { error: orderError('pickup-moved', { pickupDay: free }) };
  const error = checkComingDay(day, area, now);
  return error ? { error } : { day };
}

/**
 * Returns true if the party can cancel the order. From the weighing on, the laundry has the
 * clothes, and the customer can no longer cancel or reschedule.
 */
export const mayCancel = (order: { stage: string; weightGrams: number | null }, by: OrderParty): boolean =>
  (by === 'laundry' || order.weightGrams === null) &&
  STAGES.some(({ stage, cancelledBy }) => stage === order.stage && (cancelledBy as readonly OrderParty[]).includes(by));

/** Returns the time until which a cancellation, or a move of the staff, can be undone. */
export const undoableUntil = (doneAt: Date): Date => addSeconds(doneAt, UNDO_SECONDS);

/**
 * Returns the seconds left until `undoableUntil`, at most `UNDO_SECONDS`. Returns null if none are
 * left, and if `doneAt` is later than `now` by more than the allowed skew of clocks.
 */
export function undoSecondsLeft(doneAt: Date, now: Date): number | null {
  const left = Math.ceil((undoableUntil(doneAt).getTime() - now.getTime()) / 1000);
  // The clock of another process may be ahead.
  return left > 0 && left <= UNDO_SECONDS + MAX_CLOCK_SKEW_SECONDS ? Math.min(left, UNDO_SECONDS) : null;
}

/**
 * Returns the deadline for bringing clothes back, 'YYYY-MM-DD HH:mm:ss' in Asia/Kolkata: the end of
 * the slot on the day after the pickup, or after the cancellation.
 */
export const backBy = (pickupDay: string): string => endOfSlot(dayAfter(pickupDay));

/** The hours of `TIMESLOT` in Asia/Kolkata. */
export const SLOT_START_HOUR = 17;
export const SLOT_END_HOUR = 21;

/** Returns the end of `TIMESLOT`, 'YYYY-MM-DD HH:mm:ss' in Asia/Kolkata. */
export const endOfSlot = (day: string): string => `${day} ${SLOT_END_HOUR}:00:00`;

type Deadline = Pick<Order, 'attempt' | 'due_at'>;

/**
 * Returns true if the laundry has not collected or brought back the clothes by `due_at`. Returns
 * false without a deadline, and after a visit that failed in time: that is no delay of the laundry.
 */
export const isLate = ({ attempt, due_at: dueAt }: Deadline, now: Date): boolean =>
  dueAt !== null && kolkataDateTime(now) > dueAt && !(attempt && attempt.at <= dueAt);

/** A visit is not repeated from this time of an evening on: the rider cannot be back in time. */
const LAST_REPEAT_TIME = '20:00';

/**
 * Returns `back_by`, or null if a failed visit has made that time impossible: after a failed pickup
 * until another evening is chosen, after a failed delivery from 20:00 on the due day.
 */
export const promisedBack = ({ attempt, due_at: dueAt, back_by: promised }: Deadline & Pick<Order, 'back_by'>, now: Date): string | null =>
  attempt && dueAt !== null && (dueAt !== promised || kolkataDateTime(now) >= `${dueAt.slice(0, 10)} ${LAST_REPEAT_TIME}`)
    ? null
    : promised;

type Visit = Pick<Order, 'attempt' | 'due_at'>;

/**
 * Returns the days on which a failed visit can be repeated, the earliest first, also if they are
 * full or past the cut-off: that of the failed visit, because the rider is out, and the one that
 * was planned, if the rider came before it. Empty without a failed visit.
 */
export function repeatEvenings({ attempt, due_at: dueAt }: Visit, now: Date): string[] {
  if (!attempt) return [];
  const [today, isOver] = [kolkataDay(now), kolkataTime(now) >= LAST_REPEAT_TIME];
  const days = new Set([attempt.at, ...(dueAt === null ? [] : [dueAt])].map((time) => time.slice(0, 10)));
  return [...days].filter((day) => (isOver ? day > today : day >= today)).toSorted();
}

/**
 * Returns the evenings for another visit after a failed one, or for a pickup without one, the
 * earliest first. Those of `repeatEvenings` have the status 'free'.
 */
export function offeredVisits(area: AreaEvenings, visit: Visit, now: Date): Evening[] {
  const offered = offeredEvenings(area, now);
  const isClosed = (day: string) => area.evenings.some((evening) => evening.day === day && evening.status === 'closed');
  // The rider is on the round anyway on the evening of the failed visit.
  const repeats = repeatEvenings(visit, now).filter((day) => day === visit.attempt?.at.slice(0, 10) || !isClosed(day));
  const others = offered.filter(({ day }) => !repeats.includes(day));
  return [...repeats.map((day): Evening => ({ day, status: 'free', left: null })), ...others].toSorted((one, other) =>
    one.day < other.day ? -1 : 1,
  );
}

/** A program with its current rates. */
export interface OfferedProgram {
  baseRatePaise: Paise;
  surcharges: readonly { area: Area; surchargePaise: Paise }[];
}

/** The server's prices and pickup day for a new order. */
export interface OrderQuote {
  area: Area;
  surchargePaise: Paise;
  /** Base and surcharge, before the offer. */
  ratePaise: Paise;
  /** With the discount of the offer. */
  orderRatePaise: Paise;
  pickupDay: string;
}

/** The quote of an accepted request, or the error of the first unacceptable value. */
export type OrderCheck = { quote: OrderQuote } | { error: ErrorMessage<PlaceOrderErrorCode> };

/** The server's data for a request. */
export interface OrderInputs {
  /** Null if unknown. */
  program: OfferedProgram | null;
  offer: ActiveOffer | null;
  /** Null if the area of the address is unknown. */
  addressArea: Area | null;
  evenings: Evenings;
}

/**
 * Checks the options, the timeslot and the area of the request, and compares its rates, offer and
 * pickup day with the server's. Returns the first error, or a quote that contains only values of
 * the server.
 */
export function checkOrderRequest(request: OrderRequest, { program, offer, addressArea, evenings }: OrderInputs, now: Date): OrderCheck {
  if (!program) return { error: orderError('unknown-program') };
  if (!choicesBelong(request)) return { error: orderError('wrong-options') };
  if (request.timeslot !== TIMESLOT) return { error: orderError('unknown-timeslot') };

  const quotes = program.surcharges
    .map(({ area, surchargePaise }) => {
      const ratePaise = asPaise(program.baseRatePaise + surchargePaise);
      return { area, surchargePaise, ratePaise, orderRatePaise: discountedRatePaise(ratePaise, offer?.percent ?? 0) };
    })
    // Without an area in the request, the areas with the rate that the customer saw.
    .filter(({ area, ratePaise }) => (request.area ? area === request.area : ratePaise === request.programrate));
  const quote = quotes.find(({ area }) => area === addressArea) ?? quotes[0];
  const checked = checkOrderDay(request.pickup_date, evenings[quote?.area ?? addressArea ?? AREAS[0]], now);
  if ('error' in checked) return checked;
  if (quote && addressArea && quote.area !== addressArea) return { error: orderError('area-mismatch') };
  if (quote?.ratePaise !== request.programrate) return { error: orderError('rates-changed') };
  const isSameOffer = (request.offerid || null) === (offer?.id ?? null) && (request.offerrate ?? 0) === (offer?.percent ?? 0);
  if (!isSameOffer) return { error: orderError('offer-changed') };
  if (quote.orderRatePaise !== request.orderrate) return { error: orderError('rates-changed') };
  return { quote: { ...quote, pickupDay: checked.day } };
}

/** Returns true if the service has every chosen option. The customer may omit options. */
function choicesBelong(chosen: ServiceChoices & Pick<OrderRequest, 'program'>): boolean {
  const available = choicesOf(chosen.program);
  return (['detergent', 'conditioner', 'iron'] as const).every((option) => chosen[option] === '' || chosen[option] === available[option]);
}

export interface OrderAmounts {
  /** Rate times weight. */
  cost: Paise;
  /** `cost` minus `final`, so that the lines of the bill add up. */
  discount: Paise;
  final: Paise;
}

/** The values of an order that determine its amounts. */
export interface PricedOrder {
  ratePaise: Paise;
  offerPercent: number;
  weightGrams: number | null;
}

/** Returns null if the order has not been weighed. `lib/money.ts` defines the rounding. */
export function calculateAmounts(order: PricedOrder): OrderAmounts | null {
  if (order.weightGrams === null) return null;
  const cost = costPaise(order.ratePaise, order.weightGrams);
  const final = finalAmountPaise(order.ratePaise, order.weightGrams, order.offerPercent);
  return { cost, discount: asPaise(cost - final), final };
}

/** The amounts that an order costs at least and at most, before it is weighed. */
export interface AmountRange {
  paiseLow: Paise;
  paiseHigh: Paise;
}

/**
 * Returns the price range of a load. `rates` contains one rate if the area is chosen, else the rate
 * of each area. Amounts are rounded like an order's (design section 6, "Amounts").
 */
export const estimateAmounts = (
  { gramsLow, gramsHigh }: { gramsLow: number; gramsHigh: number },
  rates: readonly Paise[],
  offerPercent: number,
): AmountRange => ({
  paiseLow: finalAmountPaise(asPaise(Math.min(...rates)), gramsLow, offerPercent),
  paiseHigh: finalAmountPaise(asPaise(Math.max(...rates)), gramsHigh, offerPercent),
});

/**
 * The N of 'saved about N to N+1 hours': a third of the kilograms, rounded up (specification
 * section 9).
 */
export const hoursSaved = (weightGrams: number): number => Math.ceil(weightGrams / 3000);

/** Returns true if an amount is due in this stage; false for an unknown stage. */
export const isPayableStage = (stage: string): boolean => STAGES.some((row) => row.stage === stage && row.isPayable);

export const isCancelledStage = (stage: string): boolean => stage === ('cancelled' satisfies Stage);

interface ClothesState {
  stage: string;
  weight_grams: number | null;
  returned_at: Date | null;
}

/**
 * Returns true if the laundry has the clothes of a cancelled order: it was weighed, and they were
 * not given back (docs/decisions/0071).
 */
export const isToReturn = ({ stage, weight_grams: weight, returned_at: returnedAt }: ClothesState): boolean =>
  isCancelledStage(stage) && weight !== null && returnedAt === null;

/** Returns true if an order can be paid from the wallet in this stage (specification section 4). */
export const mayPayFromWallet = (stage: string): boolean => STAGES.some((row) => row.stage === stage && row.walletPayment);

/**
 * Returns true if the wallet may still pay its part. Also true if the wallet has paid it and no
 * other payment was received: its page then shows that payment.
 */
export const isWalletPartOpen = ({
  washing_stage: stage,
  total_amount: total,
  amount_paid: paid,
}: Pick<Order, 'washing_stage' | 'total_amount' | 'amount_paid'>): boolean =>
  mayPayFromWallet(stage) && total !== null && walletPartPaise(total) > 0 && total - paid >= walletPartPaise(total);

/** The stages without a next stage. */
export const FINAL_STAGES: readonly string[] = STAGES.filter(({ next }) => next === null).map(({ stage }) => stage);

/** Returns true if the customer waits for a pickup, or for the clothes. */
export const isUnderWay = ({ washing_stage: stage, to_return: toReturn }: Pick<Order, 'washing_stage' | 'to_return'>): boolean =>
  !FINAL_STAGES.includes(stage) || toReturn;

/** Why a visit of the rider failed. */
export const ATTEMPT_REASONS = ['nobody-home', 'nothing-to-collect', 'refused', 'address', 'other'] as const;
export type AttemptReason = (typeof ATTEMPT_REASONS)[number];

/** Returns the reasons of a pickup, or those of a delivery. */
export const attemptReasons = (stage: string): readonly AttemptReason[] =>
  ATTEMPT_REASONS.filter((reason) => reason !== 'nothing-to-collect' || stage === ('pickup' satisfies Stage));

/** Returns the only stage that follows `stage`. Undefined for a final or unknown stage. */
export const stageAfter = (stage: string): Stage | undefined => STAGES.find((row) => row.stage === stage)?.next ?? undefined;

/** Returns the only stage before `stage`. Undefined for 'pickup', 'cancelled' and unknown ones. */
export const stageBefore = (stage: string): Stage | undefined => STAGES.find(({ next }) => next === stage)?.stage;

/** The scale and the API have a resolution of 0.01 kg. */
export const WEIGHT_STEP_GRAMS = 10;
const MAX_WEIGHT_GRAMS = 1_000_000;
export const MAX_ITEMS = 10_000;

const isCount = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max;

/** Returns true if weight and number of items are within the limits and the scale's resolution. */
export const canBeWeighed = (weightGrams: number, items: number): boolean =>
  isCount(weightGrams, MAX_WEIGHT_GRAMS) && weightGrams % WEIGHT_STEP_GRAMS === 0 && isCount(items, MAX_ITEMS);

/**
 * Returns true for a possible weight that is more likely a misplaced decimal point. The form then
 * asks for confirmation.
 */
export const isUnusualWeight = (weightGrams: number, items: number): boolean => weightGrams > 40_000 || weightGrams > items * 5000;

/**
 * Limits false orders, because each one sends out a rider. A household orders once or twice a day.
 * Applies to each customer, guest or not, in days of Asia/Kolkata.
 */
export const MAX_ORDERS_PER_DAY = 20;

/** Cancellations, their undoing and new pickup days of a customer, guest or not, in a day. */
export const MAX_CHANGES_PER_DAY = 60;

/** The channel of notifications of events. Their payload is the id of the order. */
export const ORDER_EVENTS_CHANNEL = 'order_events';
