/**
 * Amounts, stages and limits of orders: pure functions. Specification sections 4 and 9; design
 * section 6, "Ordering".
 */
import { addSeconds, MAX_CLOCK_SKEW_SECONDS } from '../../lib/clock.ts';
import { asPaise, costPaise, excessPaise, finalAmountPaise, walletPartPaise, type Paise } from '../../lib/money.ts';
import { STAGES, UNDO_SECONDS, type Order, type OrderParty, type Stage } from './contract.ts';

/** The columns of an order that determine where its clothes are. */
interface ClothesState {
  stage: string;
  weight_grams: number | null;
  returned_at: Date | null;
}

/**
 * Returns true if the party can cancel the order. From the weighing on, the laundry has the
 * clothes, and the customer can no longer cancel or reschedule.
 */
export const mayCancel = (order: Pick<ClothesState, 'stage' | 'weight_grams'>, by: OrderParty): boolean =>
  (by === 'laundry' || order.weight_grams === null) &&
  STAGES.some(({ stage, cancelledBy }) => stage === order.stage && (cancelledBy as readonly OrderParty[]).includes(by));

/** Returns the time until which a cancellation, or a move of the staff, can be undone. */
export const undoableUntil = (doneAt: Date): Date => addSeconds(doneAt, UNDO_SECONDS);

/**
 * Returns the whole seconds left until `undoableUntil`, rounded up, at most `UNDO_SECONDS`. Returns
 * null if none are left, and if `doneAt` is later than `now` by more than the allowed skew of
 * clocks.
 */
export function undoSecondsLeft(doneAt: Date, now: Date): number | null {
  const left = Math.ceil((undoableUntil(doneAt).getTime() - now.getTime()) / 1000);
  // The clock of another process may be ahead.
  return left > 0 && left <= UNDO_SECONDS + MAX_CLOCK_SKEW_SECONDS ? Math.min(left, UNDO_SECONDS) : null;
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

/**
 * Returns true if the laundry has the clothes of a cancelled order: it was weighed, and they were
 * not given back (docs/decisions/0071).
 */
export const isToReturn = ({ stage, weight_grams: weight, returned_at: returnedAt }: ClothesState): boolean =>
  isCancelledStage(stage) && weight !== null && returnedAt === null;

/** Returns true if an order can be paid from the wallet in this stage (specification section 4). */
export const mayPayFromWallet = (stage: string): boolean => STAGES.some((row) => row.stage === stage && row.walletPayment);

/** Returns true if the wallet may still pay its part: it pays an order once. */
export const isWalletPartOpen = ({
  washing_stage: stage,
  total_amount: total,
  amount_paid: paid,
  history,
}: Pick<Order, 'washing_stage' | 'total_amount' | 'amount_paid' | 'history'>): boolean =>
  mayPayFromWallet(stage) &&
  history.every(({ method }) => method !== 'wallet') &&
  total !== null &&
  walletPartPaise(total) > 0 &&
  total - paid >= walletPartPaise(total);

/**
 * Returns the amount due: the final amount in a stage in which the order can be paid, 0 for a
 * cancelled order, null at the pickup and before the weighing.
 */
export const calculateDue = (stage: string, final: Paise | null): Paise | null =>
  isCancelledStage(stage) ? asPaise(0) : isPayableStage(stage) ? final : null;

/** Returns the unpaid part of the amount due, at least 0, or null if no amount is due. */
export function calculateUnpaid(stage: string, final: Paise | null, paid: number): Paise | null {
  const due = calculateDue(stage, final);
  return due === null ? null : excessPaise(due, paid);
}

/** Returns the amount that is left to pay. Zero while no amount is due. */
export const leftToPay = (order: Pick<Order, 'washing_stage' | 'total_amount' | 'amount_paid'>): Paise =>
  calculateUnpaid(order.washing_stage, order.total_amount, order.amount_paid) ?? asPaise(0);

/** The stages without a next stage. */
export const FINAL_STAGES: readonly string[] = STAGES.filter(({ next }) => next === null).map(({ stage }) => stage);

/** Returns true if the customer waits for a pickup, or for the clothes. */
export const isUnderWay = ({ washing_stage: stage, to_return: toReturn }: Pick<Order, 'washing_stage' | 'to_return'>): boolean =>
  !FINAL_STAGES.includes(stage) || toReturn;

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
export const MAX_CUSTOMER_CHANGES_PER_DAY = 60;

/** The channel of notifications of events. Their payload is the id of the order. */
export const ORDER_EVENTS_CHANNEL = 'order_events';
