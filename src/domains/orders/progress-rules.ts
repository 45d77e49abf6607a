/**
 * The progress of an order, derived from its row and its events. Only this file interprets events.
 * docs/decisions/0085. Pure functions.
 */
import { kolkataDateTime, kolkataDay, kolkataTime } from '../../lib/dates.ts';
import type { AreaEvenings, Evening } from '../evenings/contract.ts';
import { offeredEvenings } from '../evenings/rules.ts';
import type { Order, Stage } from './contract.ts';
import { isStep, type OrderEvent } from './events-contract.ts';
import { backBy, endOfSlot, FINAL_STAGES, isToReturn } from './rules.ts';

/** The columns of an order that its events do not contain. */
export interface OrderState {
  stage: string;
  pickup_day: string;
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
  const lastStep = events.findLast(isStep);
  const deliveryDay = lastStep?.kind === 'delivery-chosen' ? lastStep.deliveryDay : null;
  const promised = promiseOf(order, deliveryDay);
  const isToCollect = order.stage === ('pickup' satisfies Stage) && order.weight_grams === null;
  return {
    stages,
    delivered_date: stages.findLast(({ stage }) => stage === ('delivered' satisfies Stage))?.entered_at ?? null,
    collected_date: collected ? kolkataDateTime(collected.at) : null,
    to_return: isToReturn(order),
    attempt: lastStep?.kind === 'attempted' ? { why: lastStep.why, at: kolkataDateTime(visitTime(lastStep)) } : null,
    delivery_date: deliveryDay,
    back_by: promised,
    due_at: isToCollect ? endOfSlot(order.pickup_day) : promised,
  };
}

/** Returns the time by which the clothes are promised back, or null without clothes to bring. */
function promiseOf(order: OrderState, deliveryDay: string | null): string | null {
  if (isToReturn(order)) return order.cancelled_at && backBy(kolkataDay(order.cancelled_at));
  if (FINAL_STAGES.includes(order.stage)) return null;
  return deliveryDay === null ? backBy(order.pickup_day) : endOfSlot(deliveryDay);
}

type Deadline = Pick<Order, 'attempt' | 'due_at'>;

/**
 * Returns true if the laundry has not collected or brought back the clothes in time. A visit that
 * failed in time was no delay of the laundry: the order waits for another evening.
 */
export const isLate = ({ attempt, due_at: dueAt }: Deadline, now: Date): boolean =>
  dueAt !== null && kolkataDateTime(now) > dueAt && !(attempt && attempt.at <= dueAt);

/** A visit is not repeated from this time of an evening on: the rider cannot be back in time. */
const LAST_REPEAT_TIME = '20:00';

/**
 * Returns the promise that the laundry can still keep, or null. After a failed visit, that is as
 * long as the visit can be repeated before the deadline.
 */
export const promisedBack = ({ attempt, due_at: dueAt, back_by: promised }: Deadline & Pick<Order, 'back_by'>, now: Date) =>
  attempt && dueAt !== null && kolkataDateTime(now) >= `${dueAt.slice(0, 10)} ${LAST_REPEAT_TIME}` ? null : promised;

/**
 * Returns true if the visit can be repeated on the evening on which it failed. The cut-off does not
 * apply: the rider is out.
 */
export const canRepeatTonight = (attempt: Order['attempt'], now: Date): boolean =>
  attempt !== null && attempt.at.slice(0, 10) === kolkataDay(now) && kolkataTime(now) < LAST_REPEAT_TIME;

/** Returns the evenings for another visit after a failed one, or for a pickup without one. */
export function offeredVisits(area: AreaEvenings, attempt: Order['attempt'], now: Date): Evening[] {
  const offered = offeredEvenings(area, now);
  if (!canRepeatTonight(attempt, now)) return offered;
  const today = kolkataDay(now);
  return [{ day: today, status: 'free', left: null }, ...offered.filter(({ day }) => day !== today)];
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
export const visitTime = ({ cameAt, at }: { cameAt?: Date | undefined; at: Date }): Date => cameAt ?? at;

/** Returns the bags that were counted last at a weighing, or null. */
export const countedBags = (events: readonly OrderEvent[]): number | null => {
  const counted = events.findLast((event) => event.kind === 'weighed' && event.bags !== undefined);
  return counted?.kind === 'weighed' ? (counted.bags ?? null) : null;
};

/**
 * Returns the id of the event that made the present hand-over code, or null for the first code. A
 * hand-over makes another one, too: if it is undone, people know the code that it used.
 */
export const codeRenewal = (events: readonly OrderEvent[]): number | null =>
  events.findLast(({ kind, stage }) => kind === 'code-renewed' || kind === 'returned' || stage === 'delivered')?.id ?? null;

/** Returns true if the present hand-over code was wrong too often. */
export const isCodeLocked = (events: readonly OrderEvent[]): boolean =>
  events.findLast(({ kind }) => kind === 'code-locked' || kind === 'code-renewed')?.kind === 'code-locked';
