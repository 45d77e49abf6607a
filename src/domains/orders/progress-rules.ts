/**
 * The progress of an order, derived from its row and its events. No other file derives it again,
 * except for the phases of phase-rules.ts, and for `listReturnCountsOfEvenings`, which derives the
 * day of `back_by` in SQL. docs/decisions/0085. Pure functions.
 */
import { kolkataDateTime, kolkataDay } from '../../lib/dates.ts';
import type { Order, Stage } from './contract.ts';
import { supersedesVisit, type OrderEvent } from './events-contract.ts';
import { isAwaitingPickup } from './phase-rules.ts';
import { backBy, endOfSlot } from './visit-rules.ts';
import { FINAL_STAGES, isToReturn } from './rules.ts';

/** The columns of an order that its events do not contain. */
export interface OrderState {
  stage: string;
  pickup_day: string;
  /** The promised evening. Null in orders of earlier versions: the next day. */
  return_day: string | null;
  weight_grams: number | null;
  cancelled_at: Date | null;
  returned_at: Date | null;
}

/** The fields of an order in the contracts of customer and staff that follow from its events. */
type OrderProgress = Pick<
  Order,
  'stages' | 'delivered_date' | 'collected_date' | 'to_return' | 'attempt' | 'delivery_date' | 'back_by' | 'due_at'
>;

/** Derives the progress of an order. `events` are all its events, the oldest first. */
export function deriveProgress(order: OrderState, events: readonly OrderEvent[]): OrderProgress {
  const stages = enteredStages(events, order.cancelled_at);
  const collected = events.find(({ kind }) => kind === 'weighed');
  const lastVisit = events.findLast(supersedesVisit);
  const deliveryDay = chosenDeliveryDay(events);
  const promised = returnDeadline(order, deliveryDay);
  return {
    stages,
    delivered_date: stages.findLast(({ stage }) => stage === ('delivered' satisfies Stage))?.entered_at ?? null,
    collected_date: collected ? kolkataDateTime(collected.at) : null,
    to_return: isToReturn(order),
    attempt: lastVisit?.kind === 'attempted' ? { why: lastVisit.why, at: kolkataDateTime(visitTime(lastVisit)) } : null,
    delivery_date: deliveryDay,
    back_by: promised,
    due_at: isAwaitingPickup(order.stage, order.weight_grams) ? endOfSlot(order.pickup_day) : promised,
  };
}

/** Returns the evening of another delivery that was chosen after the last visit, or null. */
export function chosenDeliveryDay(events: readonly OrderEvent[]): string | null {
  const last = events.findLast(supersedesVisit);
  return last?.kind === 'delivery-chosen' ? last.deliveryDay : null;
}

/**
 * Returns the deadline for bringing the clothes back, 'YYYY-MM-DD HH:mm:ss' in Asia/Kolkata, or
 * null if there are none to bring. `deliveryDay` is the evening of another delivery, if one was
 * chosen.
 */
function returnDeadline(order: OrderState, deliveryDay: string | null): string | null {
  if (isToReturn(order)) return order.cancelled_at && backBy(kolkataDay(order.cancelled_at), order.return_day);
  if (FINAL_STAGES.includes(order.stage)) return null;
  return deliveryDay === null ? backBy(order.pickup_day, order.return_day) : endOfSlot(deliveryDay);
}

/**
 * Returns the stages that an order has entered. Leaves out a cancellation that was undone, and the
 * stages before which the order was moved back.
 */
function enteredStages(events: readonly OrderEvent[], cancelledAt: Date | null): OrderProgress['stages'] {
  let entered: OrderProgress['stages'] = [];
  for (const { kind, stage, at } of events) {
    if (stage === null || stage === 'cancelled') continue;
    const earlier = kind === 'moved-back' ? entered.findLastIndex((row) => row.stage === stage) : -1;
    entered = earlier < 0 ? [...entered, { stage, entered_at: kolkataDateTime(at) }] : entered.slice(0, earlier + 1);
  }
  return cancelledAt ? [...entered, { stage: 'cancelled', entered_at: kolkataDateTime(cancelledAt) }] : entered;
}

/** Returns when the rider was at the door. Events of an older version do not have it. */
export const visitTime = ({ visitedAt, at }: { visitedAt?: Date | undefined; at: Date }): Date => visitedAt ?? at;

/** Returns the bags that were counted at the last weighing that has them, or null. */
export const bagsAtWeighing = (events: readonly OrderEvent[]): number | null => {
  const counted = events.findLast((event) => event.kind === 'weighed' && event.bags !== undefined);
  return counted?.kind === 'weighed' ? (counted.bags ?? null) : null;
};

/**
 * Returns the id of the event that made the present hand-over code, or null for the first code. A
 * hand-over changes the code too: if it is undone, the used code is no longer secret.
 */
export const codeRenewal = (events: readonly OrderEvent[]): number | null =>
  events.findLast(({ kind, stage }) => kind === 'code-renewed' || kind === 'returned' || stage === 'delivered')?.id ?? null;

/** Returns true if the present hand-over code was wrong too often. */
const isCodeLocked = (events: readonly OrderEvent[]): boolean =>
  events.findLast(({ kind }) => kind === 'code-locked' || kind === 'code-renewed')?.kind === 'code-locked';

const isOutForDelivery = ({ stage }: Pick<OrderState, 'stage'>): boolean => stage === ('delivery' satisfies Stage);

/** Returns true if the customer has to give the hand-over code, and it is not locked. */
export const isCodeShown = (order: OrderState, events: readonly OrderEvent[]): boolean =>
  (isOutForDelivery(order) || isToReturn(order)) && !isCodeLocked(events);

/** Returns true if the next visit of the rider collects or delivers the clothes of an order. */
export const isRiderExpected = (order: OrderState): boolean => isOutForDelivery(order) || isAwaitingPickup(order.stage, order.weight_grams);

/** Returns true if the customer reported a UPI payment that is still to be checked. */
export function hasReportedUpi(events: readonly OrderEvent[]): boolean {
  const open = new Set<string>();
  for (const event of events) {
    if (event.kind === 'payment-reported') open.add(event.reference);
    else if (event.kind === 'paid' || event.kind === 'payment-dismissed' || event.kind === 'payment-failed') open.delete(event.reference);
  }
  return open.size > 0;
}
