/** Describes the events of an order to its customer. docs/decisions/0072. */
import { kolkataDateTime } from '../../lib/dates.ts';
import { asPaise } from '../../lib/money.ts';
import { digitsOf, type KeyedHash } from '../../security/tokens.server.ts';
import type { Stage } from './contract.ts';
import type { HistoryKind, OrderHistoryEntry } from './history-contract.ts';
import { calculateAmounts, visitTime } from './rules.ts';

export interface HistoryEvent {
  id: number;
  kind: string;
  stage: string | null;
  data: Readonly<Record<string, string | number>>;
  at: Date;
}

interface Prices {
  rate_paise: number;
  offer_percent: number;
}

/**
 * Returns what the customer reads, the oldest entry first. Leaves out what was undone: a
 * cancellation, and a move that the staff took back without a reason.
 */
export function describeHistory(events: readonly HistoryEvent[], prices: Prices): OrderHistoryEntry[] {
  let entries: OrderHistoryEntry[] = [];
  const removeLast = (isUndone: (entry: OrderHistoryEntry) => boolean) => {
    const undone = entries.findLast(isUndone);
    entries = entries.filter((entry) => entry !== undone);
  };
  for (const event of events) {
    if (event.kind === 'cancellation-undone') removeLast(({ kind }) => kind === 'cancelled');
    else if (event.kind === 'moved-back' && textOf(event.data.reason) === undefined) removeLast(({ kind }) => MOVES.has(kind));
    else {
      const entry = describeEvent(event, entries, prices);
      if (entry) entries.push(entry);
    }
  }
  // A failed visit can be noted later than it was made.
  return entries.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

const MOVES: ReadonlySet<string> = new Set<HistoryKind>(['moved', 'delivered-without-code']);

/** Returns undefined for an event that the customer does not read. */
function describeEvent(event: HistoryEvent, before: readonly OrderHistoryEntry[], prices: Prices): OrderHistoryEntry | undefined {
  const { kind, stage, data, at } = event;
  const reason = textOf(data.reason);
  const base = { at: kolkataDateTime(at), ...(reason !== undefined && { reason }) };
  switch (kind) {
    case 'weighed':
      return describeWeighing(event, before, prices, base);
    case 'moved': {
      const isWithoutCode = stage === ('delivered' satisfies Stage) && reason !== undefined;
      return { ...base, kind: isWithoutCode ? 'delivered-without-code' : kind, ...(stage && { stage }) };
    }
    case 'moved-back':
      return { ...base, kind, ...(stage && { stage }) };
    case 'rescheduled': {
      const [by, day, from] = [textOf(data.by), textOf(data.pickup_day), textOf(data.from_day)];
      return { ...base, kind, ...(by && { by }), ...(day && { pickup_date: day }), ...(from && { from_date: from }) };
    }
    case 'delivery-chosen': {
      const day = textOf(data.delivery_day);
      return { ...base, kind, ...(day && { delivery_date: day }) };
    }
    case 'attempted':
      return { kind, at: kolkataDateTime(visitTime(data.came_at, at)), why: textOf(data.why) ?? '' };
    case 'photographed':
      return { ...base, kind, photoid: String(data.photo_id) };
    case 'placed':
    case 'cancelled':
    case 'code-locked':
    case 'code-renewed':
      return { ...base, kind };
    default:
      return undefined;
  }
}

function describeWeighing(
  { data }: HistoryEvent,
  before: readonly OrderHistoryEntry[],
  { rate_paise, offer_percent: offerPercent }: Prices,
  base: Pick<OrderHistoryEntry, 'at' | 'reason'>,
): OrderHistoryEntry | undefined {
  const [weightGrams, items] = [Number(data.weight_grams), Number(data.items)];
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
    ...(typeof data.bags === 'number' && { bags: data.bags }),
    ...(data.at_door === 1 && { at_door: true }),
  };
}

/** Returns the bags that were counted last at a weighing, or null. */
export const countedBags = (events: readonly HistoryEvent[]): number | null => {
  const bags = events.findLast(({ kind, data }) => kind === 'weighed' && typeof data.bags === 'number')?.data.bags;
  return typeof bags === 'number' ? bags : null;
};

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

/** Returns the id of the event that made the present hand-over code, or null for the first code. */
export const codeRenewal = (events: readonly Pick<HistoryEvent, 'id' | 'kind'>[]): number | null =>
  events.findLast(({ kind }) => kind === 'code-renewed')?.id ?? null;

/** Returns true if the present hand-over code was wrong too often. */
export const isCodeLocked = (events: readonly Pick<HistoryEvent, 'kind'>[]): boolean =>
  events.findLast(({ kind }) => kind === 'code-locked' || kind === 'code-renewed')?.kind === 'code-locked';

const textOf = (value: string | number | undefined) => (typeof value === 'string' ? value : undefined);
