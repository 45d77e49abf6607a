/** Describes the events of an order to its customer. docs/decisions/0072 and 0097. */
import { kolkataDateTime } from '../../lib/dates.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import { digitsOf, type KeyedHash } from '../../security/tokens.server.ts';
import type { OverpaymentChange } from '../wallet/store.server.ts';
import type { OrderEvent } from './events-contract.ts';
import type { HistoryKind, OrderHistoryEntry } from './history-contract.ts';
import { visitTime } from './progress-rules.ts';
import { calculateAmounts } from './rules.ts';
import type { RecordedPaymentRow } from './store.server.ts';

/** The prices, payments and refunds of an order, which its events do not contain. */
interface HistorySource {
  rate_paise: Paise;
  offer_percent: number;
  recorded_payments: readonly RecordedPaymentRow[];
  overpayment_changes: readonly OverpaymentChange[];
}

/**
 * Returns the entries that the customer reads, the oldest first. Omits changes that were undone:
 * the refund of a cancellation, and a move or return that the staff undid without a reason.
 */
export function describeHistory(events: readonly OrderEvent[], source: HistorySource): OrderHistoryEntry[] {
  const reports = new Set<string>();
  let entries: OrderHistoryEntry[] = [];
  const removeLast = (isUndone: (entry: OrderHistoryEntry) => boolean) => {
    const undone = entries.findLast(isUndone);
    entries = entries.filter((entry) => entry !== undone);
  };
  for (const event of events) {
    if (event.kind === 'return-undone' && event.reason === undefined) removeLast(({ kind }) => RETURNS.has(kind));
    else if (event.kind === 'moved-back' && event.reason === undefined) removeLast(({ kind }) => MOVES.has(kind));
    else {
      const entry = event.kind === 'claim-message' ? describeReport(event, reports) : describeEvent(event, entries, source);
      if (entry) entries.push(entry);
    }
  }
  // A failed visit can be noted later than it was made.
  return [...entries, ...describeRefunds(events, source)].toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

const findPayment = ({ recorded_payments: payments }: HistorySource, reference: string) =>
  payments.find((payment) => payment.reference === reference);

const MOVES: ReadonlySet<string> = new Set<HistoryKind>(['moved', 'delivered-without-code']);

const RETURNS: ReadonlySet<string> = new Set<HistoryKind>(['returned', 'returned-without-code']);

/**
 * Returns undefined for an event that the customer does not read, for a refund, which
 * `describeRefunds` describes, for a weighing with the same result, and for a payment that `source`
 * does not have.
 */
function describeEvent(
  event: Exclude<OrderEvent, { kind: 'claim-message' }>,
  before: readonly OrderHistoryEntry[],
  source: HistorySource,
): OrderHistoryEntry | undefined {
  const base = { at: kolkataDateTime(event.at), ...('reason' in event && event.reason !== undefined && { reason: event.reason }) };
  const { kind } = event;
  switch (kind) {
    case 'weighed':
      return describeWeighing(event, before, source, base);
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
    case 'paid': {
      const payment = findPayment(source, event.reference);
      return payment && { ...base, kind, method: payment.method, amount: payment.amount_paise };
    }
    case 'payment-dismissed':
      return { ...base, kind, amount: asPaise(event.amountPaise) };
    case 'payment-reversed': {
      const payment = findPayment(source, event.reference);
      return {
        ...base,
        kind,
        ...(payment && { amount: payment.amount_paise, paid_at: kolkataDateTime(new Date(payment.settled_at)) }),
        ...(event.cash === 'given-back' && { given_back: true }),
      };
    }
    case 'photographed':
      return { ...base, kind, photoid: event.photoId };
    case 'placed':
    case 'cancelled':
    case 'cancellation-undone':
    case 'return-undone':
    case 'code-locked':
    case 'code-renewed':
      return { ...base, kind };
    case 'assigned':
    case 'wrong-code':
    case 'bags-counted':
    case 'bags-explained':
    case 'claim-assigned':
    // `describeRefunds` describes every refund, also that of a cancellation.
    case 'refunded':
    case 'refund-reversed':
    case 'payment-begun':
    case 'payment-reported':
    case 'payment-failed':
    case 'unknown':
      return undefined;
  }
}

/** Returns undefined if weight, items and bags are those of the last weighing in `before`. */
function describeWeighing(
  { weightGrams, items, bags, isAtDoor }: Extract<OrderEvent, { kind: 'weighed' }>,
  before: readonly OrderHistoryEntry[],
  { rate_paise, offer_percent: offerPercent }: HistorySource,
  base: Pick<OrderHistoryEntry, 'at' | 'reason'>,
): OrderHistoryEntry | undefined {
  const last = before.findLast(({ weight }) => weight !== undefined);
  const bagsBefore = before.findLast((entry) => entry.bags !== undefined)?.bags;
  const isOfSameBags = bags === undefined || bagsBefore === undefined || bags === bagsBefore;
  if (last?.weight === weightGrams && last.items === items && isOfSameBags) return undefined;
  const amounts = calculateAmounts({ ratePaise: rate_paise, offerPercent, weightGrams });
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

/** Describes a message in the thread of a report. `reports` are those that have one already. */
function describeReport(
  { at, claimId, by, settledPaise }: Extract<OrderEvent, { kind: 'claim-message' }>,
  reports: Set<string>,
): OrderHistoryEntry {
  const isFirst = !reports.has(claimId);
  reports.add(claimId);
  const kind = by === 'customer' ? (isFirst ? 'reported' : 'report-continued') : settledPaise === undefined ? 'answered' : 'settled';
  return {
    kind: kind satisfies HistoryKind,
    at: kolkataDateTime(at),
    ...(settledPaise !== undefined && settledPaise > 0 && { amount: asPaise(settledPaise) }),
  };
}

/** Describes the changes of the wallet that its payments caused, without undone cancellations. */
function describeRefunds(events: readonly OrderEvent[], { overpayment_changes: changes }: HistorySource): OrderHistoryEntry[] {
  const paise = new Map(changes.map(({ created_at: at, amount_paise: amount }) => [new Date(at).getTime(), amount]));
  for (const [index, { kind, at }] of events.entries()) {
    if (kind !== 'cancellation-undone') continue;
    const cancelled = events.slice(0, index).findLast((event) => event.kind === 'cancelled');
    const times = [cancelled?.at.getTime() ?? 0, at.getTime()];
    // Otherwise a payment has arrived meanwhile.
    const isUndone = times.reduce((sum, time) => sum + (paise.get(time) ?? 0), 0) === 0;
    if (isUndone) for (const time of times) paise.delete(time);
  }
  return [...paise].flatMap(([time, amount]) =>
    amount === 0
      ? []
      : {
          kind: (amount > 0 ? 'refunded' : 'refund-reversed') satisfies HistoryKind,
          at: kolkataDateTime(new Date(time)),
          amount: asPaise(Math.abs(amount)),
        },
  );
}

/**
 * Returns the code that the customer gives to the rider. Each renewal, the id of an event, makes
 * another one.
 */
export type HandOverCode = (orderid: string, renewal: number | null) => string;

const HAND_OVER_DIGITS = 4;

/** Returns a `HandOverCode` whose codes have `HAND_OVER_DIGITS` digits. */
export const createHandOverCode =
  (hash: KeyedHash): HandOverCode =>
  (orderid, renewal) =>
    digitsOf(hash(renewal === null ? orderid : `${orderid}:${renewal}`), HAND_OVER_DIGITS);
