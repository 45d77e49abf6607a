/** Decisions about the bags of an order. Pure functions. docs/decisions/0117 and 0140. */
import type { OrderEvent } from '../../orders/events-contract.ts';
import type { Role } from '../../staff/desk/contract.ts';

/** The count of bags of an event, with its author and the present role of the author. */
export interface BagsEvent extends Pick<OrderEvent, 'kind'> {
  staff_id: string | null;
  counted_bags: number | null;
  counter_role: Role | null;
}

type Person = { id: string; role: Role };

/**
 * Returns the count that differs from the number of the pickup (`bags`), or null. It stays until an
 * explanation, a correction of the number at a weighing, or a later count that matches. A matching
 * count by a rider who counted bags of the order before does not end the difference.
 */
export function differingCount(bags: number | null, events: readonly BagsEvent[]): number | null {
  if (bags === null) return null;
  let atPickup: number | null = null;
  let differing: number | null = null;
  for (const [index, { kind, staff_id: id, counted_bags: counted, counter_role: role }] of events.entries()) {
    const isCorrection = kind === 'weighed' && counted !== null && counted !== atPickup;
    if (isCorrection) atPickup = counted;
    if (isCorrection || kind === 'bags-explained') differing = null;
    else if (counted !== null && counted !== (atPickup ?? bags)) differing = counted;
    else if (counted !== null && !(role === 'rider' && hasCounted(id, events.slice(0, index)))) differing = null;
  }
  return differing;
}

const hasCounted = (id: string | null, events: readonly BagsEvent[]): boolean =>
  events.some(({ staff_id: by, counted_bags: counted }) => by === id && counted !== null);

/**
 * Returns true for a rider who counted bags of the order, at the pickup or later: another person
 * has to explain why they differ.
 */
export const hasCountedOwn = ({ id, role }: Person, events: readonly BagsEvent[]): boolean => role === 'rider' && hasCounted(id, events);

/** Returns true if a weighing changes the number of bags of an order that has one. */
export const isBagsCorrection = (bags: number | null, weighed: number | undefined): boolean =>
  bags !== null && weighed !== undefined && weighed !== bags;

interface Weighing {
  weight: number | null;
  items: number | null;
  bags: number | null;
}

/**
 * Returns true if a weighing changes the result or the number of bags of a former one. False
 * without a former one.
 */
export const isWeighingCorrection = (
  former: Weighing,
  { weight, items, bags }: { weight: number; items: number; bags?: number | undefined },
): boolean => former.weight !== null && (former.weight !== weight || former.items !== items || isBagsCorrection(former.bags, bags));

/**
 * Returns true for a rider if the bags were counted after the pickup, or weighed by another person:
 * the rider sets no other number of the pickup then, also not the first one.
 */
export const isBagsNumberFixed = ({ id, role }: Person, events: readonly BagsEvent[]): boolean =>
  role === 'rider' && events.some(({ kind, staff_id: by, counted_bags: counted }) => counted !== null && (kind !== 'weighed' || by !== id));
