/** Describes the events of an order to its customer. docs/decisions/0072. */
import { kolkataDateTime } from '../../lib/dates.ts';
import { asPaise } from '../../lib/money.ts';
import { digitsOf, type KeyedHash } from '../../security/tokens.server.ts';
import type { OrderEvent } from './events-contract.ts';
import type { HistoryKind, OrderHistoryEntry } from './history-contract.ts';
import { visitTime } from './progress-rules.ts';
import { calculateAmounts } from './rules.ts';

interface Prices {
  rate_paise: number;
  offer_percent: number;
}

/**
 * Returns what the customer reads, the oldest entry first. Leaves out what was undone: a
 * cancellation, and a move that the staff took back without a reason.
 */
export function describeHistory(events: readonly OrderEvent[], prices: Prices): OrderHistoryEntry[] {
  let entries: OrderHistoryEntry[] = [];
  const removeLast = (isUndone: (entry: OrderHistoryEntry) => boolean) => {
    const undone = entries.findLast(isUndone);
    entries = entries.filter((entry) => entry !== undone);
  };
  for (const event of events) {
    if (event.kind === 'cancellation-undone') removeLast(({ kind }) => kind === 'cancelled');
    else if (event.kind === 'return-undone' && event.reason === undefined) removeLast(({ kind }) => RETURNS.has(kind));
    else if (event.kind === 'moved-back' && event.reason === undefined) removeLast(({ kind }) => MOVES.has(kind));
    else {
      const entry = describeEvent(event, entries, prices);
      if (entry) entries.push(entry);
    }
  }
  // A failed visit can be noted later than it was made.
  return entries.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

const MOVES: ReadonlySet<string> = new Set<HistoryKind>(['moved', 'delivered-without-code']);

const RETURNS: ReadonlySet<string> = new Set<HistoryKind>(['returned', 'returned-without-code']);

/** Returns undefined for an event that the customer does not read. */
function describeEvent(event: OrderEvent, before: readonly OrderHistoryEntry[], prices: Prices): OrderHistoryEntry | undefined {
  const base = { at: kolkataDateTime(event.at), ...('reason' in event && event.reason !== undefined && { reason: event.reason }) };
  const { kind } = event;
  switch (kind) {
    case 'weighed':
      return describeWeighing(event, before, prices, base);
    case 'moved': {
      const isWithoutCode = event.stage === 'delivered' && event.reason !== undefined;
      return { ...base, kind: isWithoutCode ? 'delivered-without-code' : kind, stage: event.stage };
    }
    case 'returned':
      return { ...base, kind: (event.reason === undefined ? kind : 'returned-without-code') satisfies HistoryKind };
    case 'moved-back':
      return { ...base, kind, stage: event.stage };
    case 'rescheduled': {
      const { by, pickupDay, fromDay } = event;
      return { ...base, kind, ...(by && { by }), pickup_date: pickupDay, ...(fromDay !== undefined && { from_date: fromDay }) };
    }
    case 'delivery-chosen':
      return { ...base, kind, delivery_date: event.deliveryDay };
    case 'attempted':
      return { kind, at: kolkataDateTime(visitTime(event)), why: event.why };
    case 'payment-dismissed':
      return { ...base, kind, amount: asPaise(event.amountPaise) };
    case 'payment-reversed':
      return { ...base, kind, ...(event.amountPaise !== undefined && { amount: asPaise(event.amountPaise) }) };
    case 'photographed':
      return { ...base, kind, photoid: event.photoId };
    case 'placed':
    case 'cancelled':
    case 'return-undone':
    case 'code-locked':
    case 'code-renewed':
      return { ...base, kind };
    case 'assigned':
    case 'cancellation-undone':
    case 'refunded':
    case 'paid':
    case 'payment-reported':
    case 'payment-failed':
    case 'claim-message':
    case 'unknown':
      return undefined;
  }
}

function describeWeighing(
  { weightGrams, items, bags, isAtDoor }: Extract<OrderEvent, { kind: 'weighed' }>,
  before: readonly OrderHistoryEntry[],
  { rate_paise, offer_percent: offerPercent }: Prices,
  base: Pick<OrderHistoryEntry, 'at' | 'reason'>,
): OrderHistoryEntry | undefined {
  const last = before.findLast(({ weight }) => weight !== undefined);
  // Weighed with the same result, or with another number of bags.
  if (last?.weight === weightGrams && last.items === items) return undefined;
  const amounts = calculateAmounts({ ratePaise: asPaise(rate_paise), offerPercent, weightGrams });
  return {
    ...base,
    kind: (last ? 'corrected' : 'weighed') satisfies HistoryKind,
    weight: weightGrams,
    items,
    ...(amounts && { amount: amounts.final }),
    ...(bags !== undefined && { bags }),
    ...(isAtDoor && { at_door: true }),
  };
}

/**
 * Returns the code that the customer gives to the rider. Each renewal, the id of an event, makes
 * another one.
 */
export type HandOverCode = (orderid: string, renewal: number | null) => string;

const HAND_OVER_DIGITS = 4;

export const createHandOverCode =
  (hash: KeyedHash): HandOverCode =>
  (orderid, renewal) =>
    digitsOf(hash(renewal === null ? orderid : `${orderid}:${renewal}`), HAND_OVER_DIGITS);
