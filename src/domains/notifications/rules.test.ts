import { expect, test } from 'vitest';
import { asPaise } from '../../lib/money.ts';
import type { OrderEventContent } from '../orders/events-contract.ts';
import { ATTEMPT_REASONS } from '../orders/visit-rules.ts';
import type { NotificationKind } from './contract.ts';
import {
  fillTemplate,
  isTooLate,
  kindOfEvent,
  nextAttemptAt,
  notificationOf,
  templates,
  withTemplate,
  type NotificationSource,
} from './rules.ts';

const AT = new Date('2026-11-21T13:00:00Z');
const before = new Date('2026-11-21T12:00:00Z');
const payment = { reference: 'r', method: 'cash', amountPaise: asPaise(10_000), receivedAt: before, reversal: null } as const;
type Order = NotificationSource['order'];

const eventOf = (content: OrderEventContent | { kind: 'unknown'; name: string }): NotificationSource['event'] => ({
  id: 1,
  at: AT,
  stage: null,
  ...content,
});
const orderOf = (change: Partial<Order> = {}): Order => ({
  id: 'A',
  stage: 'pickup',
  cancelledAt: null,
  returnedAt: null,
  pickupDay: '2026-11-22',
  timeslot: '05:00 - 09:00 PM',
  ratePaise: 3800,
  offerPercent: 0,
  weightGrams: null,
  items: null,
  ...change,
});
const payments = { isUnassigned: false, finalPaise: asPaise(28_614), payments: [payment] };
const weighed = { weightGrams: 7530, items: 12 };
const valuesOf = (content: OrderEventContent, change: Partial<Order> = {}) =>
  notificationOf({ event: eventOf(content), order: orderOf(change), deliveryDay: '2026-11-24', payments })?.values ?? null;

test.each<[kind: NotificationKind | null, content: Parameters<typeof eventOf>[0]]>([
  ['placed', { kind: 'placed' }],
  ['weighed', { kind: 'weighed', ...weighed, isAtDoor: true }],
  ['corrected', { kind: 'weighed', ...weighed, isAtDoor: true, reason: 'A towel more' }],
  [null, { kind: 'moved', stage: 'queue' }],
  ['delivery', { kind: 'moved', stage: 'delivery' }],
  ['redelivery', { kind: 'delivery-chosen', deliveryDay: '2026-11-24' }],
  ['delivered', { kind: 'moved', stage: 'delivered' }],
  ['unconfirmed', { kind: 'moved', stage: 'delivered', reason: 'Left with the guard' }],
  ['cancelled', { kind: 'cancelled', by: 'customer', refundPaise: 1 }],
  ['repaid', { kind: 'cancelled', by: 'laundry', refundPaise: 1 }],
  ['voided', { kind: 'cancelled', by: 'laundry', refundPaise: 0 }],
  ['refunded', { kind: 'refunded', amountPaise: 1 }],
  ['rescheduled', { kind: 'rescheduled', pickupDay: '2026-11-22' }],
  ['attempted', { kind: 'attempted', why: 'refused' }],
  ['reversed', { kind: 'payment-reversed', reference: 'r' }],
  ['recovered', { kind: 'payment-reversed', reference: 'r', debitedPaise: 5375 }],
  ['dismissed', { kind: 'payment-dismissed', reference: 'r', amountPaise: 1 }],
  [null, { kind: 'claim-message', claimId: 'c', by: 'customer' }],
  ['answered', { kind: 'claim-message', claimId: 'c', by: 'laundry' }],
  ['settled', { kind: 'claim-message', claimId: 'c', by: 'laundry', settledPaise: 5000 }],
  ['answered', { kind: 'claim-message', claimId: 'c', by: 'laundry', settledPaise: 0 }],
  ['paid', { kind: 'paid', reference: 'r' }],
  [null, { kind: 'payment-failed', reference: 'r' }],
  [null, { kind: 'unknown', name: 'of a newer version' }],
])('sends the message %s', (kind, content) => {
  expect(kindOfEvent(eventOf(content))).toBe(kind);
});

test('an event without a message has no notification', () => {
  expect(
    notificationOf({ event: eventOf({ kind: 'payment-failed', reference: 'r' }), order: orderOf(), deliveryDay: null, payments }),
  ).toBeNull();
  expect(notificationOf({ event: eventOf({ kind: 'moved', stage: 'queue' }), order: orderOf(), deliveryDay: null, payments })).toBeNull();
});

const CANCELLED = { stage: 'cancelled', cancelledAt: AT };
const PICKUP = { order: 'A', day: 'Nov 22, 2026', slot: '05:00 - 09:00 PM' };
const WEIGHING = { kind: 'weighed', ...weighed, isAtDoor: false } as const;
const VISIT = { kind: 'attempted', why: 'nobody-home' } as const;
const VISITED = { order: 'A', time: 'Sat, Nov 21, 6:30 PM', why: 'met nobody' };
const RESCHEDULED = { kind: 'rescheduled', pickupDay: '2026-11-22' } as const;

test.each<[name: string, content: OrderEventContent, change: Partial<Order>, values: Record<string, string> | null]>([
  ['an order', { kind: 'placed' }, {}, PICKUP],
  ['an order that is cancelled since', { kind: 'placed' }, CANCELLED, null],
  ['another day', RESCHEDULED, {}, PICKUP],
  ['a day that changed again since', RESCHEDULED, { pickupDay: '2026-11-23' }, null],
  ['a day of clothes that are collected', RESCHEDULED, weighed, null],
  ['a day of a cancelled order', RESCHEDULED, CANCELLED, null],
  ['a weighing', WEIGHING, weighed, { order: 'A', weight: '7.53', items: '12', amount: '286.14' }],
  ['a weighing under an offer', WEIGHING, { ...weighed, offerPercent: 50 }, { order: 'A', weight: '7.53', items: '12', amount: '143.07' }],
  ['another weight', WEIGHING, { ...weighed, weightGrams: 7540 }, null],
  ['other pieces', WEIGHING, { ...weighed, items: 13 }, null],
  ['a weighing of a cancelled order', WEIGHING, { ...weighed, ...CANCELLED }, null],
  ['a delivery', { kind: 'moved', stage: 'delivery' }, { ...weighed, stage: 'delivery' }, { order: 'A' }],
  ['another delivery', { kind: 'delivery-chosen', deliveryDay: '2026-11-24' }, { stage: 'delivery' }, { ...PICKUP, day: 'Nov 24, 2026' }],
  ['another delivery that changed since', { kind: 'delivery-chosen', deliveryDay: '2026-11-23' }, { stage: 'delivery' }, null],
  ['another delivery of a delivered order', { kind: 'delivery-chosen', deliveryDay: '2026-11-24' }, { stage: 'delivered' }, null],
  ['a delivery of a cancelled order', { kind: 'moved', stage: 'delivery' }, CANCELLED, null],
  ['a refund', { kind: 'refunded', amountPaise: 14_350 }, CANCELLED, { order: 'A', amount: '143.50' }],
  ['a payment', { kind: 'paid', reference: 'r' }, { stage: 'queue' }, { order: 'A', amount: '100.00', rest: '186.14' }],
  ['a payment that is unknown', { kind: 'paid', reference: 's' }, { stage: 'queue' }, null],
  ['a payment of a cancelled order', { kind: 'paid', reference: 'r' }, CANCELLED, null],
  ['a reversal', { kind: 'payment-reversed', reference: 'r', amountPaise: 10_000 }, {}, { order: 'A', amount: '100.00' }],
  ['a reversal of an older version', { kind: 'payment-reversed', reference: 'r' }, {}, null],
  ['a dismissed payment', { kind: 'payment-dismissed', reference: 'r', amountPaise: 10_000 }, {}, { order: 'A', amount: '100.00' }],
  ['a cancellation', { kind: 'cancelled', by: 'customer', refundPaise: 0 }, CANCELLED, { order: 'A' }],
  ['its refund', { kind: 'cancelled', by: 'customer', refundPaise: 10_000 }, CANCELLED, { order: 'A', amount: '100.00' }],
  ['an undone cancellation', { kind: 'cancelled', by: 'customer', refundPaise: 0 }, {}, null],
  ['an older cancellation', { kind: 'cancelled', by: 'customer', refundPaise: 0 }, { ...CANCELLED, cancelledAt: before }, null],
  ['a response', { kind: 'claim-message', claimId: 'c', by: 'laundry' }, CANCELLED, { order: 'A' }],
  ['a settlement without a credit', { kind: 'claim-message', claimId: 'c', by: 'laundry', settledPaise: 0 }, {}, { order: 'A' }],
  ['a settlement', { kind: 'claim-message', claimId: 'c', by: 'laundry', settledPaise: 5000 }, {}, { order: 'A', amount: '50.00' }],
  ['a visit for the pickup', VISIT, {}, VISITED],
  ['a visit that was noted later', { ...VISIT, visitedAt: before }, {}, { ...VISITED, time: 'Sat, Nov 21, 5:30 PM' }],
  ['a visit for clothes that are collected', VISIT, weighed, null],
  ['a visit for clothes in the machine', VISIT, { ...weighed, stage: 'washing' }, null],
  ['a visit for the delivery', VISIT, { ...weighed, stage: 'delivery' }, VISITED],
  ['a visit to return clothes', VISIT, { ...weighed, ...CANCELLED, cancelledAt: before }, VISITED],
  ['a visit before the cancellation', VISIT, { ...weighed, ...CANCELLED }, null],
  ['a visit for clothes that are returned', VISIT, { ...weighed, ...CANCELLED, cancelledAt: before, returnedAt: AT }, null],
  ['a visit for a cancelled order without clothes', VISIT, { ...CANCELLED, cancelledAt: before }, null],
])('%s: the message has its values, or is out of date', (_name, content, change, values) => {
  expect(valuesOf(content, change)).toEqual(values);
});

test('each reason of a visit has a text of at most 30 characters, and an unknown one that of any other', () => {
  const texts = ATTEMPT_REASONS.map((why) => valuesOf({ kind: 'attempted', why })?.why);
  expect(texts).toEqual([
    'met nobody',
    'there was nothing to collect',
    'was sent away at the door',
    'did not find your address',
    'the visit did not succeed',
  ]);
  expect(texts.filter((text) => (text?.length ?? 0) > 30)).toEqual([]);
  expect(valuesOf({ kind: 'attempted', why: 'of a newer version' })?.why).toBe('the visit did not succeed');
});

test.each<[kind: NotificationKind, registered: readonly string[], sent: NotificationKind]>([
  ['corrected', ['corrected', 'weighed'], 'corrected'],
  ['corrected', ['weighed'], 'weighed'],
  ['unconfirmed', ['delivered'], 'delivered'],
  ['repaid', ['cancelled', 'voided'], 'cancelled'],
  ['recovered', ['reversed'], 'reversed'],
  ['placed', [], 'placed'],
])('%s is sent with the templates %s as %s', (kind, registered, sent) => {
  const values = { order: 'A' };
  expect(withTemplate({ kind, values }, (name) => registered.includes(name))).toEqual({ kind: sent, values });
});

test('no notification has no template', () => {
  expect(withTemplate(null, () => false)).toBeNull();
});

test('fills the registered texts', () => {
  const site = { brand: 'Dhulai', url: 'https://laundry.example' };
  const values = {
    order: '7',
    day: 'DAY',
    slot: 'SLOT',
    time: 'TIME',
    why: 'WHY',
    weight: 'KG',
    items: 'ITEMS',
    amount: 'RS',
    rest: 'REST',
    wallet: 'WALLET',
  };
  const page = 'https://laundry.example/auth/orders/vieworder/7';
  const report = 'https://laundry.example/auth/orders/problem/7';
  const filled = Object.fromEntries(Object.entries(templates(site)).map(([kind, text]) => [kind, fillTemplate(text, values)]));
  expect(filled).toEqual({
    placed: `Dhulai: order 7 is placed. Our rider comes on DAY, SLOT. ${page}`,
    rescheduled: `Dhulai: the pickup of order 7 is now on DAY, SLOT. Details: ${page}`,
    attempted: `Dhulai: our rider came for order 7 on TIME, but WHY. Choose when we come again: ${page}`,
    weighed: `Dhulai: your laundry of order 7 weighs KG kg (pieces: ITEMS) and costs Rs.RS. See: ${page}`,
    corrected: `Dhulai: we corrected the weight of order 7: it is KG kg (pieces: ITEMS) and costs Rs.RS. See why: ${page}`,
    delivery: `Dhulai: order 7 is out for delivery. Give the rider your hand-over code: ${page}`,
    redelivery: `Dhulai: the delivery of order 7 is now on DAY, SLOT. Details: ${page}`,
    delivered: 'Dhulai: order 7 is delivered. Your bill: https://laundry.example/auth/orders/bill/7',
    unconfirmed: `Dhulai: order 7 was handed over without your code. If you did not get it, tell us here: ${page}`,
    cancelled: 'Dhulai: order 7 is cancelled. Back in your wallet: Rs.RS.',
    repaid: `Dhulai: order 7 is cancelled. Back in your wallet: Rs.RS. The reason, and when your clothes come: ${page}`,
    voided: `Dhulai: order 7 is cancelled. Details: ${page}`,
    refunded: 'Dhulai: Rs.RS that you paid for order 7 is back in your wallet.',
    paid: `Dhulai: we have received Rs.RS for order 7. Left to pay: Rs.REST. ${page}`,
    reversed: `Dhulai: your payment of Rs.RS for order 7 was taken back and is due again. See why: ${page}`,
    recovered: `Dhulai: your payment of Rs.RS for order 7 was taken back, and Rs.WALLET of it from your wallet. See why: ${page}`,
    dismissed: `Dhulai: your UPI payment of Rs.RS for order 7 did not arrive. See why: ${page}`,
    answered: `Dhulai: we have answered your report about order 7: ${report}`,
    settled: `Dhulai: your report about order 7 is settled. Paid into your wallet: Rs.RS. ${report}`,
  });
});

test('a variable without a value is empty', () => {
  expect(fillTemplate('##order## of ##nobody##.', { order: 'A' })).toBe('A of .');
});

test('a message is of no use after a day', () => {
  expect(isTooLate({ at: AT }, new Date('2026-11-22T13:00:00Z'))).toBe(false);
  expect(isTooLate({ at: AT }, new Date('2026-11-22T13:00:00.001Z'))).toBe(true);
});

test.each([
  [1, 30],
  [2, 60],
  [7, 1920],
  [8, 3600],
  [50, 3600],
])('after %i attempts the next one is %i s later', (attempts, seconds) => {
  expect((nextAttemptAt(attempts, AT).getTime() - AT.getTime()) / 1000).toBe(seconds);
});
