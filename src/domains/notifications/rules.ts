/** The texts of messages about orders, and when they are sent. Pure functions. */
import { formatDayTime } from '../../i18n/day-time.ts';
import { formatDay, kolkataDateTime } from '../../lib/dates.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { asPaise, formatKilograms } from '../../lib/money.ts';
import type { Stage } from '../orders/contract.ts';
import type { OrderEvent } from '../orders/events-contract.ts';
import { visitTime } from '../orders/progress-rules.ts';
import { isAwaitingPickup } from '../orders/phase-rules.ts';
import { calculateAmounts, isCancelledStage, isToReturn } from '../orders/rules.ts';
import type { AttemptReason } from '../orders/visit-rules.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from './contract.ts';
import { amountsOfPayment, isRefundReversed, isReversedUnnamed, type PaymentsOfOrder } from './payment-rules.ts';

/** An event of an order, and the order as it is now. */
export interface NotificationSource {
  event: OrderEvent;
  order: {
    id: string;
    stage: string;
    cancelledAt: Date | null;
    returnedAt: Date | null;
    pickupDay: string;
    timeslot: string;
    ratePaise: number;
    offerPercent: number;
    weightGrams: number | null;
    items: number | null;
  };
  /** The evening of another delivery. Null unless the event chose one, and if it is out of date. */
  deliveryDay: string | null;
  /** Null unless the event is of a payment that was received or reversed, or of a refund. */
  payments: PaymentsOfOrder | null;
}

export interface Notification {
  kind: NotificationKind;
  /** The variables of the template. */
  values: Readonly<Record<string, string>>;
}

/** The kinds of events with a message. The trigger `order_events_queued` has the same. */
const MESSAGE_EVENTS = [
  'placed',
  'weighed',
  'moved',
  'cancelled',
  'refunded',
  'rescheduled',
  'attempted',
  'delivery-chosen',
  'paid',
  'payment-reversed',
  'payment-dismissed',
  'claim-message',
] as const;
type MessageEvent = Extract<OrderEvent, { kind: (typeof MESSAGE_EVENTS)[number] }>;

const isMessageEvent = (event: OrderEvent): event is MessageEvent => MESSAGE_EVENTS.some((kind) => kind === event.kind);

/**
 * Returns the kind of the message about an event, also if the event is out of date. Null for an
 * event without a message.
 */
export function kindOfEvent(event: OrderEvent): NotificationKind | null {
  if (!isMessageEvent(event)) return null;
  switch (event.kind) {
    // The customer's own messages send none. The text of a settlement names its amount.
    case 'claim-message':
      if (event.by === 'customer') return null;
      return event.settledPaise ? 'settled' : 'answered';
    case 'weighed':
      return event.reason === undefined ? 'weighed' : 'corrected';
    case 'cancelled':
      if (event.refundPaise <= 0) return 'voided';
      return event.by === 'laundry' ? 'repaid' : 'cancelled';
    case 'moved':
      if (event.stage === 'delivered') return event.reason === undefined ? 'delivered' : 'unconfirmed';
      return event.stage === 'delivery' ? 'delivery' : null;
    case 'delivery-chosen':
      return 'redelivery';
    case 'payment-reversed':
      return event.debitedPaise ? 'recovered' : 'reversed';
    case 'payment-dismissed':
      return 'dismissed';
    case 'placed':
    case 'rescheduled':
    case 'attempted':
    case 'paid':
    case 'refunded':
      return event.kind;
  }
}

/** Two decimals and no currency sign: a ₹ would make the SMS twice as long. */
const formatSmsAmount = (paise: number) => (paise / 100).toFixed(2);

/**
 * Returns the message about an event, or null if there is none or if the event is out of date: the
 * order was cancelled or weighed again since, its cancellation was undone, or its payment was
 * reversed before its message was sent.
 */
export function notificationOf({ event, ...source }: NotificationSource): Notification | null {
  const { order } = source;
  const kind = kindOfEvent(event);
  const values = isMessageEvent(event) ? valuesOf(event, source) : null;
  return kind && values && { kind, values: { order: order.id, ...values } };
}

/** Returns the variables besides `order`, or null if there is no message. */
function valuesOf(event: MessageEvent, { order, deliveryDay, payments }: Omit<NotificationSource, 'event'>): Notification['values'] | null {
  switch (event.kind) {
    case 'refunded':
      return payments && isRefundReversed(event.at, payments) ? null : { amount: formatSmsAmount(event.amountPaise) };
    case 'payment-dismissed':
      return { amount: formatSmsAmount(event.amountPaise) };
    case 'paid': {
      const amounts = payments && amountsOfPayment(event.reference, order.stage, payments);
      return amounts && { amount: formatSmsAmount(amounts.received), rest: formatSmsAmount(amounts.unpaid) };
    }
    case 'payment-reversed':
      if (event.amountPaise === undefined || (payments && isReversedUnnamed(event.reference, event.at, payments))) return null;
      return {
        amount: formatSmsAmount(event.amountPaise),
        ...(event.debitedPaise && { wallet: formatSmsAmount(event.debitedPaise) }),
      };
    case 'cancelled':
      if (order.cancelledAt?.getTime() !== event.at.getTime()) return null;
      return event.refundPaise > 0 ? { amount: formatSmsAmount(event.refundPaise) } : {};
    // A cancelled order can have a claim. Its text stays on the site: it is too long for an SMS.
    case 'claim-message':
      return event.settledPaise ? { amount: formatSmsAmount(event.settledPaise) } : {};
    // The clothes of a cancelled order are brought back.
    case 'attempted':
      return valuesOfVisit(event, order);
    case 'rescheduled':
      // A pickup that the rider has made needs no new day.
      if (order.pickupDay !== event.pickupDay || order.weightGrams !== null) return null;
      return valuesOfPickup(order);
    case 'delivery-chosen':
      // Another evening was chosen, or the rider came, since.
      if (order.stage !== ('delivery' satisfies Stage) || deliveryDay !== event.deliveryDay) return null;
      return { day: formatDay(deliveryDay), slot: order.timeslot };
    case 'placed':
      return valuesOfPickup(order);
    case 'weighed':
      return valuesOfWeighing(event, order);
    case 'moved':
      return isCancelledStage(order.stage) ? null : {};
  }
}

function valuesOfPickup({ stage, pickupDay, timeslot }: NotificationSource['order']): Notification['values'] | null {
  return isCancelledStage(stage) ? null : { day: formatDay(pickupDay), slot: timeslot };
}

/** The older kind without other variables, for an operator who has not registered the new text. */
const OLDER_KINDS: Readonly<Partial<Record<NotificationKind, NotificationKind>>> = {
  corrected: 'weighed',
  unconfirmed: 'delivered',
  repaid: 'cancelled',
  recovered: 'reversed',
};

/**
 * Returns the message as its older kind if its own kind has no template, otherwise unchanged. The
 * result can lack a template, too.
 */
export function withTemplate(notification: Notification | null, hasTemplate: (kind: string) => boolean): Notification | null {
  const older = notification && OLDER_KINDS[notification.kind];
  return older && !hasTemplate(notification.kind) ? { ...notification, kind: older } : notification;
}

/** At most 30 characters, the limit of the operators for a variable. */
const VISIT_REASONS: Readonly<Record<AttemptReason, string>> & Readonly<Record<string, string>> = {
  'nobody-home': 'met nobody',
  'nothing-to-collect': 'there was nothing to collect',
  refused: 'was sent away at the door',
  address: 'did not find your address',
  other: 'the visit did not succeed',
};

/**
 * Returns null if the visit is out of date: the order is weighed, in another stage, or its clothes
 * are returned.
 */
function valuesOfVisit(
  event: Extract<OrderEvent, { kind: 'attempted' }>,
  order: NotificationSource['order'],
): Notification['values'] | null {
  const { stage, weightGrams, cancelledAt, returnedAt } = order;
  const isPickup = isAwaitingPickup(stage, weightGrams);
  const isReturn =
    isToReturn({ stage, weight_grams: weightGrams, returned_at: returnedAt }) && cancelledAt !== null && event.at > cancelledAt;
  if (!isPickup && !isReturn && stage !== ('delivery' satisfies Stage)) return null;
  const why = VISIT_REASONS[event.why] ?? VISIT_REASONS.other;
  return { time: formatDayTime({ code: 'en' }, kolkataDateTime(visitTime(event))), why };
}

function valuesOfWeighing(
  event: Extract<OrderEvent, { kind: 'weighed' }>,
  { stage, weightGrams, items, ratePaise, offerPercent }: NotificationSource['order'],
): Notification['values'] | null {
  if (isCancelledStage(stage) || weightGrams !== event.weightGrams || items !== event.items) return null;
  const amounts = calculateAmounts({ ratePaise: asPaise(ratePaise), offerPercent, weightGrams });
  return amounts && { weight: formatKilograms(weightGrams), items: String(items), amount: formatSmsAmount(amounts.final) };
}

/** Returns true if the kind, or its older kind, has a template. */
export const isKindSent = (kind: NotificationKind, hasTemplate: (kind: string) => boolean): boolean =>
  [kind, OLDER_KINDS[kind]].some((name) => name !== undefined && hasTemplate(name));

/** Returns the kinds of which no message is sent. */
export const listUnsentKinds = (hasTemplate: (kind: string) => boolean): NotificationKind[] =>
  NOTIFICATION_KINDS.filter((kind) => !isKindSent(kind, hasTemplate));

/** The registered texts, with the name of the site and its URL. docs/operations.md repeats them. */
export const templates = ({ brand, url }: { brand: string; url: string }): Readonly<Record<NotificationKind, string>> => ({
  placed: `${brand}: order ##order## is placed. Our rider comes on ##day##, ##slot##. ${url}/auth/orders/vieworder/##order##`,
  rescheduled: `${brand}: the pickup of order ##order## is now on ##day##, ##slot##. Details: ${url}/auth/orders/vieworder/##order##`,
  attempted: `${brand}: our rider came for order ##order## on ##time##, but ##why##. Choose when we come again: ${url}/auth/orders/vieworder/##order##`,
  weighed: `${brand}: your laundry of order ##order## weighs ##weight## kg (pieces: ##items##) and costs Rs.##amount##. See: ${url}/auth/orders/vieworder/##order##`,
  corrected: `${brand}: we corrected the weight of order ##order##: it is ##weight## kg (pieces: ##items##) and costs Rs.##amount##. See why: ${url}/auth/orders/vieworder/##order##`,
  delivery: `${brand}: order ##order## is out for delivery. Give the rider your hand-over code: ${url}/auth/orders/vieworder/##order##`,
  redelivery: `${brand}: the delivery of order ##order## is now on ##day##, ##slot##. Details: ${url}/auth/orders/vieworder/##order##`,
  delivered: `${brand}: order ##order## is delivered. Your bill: ${url}/auth/orders/bill/##order##`,
  unconfirmed: `${brand}: order ##order## was handed over without your code. If you did not get it, tell us here: ${url}/auth/orders/vieworder/##order##`,
  cancelled: `${brand}: order ##order## is cancelled. Back in your wallet: Rs.##amount##.`,
  repaid: `${brand}: order ##order## is cancelled. Back in your wallet: Rs.##amount##. The reason, and when your clothes come: ${url}/auth/orders/vieworder/##order##`,
  voided: `${brand}: order ##order## is cancelled. Details: ${url}/auth/orders/vieworder/##order##`,
  refunded: `${brand}: Rs.##amount## that you paid for order ##order## is back in your wallet.`,
  paid: `${brand}: we have received Rs.##amount## for order ##order##. Left to pay: Rs.##rest##. ${url}/auth/orders/vieworder/##order##`,
  reversed: `${brand}: your payment of Rs.##amount## for order ##order## was taken back and is due again. See why: ${url}/auth/orders/vieworder/##order##`,
  recovered: `${brand}: your payment of Rs.##amount## for order ##order## was taken back, and Rs.##wallet## of it from your wallet. See why: ${url}/auth/orders/vieworder/##order##`,
  dismissed: `${brand}: your UPI payment of Rs.##amount## for order ##order## did not arrive. See why: ${url}/auth/orders/vieworder/##order##`,
  answered: `${brand}: we have answered your report about order ##order##: ${url}/auth/orders/problem/##order##`,
  settled: `${brand}: your report about order ##order## is settled. Paid into your wallet: Rs.##amount##. ${url}/auth/orders/problem/##order##`,
});

/** Replaces the variables of a template, as the gateway does. A missing value becomes empty. */
export const fillTemplate = (template: string, values: Notification['values']): string =>
  template.replaceAll(/##(\w+)##/g, (_all, name: string) => values[name] ?? '');

/** Returns true if the event is more than a day old: its message is of no use any more. */
export const isTooLate = (event: { at: Date }, now: Date): boolean => addSeconds(event.at, DAY_SECONDS) < now;

const FIRST_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 60 * 60;

/** Returns the time of the next attempt after `attempts`, from 1, that were not accepted. */
export const nextAttemptAt = (attempts: number, now: Date): Date =>
  addSeconds(now, Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS));
