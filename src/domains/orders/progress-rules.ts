/** The progress of an order, derived from its events, the oldest first. Pure functions. */
import type { Stage } from './contract.ts';
import { isStep, type OrderEvent } from './events-contract.ts';

/**
 * Returns the stages that an order has entered. Leaves out a cancellation that was undone, and the
 * stages before which the order was moved back.
 */
export function enteredStages(events: readonly OrderEvent[], cancelledAt: Date | null): { stage: Stage; at: Date }[] {
  let entered: { stage: Stage; at: Date }[] = [];
  for (const { kind, stage, at } of events) {
    if (stage === null || stage === 'cancelled') continue;
    const earlier = kind === 'moved-back' ? entered.findLastIndex((row) => row.stage === stage) : -1;
    entered = earlier < 0 ? [...entered, { stage, at }] : entered.slice(0, earlier + 1);
  }
  return cancelledAt ? [...entered, { stage: 'cancelled', at: cancelledAt }] : entered;
}

/** Returns when the rider was at the door. Events of an older version do not have it. */
export const visitTime = ({ cameAt, at }: { cameAt?: Date | undefined; at: Date }): Date => cameAt ?? at;

/** Returns the failed visit if it is the last step of an order. */
export function failedVisit(events: readonly OrderEvent[]): { why: string; at: Date } | null {
  const last = events.findLast(isStep);
  return last?.kind === 'attempted' ? { why: last.why, at: visitTime(last) } : null;
}

/** Returns the evening of another delivery if its choice is the last step of an order. */
export function chosenDelivery(events: readonly OrderEvent[]): string | null {
  const last = events.findLast(isStep);
  return last?.kind === 'delivery-chosen' ? last.deliveryDay : null;
}

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
