/** The texts of messages about orders, and when they are sent. Pure functions. */
import { formatDayTime } from '../../i18n/day-time.ts';
import { formatDay, kolkataDateTime } from '../../lib/dates.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { asPaise, formatKilograms } from '../../lib/money.ts';
import type { Stage } from '../orders/contract.ts';
import { calculateAmounts, isCancelledStage, isToReturn, visitTime } from '../orders/rules.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from './contract.ts';

/** An event of an order, and the order as it is now. */
export interface OrderEventFacts {
  kind: string;
  /** The stage that the order entered with the event. */
  stage: string | null;
  data: Readonly<Record<string, string | number>>;
  at: Date;
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
}

export interface Notification {
  kind: NotificationKind;
  /** The variables of the template. */
  values: Readonly<Record<string, string>>;
}

/** Returns the kind of the message about an event, also if the event is out of date. */
export function kindOfEvent({ kind, stage, data }: Pick<OrderEventFacts, 'kind' | 'stage' | 'data'>): NotificationKind | null {
  if (kind === 'claim-message') return data.settled_paise === undefined ? 'answered' : 'settled';
  if (kind === 'weighed' && data.reason !== undefined) return 'corrected';
  if (kind === 'moved' && stage === 'delivered' && data.reason !== undefined) return 'unconfirmed';
  if (kind === 'cancelled') return Number(data.refund_paise) > 0 ? kind : 'voided';
  const name = stage === 'delivery' || stage === 'delivered' ? stage : kind;
  return NOTIFICATION_KINDS.find((known) => known === name) ?? null;
}

/** Two decimals and no currency sign: a ₹ would make the SMS twice as long. */
const amount = (paise: number) => (paise / 100).toFixed(2);

/**
 * Returns the message about an event, or null if there is none or if the event is out of date: the
 * order was cancelled or weighed again since, or its cancellation was undone.
 */
export function notificationOf({ kind, stage, data, at, order }: OrderEventFacts): Notification | null {
  const base = { order: order.id };
  if (kind === 'refunded') return { kind, values: { ...base, amount: amount(Number(data.amount_paise)) } };
  if (kind === 'cancelled') {
    if (order.cancelledAt?.getTime() !== at.getTime()) return null;
    const refund = Number(data.refund_paise);
    return refund > 0 ? { kind, values: { ...base, amount: amount(refund) } } : { kind: 'voided', values: base };
  }
  // A cancelled order can have a claim.
  if (kind === 'claim-message') return claimNotification(data, base);
  // The clothes of a cancelled order are brought back.
  if (kind === 'attempted') return attemptedNotification(data, at, order);
  if (isCancelledStage(order.stage)) return null;
  if (kind === 'rescheduled') {
    // A pickup that the rider has made needs no new day.
    if (order.pickupDay !== data.pickup_day || order.weightGrams !== null) return null;
    return { kind, values: { ...base, day: formatDay(order.pickupDay), slot: order.timeslot } };
  }
  if (kind === 'placed') return { kind, values: { ...base, day: formatDay(order.pickupDay), slot: order.timeslot } };
  if (kind === 'weighed') return weighedNotification(data, order);
  if (stage !== 'delivery' && stage !== 'delivered') return null;
  return { kind: kindOfEvent({ kind, stage, data }) ?? stage, values: base };
}

/** The older kind with the same variables, for an operator who has not registered the new text. */
const OLDER_KINDS: Readonly<Partial<Record<NotificationKind, NotificationKind>>> = { corrected: 'weighed', unconfirmed: 'delivered' };

/** Returns the message as a kind that has a template, if there is one. */
export function withTemplate(notification: Notification | null, hasTemplate: (kind: string) => boolean): Notification | null {
  const older = notification && OLDER_KINDS[notification.kind];
  return older && !hasTemplate(notification.kind) ? { ...notification, kind: older } : notification;
}

/** The laundry's messages only. The text stays on the site: it is too long for an SMS. */
function claimNotification(data: OrderEventFacts['data'], base: { order: string }): Notification | null {
  if (data.by !== 'laundry') return null;
  if (data.settled_paise === undefined) return { kind: 'answered', values: base };
  return { kind: 'settled', values: { ...base, amount: amount(Number(data.settled_paise)) } };
}

/**
 * Out of date once the order is weighed, in another stage, or its clothes are returned. The reason
 * stays on the site.
 */
function attemptedNotification(data: OrderEventFacts['data'], at: Date, order: OrderEventFacts['order']): Notification | null {
  const { stage, weightGrams, cancelledAt, returnedAt } = order;
  const isPickup = stage === ('pickup' satisfies Stage) && weightGrams === null;
  const isReturn = isToReturn({ stage, weight_grams: weightGrams, returned_at: returnedAt }) && cancelledAt !== null && at > cancelledAt;
  if (!isPickup && !isReturn && stage !== ('delivery' satisfies Stage)) return null;
  const time = formatDayTime({ code: 'en' }, kolkataDateTime(visitTime(data.came_at, at)));
  return { kind: 'attempted', values: { order: order.id, time } };
}

function weighedNotification(data: OrderEventFacts['data'], order: OrderEventFacts['order']): Notification | null {
  const { weightGrams, items } = order;
  if (weightGrams !== data.weight_grams || items !== data.items) return null;
  const amounts = calculateAmounts({ ratePaise: asPaise(order.ratePaise), offerPercent: order.offerPercent, weightGrams });
  if (weightGrams === null || !amounts) return null;
  const values = { order: order.id, weight: formatKilograms(weightGrams), items: String(items), amount: amount(amounts.final) };
  return { kind: data.reason === undefined ? 'weighed' : 'corrected', values };
}

/** The registered texts, with the name of the site and its URL. docs/operations.md repeats them. */
export const templates = ({ brand, url }: { brand: string; url: string }): Readonly<Record<NotificationKind, string>> => ({
  placed: `${brand}: order ##order## is placed. Our rider comes on ##day##, ##slot##. ${url}/auth/orders/vieworder/##order##`,
  rescheduled: `${brand}: the pickup of order ##order## is now on ##day##, ##slot##.`,
  attempted: `${brand}: our rider came for order ##order## on ##time##, but the visit did not succeed. What to do next: ${url}/auth/orders/vieworder/##order##`,
  weighed: `${brand}: order ##order## is weighed: ##weight## kg, pieces: ##items##. Amount Rs.##amount##. ${url}/auth/orders/vieworder/##order##`,
  corrected: `${brand}: the weight of order ##order## is corrected: ##weight## kg, pieces: ##items##. Amount Rs.##amount##. The reason: ${url}/auth/orders/vieworder/##order##`,
  delivery: `${brand}: order ##order## is out for delivery. Give the rider your hand-over code: ${url}/auth/orders/vieworder/##order##`,
  delivered: `${brand}: order ##order## is delivered. Your bill: ${url}/auth/orders/bill/##order##`,
  unconfirmed: `${brand}: order ##order## was handed over without your code. If you did not get it, tell us here: ${url}/auth/orders/vieworder/##order##`,
  cancelled: `${brand}: order ##order## is cancelled. Back in your wallet: Rs.##amount##.`,
  voided: `${brand}: order ##order## is cancelled. Details: ${url}/auth/orders/vieworder/##order##`,
  refunded: `${brand}: Rs.##amount## that you paid for order ##order## is back in your wallet.`,
  answered: `${brand}: we have answered your report about order ##order##: ${url}/auth/orders/problem/##order##`,
  settled: `${brand}: your report about order ##order## is settled. Paid into your wallet: Rs.##amount##. ${url}/auth/orders/problem/##order##`,
});

/** Replaces the variables of a template, as the gateway does. */
export const fillTemplate = (template: string, values: Notification['values']): string =>
  template.replaceAll(/##(\w+)##/g, (_all, name: string) => values[name] ?? '');

/** A message that could not be sent for a day is of no use any more. */
export const isTooLate = (event: { at: Date }, now: Date): boolean => addSeconds(event.at, DAY_SECONDS) < now;

const FIRST_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 60 * 60;

/** The time of the next attempt after `attempts` that the gateway certainly did not accept. */
export const nextAttemptAt = (attempts: number, now: Date): Date =>
  addSeconds(now, Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS));
