/** The stops of the round. Pure functions. */
import { addDays, dayAfter, kolkataDay } from '../../../lib/dates.ts';
import { asPaise, finalAmountPaise } from '../../../lib/money.ts';
import { AREAS } from '../../catalogue/contract.ts';
import type { Column } from '../../order-desk/desk/board-contract.ts';
import { RETURNED, type DeskOrder, type ListedOrder } from '../../order-desk/desk/contract.ts';
import { laterVisitDay } from '../../order-desk/desk/rules.ts';
import { unblockedEntries, unsentPayments, type Entry } from './entry.ts';

/** The stops as the server last sent them. */
export interface SeenStops {
  /** The mobile of the person who saw them. */
  readonly owner: string;
  /** In milliseconds of the clock of this device, which later computes the age. */
  readonly seenAt: number;
  readonly stops: readonly ListedOrder[];
}

/** The columns of the board that have stops. */
export const STOP_STAGES = ['pickup', 'delivery', 'cancelled', 'delivered'] as const satisfies readonly Column[];

/**
 * Returns the pickups until tomorrow and the collected ones, the deliveries except those of a later
 * evening, returns, and what is unpaid since yesterday. Of an order that is listed twice, because
 * it moved while the lists of the stages were read, returns the newer version.
 */
export function stopsOf(orders: readonly ListedOrder[], now: Date): ListedOrder[] {
  const today = kolkataDay(now);
  const yesterday = addDays(today, -1);
  const versions = new Map<string, number>();
  for (const { orderid, version } of orders) versions.set(orderid, Math.max(version, versions.get(orderid) ?? 0));
  const newest = orders.filter(({ orderid, version }) => version === versions.get(orderid));
  return newest.filter(
    ({ stage, weight, to_return: toReturn, pickup_date: pickupDay, delivery_date: deliveryDay, entered_at: enteredAt }) => {
      if (stage === 'pickup') return weight !== null || pickupDay <= dayAfter(today);
      if (stage === 'delivery') return deliveryDay === null || deliveryDay <= today;
      return toReturn || enteredAt >= yesterday;
    },
  );
}

const addresses = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** By society, then by tower, then by flat. */
const compareAddresses = (one: ListedOrder, other: ListedOrder) =>
  AREAS.indexOf(one.area) - AREAS.indexOf(other.area) ||
  addresses.compare(one.address2, other.address2) ||
  addresses.compare(one.address1, other.address1) ||
  (one.orderid < other.orderid ? -1 : 1);

/** Returns true for orders of one door, however it was typed. */
export const isSameDoor = (one: ListedOrder, other: ListedOrder): boolean =>
  one.area === other.area && addresses.compare(one.address2, other.address2) === 0 && addresses.compare(one.address1, other.address1) === 0;

/**
 * Returns the stops in the order of the person: `sequence` has the numbers of the orders as they
 * were sorted by hand. A new stop follows the last one of its society, or all others.
 */
export function sortStops(stops: readonly ListedOrder[], sequence: readonly string[]): ListedOrder[] {
  const byAddress = stops.toSorted(compareAddresses);
  const placeOf = new Map(sequence.map((orderid, place) => [orderid, place]));
  const sorted = byAddress
    .filter(({ orderid }) => placeOf.has(orderid))
    .toSorted((one, other) => placeOf.get(one.orderid)! - placeOf.get(other.orderid)!);
  for (const stop of byAddress) {
    if (placeOf.has(stop.orderid)) continue;
    const last = sorted.findLastIndex(({ area }) => area === stop.area);
    sorted.splice(last === -1 ? sorted.length : last + 1, 0, stop);
  }
  return sorted;
}

/** The stops of one day, in the order of the person. */
export interface StopDay {
  readonly day: string;
  readonly stops: readonly ListedOrder[];
}

/**
 * Returns the stops of today with everything overdue, also if there are none, then those of each
 * later day.
 */
export function groupByDay(sorted: readonly ListedOrder[], now: Date): [StopDay, ...StopDay[]] {
  const today = kolkataDay(now);
  const dayOf = (stop: ListedOrder) => laterVisitDay(stop, now) ?? today;
  const stopsOn = (day: string): StopDay => ({ day, stops: sorted.filter((stop) => dayOf(stop) === day) });
  const later = [...new Set(sorted.map(dayOf))].filter((day) => day > today).toSorted();
  return [stopsOn(today), ...later.map(stopsOn)];
}

/** Returns the numbers of the orders after one has moved by one place, unchanged at an end. */
export function moveStop(sequence: readonly string[], orderid: string, by: -1 | 1): string[] {
  const moved = [...sequence];
  const from = moved.indexOf(orderid);
  const to = from + by;
  if (from === -1 || to < 0 || to >= moved.length) return moved;
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/**
 * Returns a stop as it will be if the server accepts the entries that wait. Omits those that wait
 * for a refused one, except payments: the person has taken the money.
 */
export function withEntries(stop: ListedOrder, entries: readonly Entry[]): ListedOrder {
  const after = { ...stop };
  const ofStop = entries.filter(({ orderid }) => orderid === stop.orderid);
  const shown = new Set([...unblockedEntries(ofStop), ...unsentPayments(ofStop)]);
  for (const entry of ofStop) if (shown.has(entry)) Object.assign(after, changeOf(after, entry));
  return after;
}

function changeOf(
  { bags, note, notes, left_to_pay: left, program_rate: rate, offer_rate: offer, ...stop }: ListedOrder,
  entry: Entry,
): Partial<ListedOrder> {
  switch (entry.call) {
    case 'weigh': {
      const { weight, items, note: added } = entry.body;
      // Clothes that are weighed before their day are collected on the day of the entry. The
      // server knows the open evenings, and computes the deadline.
      const day = entry.at !== null && stop.weight === null ? kolkataDay(new Date(entry.at)) : stop.pickup_date;
      const collected = day < stop.pickup_date ? { pickup_date: day, back_by: null } : { back_by: stop.back_by };
      return {
        weight,
        items,
        bags: entry.body.bags ?? bags,
        note: added ?? note,
        notes: added === undefined ? notes : [...notes, added],
        total_amount: finalAmountPaise(rate, weight, offer),
        attempt: null,
        ...collected,
        due_at: collected.back_by,
      };
    }
    case 'move':
      // The server computes the next deadline.
      return {
        due_at: null,
        counted_bags: entry.body.bags ?? stop.counted_bags,
        ...(entry.body.stage === RETURNED ? { to_return: false } : { stage: entry.body.stage }),
      };
    case 'attempt':
      return { attempt: { why: entry.body.why, at: '' }, delivery_date: null };
    case 'photo':
      return {};
    case 'receive':
      return { left_to_pay: left && asPaise(Math.max(0, left - entry.body.amount)) };
  }
}

/** Returns the stop with the values of an order, or unchanged if it is newer. */
export function withOrder(stop: ListedOrder, order: DeskOrder): ListedOrder {
  if (stop.orderid !== order.orderid || stop.version > order.version) return stop;
  return {
    ...stop,
    version: order.version,
    stage: order.washing_stage,
    to_return: order.to_return,
    attempt: order.attempt,
    delivery_date: order.delivery_date,
    back_by: order.back_by,
    due_at: order.due_at,
    pickup_date: order.pickup_date,
    entered_at: order.stages.at(-1)?.entered_at ?? stop.entered_at,
    weight: order.total_weight,
    items: order.total_items,
    bags: order.bags,
    counted_bags: order.counted_bags,
    bags_differ: order.bags_differ,
    may_explain_bags: order.may_explain_bags,
    note: order.notes.at(-1)?.note ?? null,
    notes: order.notes.map(({ note }) => note),
    total_amount: order.total_amount,
    left_to_pay: order.left_to_pay,
  };
}

/** Returns the stops of a list, except those that a response has updated meanwhile. */
export function newestStops(listed: readonly ListedOrder[], before: readonly ListedOrder[]): ListedOrder[] {
  const known = new Map(before.map((stop) => [stop.orderid, stop]));
  return listed.map((stop) => {
    const earlier = known.get(stop.orderid);
    return earlier && earlier.version > stop.version ? earlier : stop;
  });
}
