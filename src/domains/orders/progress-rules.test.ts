import { expect, test } from 'vitest';
import { WITHOUT_LIMITS } from '../evenings/rules.ts';
import { ORDER_EVENTS, type OrderEvent, type OrderEventContent } from './events-contract.ts';
import {
  codeRenewal,
  bagsAtWeighing,
  deriveProgress,
  hasReportedUpi,
  isCodeShown,
  isRiderExpected,
  type OrderState,
} from './progress-rules.ts';
import { isLate, offeredVisits, promisedBack, repeatEvenings } from './visit-rules.ts';

const at = (time: string) => new Date(`${time.replace(' ', 'T')}+05:30`);

/** Events with their times, which are days of November 2026. */
const eventsOf = (events: readonly [time: string, content: OrderEventContent][]): OrderEvent[] =>
  events.map(([time, content], index) => ({
    stage: ORDER_EVENTS[content.kind].stage,
    ...content,
    id: index + 1,
    at: at(`2026-11-${time}`),
  }));

const PICKUP: OrderState = {
  stage: 'pickup',
  return_day: null,
  pickup_day: '2026-11-21',
  weight_grams: null,
  cancelled_at: null,
  returned_at: null,
};
const DELIVERY: OrderState = { ...PICKUP, stage: 'delivery', weight_grams: 7530 };
const CANCELLED: OrderState = { ...DELIVERY, stage: 'cancelled', cancelled_at: at('2026-11-22 09:00') };

const placed = ['21 10:00', { kind: 'placed' }] as const;
const weighed = ['21 18:00', { kind: 'weighed', weightGrams: 7530, items: 12, isAtDoor: true }] as const;
const out = ['22 15:00', { kind: 'moved', stage: 'delivery' }] as const;
const failed = (time: string, visitedAt?: string) =>
  [time, { kind: 'attempted', why: 'nobody-home', visitedAt: visitedAt === undefined ? undefined : at(`2026-11-${visitedAt}`) }] as const;
const moved = (time: string, pickupDay: string) => [time, { kind: 'rescheduled', pickupDay, by: 'customer' }] as const;
const chosen = (time: string, deliveryDay: string) => [time, { kind: 'delivery-chosen', deliveryDay }] as const;

type Case = [string, OrderState, readonly (readonly [string, OrderEventContent])[], Partial<ReturnType<typeof deriveProgress>>];

const VISIT = { why: 'nobody-home', at: '2026-11-21 18:30:00' };
const BACK = '2026-11-22 21:00:00';

const CASES: Case[] = [
  ['a placed order is due on the evening of its pickup', PICKUP, [placed], { attempt: null, back_by: BACK, due_at: '2026-11-21 21:00:00' }],
  [
    'a promised evening replaces the next day',
    { ...PICKUP, return_day: '2026-11-24' },
    [placed],
    { back_by: '2026-11-24 21:00:00', due_at: '2026-11-21 21:00:00' },
  ],
  ['a failed visit waits for another evening', PICKUP, [placed, failed('21 18:30')], { attempt: VISIT, back_by: BACK }],
  ['its time is that of the door', PICKUP, [placed, failed('21 19:30', '21 18:30')], { attempt: VISIT }],
  [
    'a new pickup day ends it',
    { ...PICKUP, pickup_day: '2026-11-23' },
    [placed, failed('21 18:30'), moved('21 19:00', '2026-11-23')],
    { attempt: null, back_by: '2026-11-24 21:00:00', due_at: '2026-11-23 21:00:00' },
  ],
  ['another visit on the same evening, too', PICKUP, [placed, failed('21 18:30'), moved('21 19:00', '2026-11-21')], { attempt: null }],
  ['a payment does not', PICKUP, [placed, failed('21 18:30'), ['21 19:00', { kind: 'paid', reference: 'tid' }]], { attempt: VISIT }],
  [
    'collected clothes are due when they are promised back',
    { ...PICKUP, weight_grams: 7530 },
    [placed, failed('21 17:30'), weighed],
    { attempt: null, collected_date: '2026-11-21 18:00:00', back_by: BACK, due_at: BACK },
  ],
  [
    'a failed delivery',
    DELIVERY,
    [placed, weighed, out, failed('22 18:30')],
    { attempt: { ...VISIT, at: '2026-11-22 18:30:00' }, delivery_date: null, back_by: BACK, due_at: BACK },
  ],
  [
    'the evening of another delivery is the promise',
    DELIVERY,
    [placed, weighed, out, failed('22 18:30'), chosen('22 19:00', '2026-11-24')],
    { attempt: null, delivery_date: '2026-11-24', back_by: '2026-11-24 21:00:00', due_at: '2026-11-24 21:00:00' },
  ],
  [
    'the next failed visit ends it',
    DELIVERY,
    [placed, weighed, out, failed('22 18:30'), chosen('22 19:00', '2026-11-24'), failed('24 18:30')],
    { attempt: { ...VISIT, at: '2026-11-24 18:30:00' }, delivery_date: null, back_by: BACK },
  ],
  [
    'a delivered order waits for nothing',
    { ...DELIVERY, stage: 'delivered' },
    [placed, weighed, out, ['22 19:00', { kind: 'moved', stage: 'delivered' }]],
    { delivered_date: '2026-11-22 19:00:00', back_by: null, due_at: null },
  ],
  [
    'an order that was moved back has not entered the later stages',
    DELIVERY,
    [placed, weighed, out, ['22 19:00', { kind: 'moved', stage: 'delivered' }], ['22 20:00', { kind: 'moved-back', stage: 'delivery' }]],
    {
      delivered_date: null,
      stages: [
        { stage: 'pickup', entered_at: '2026-11-21 10:00:00' },
        { stage: 'delivery', entered_at: '2026-11-22 15:00:00' },
      ],
      due_at: BACK,
    },
  ],
  [
    'the clothes of a cancelled order go back on the day after',
    CANCELLED,
    [placed, weighed, ['22 09:00', { kind: 'cancelled', by: 'laundry', refundPaise: 0 }]],
    { to_return: true, back_by: '2026-11-23 21:00:00', due_at: '2026-11-23 21:00:00' },
  ],
  [
    'a cancelled order whose clothes are back waits for nothing',
    { ...CANCELLED, returned_at: at('2026-11-22 18:00') },
    [placed, weighed, ['22 09:00', { kind: 'cancelled', by: 'laundry', refundPaise: 0 }], ['22 18:00', { kind: 'returned' }]],
    { to_return: false, back_by: null, due_at: null },
  ],
  [
    'a cancellation that was undone leaves nothing behind',
    PICKUP,
    [placed, ['21 11:00', { kind: 'cancelled', by: 'customer', refundPaise: 0 }], ['21 11:01', { kind: 'cancellation-undone' }]],
    { stages: [{ stage: 'pickup', entered_at: '2026-11-21 10:00:00' }], to_return: false, back_by: BACK },
  ],
];

test.each(CASES)('derives the progress: %s', (_name, order, events, expected) => {
  expect(deriveProgress(order, eventsOf(events.map(([time, content]) => [time, content])))).toMatchObject(expected);
});

const early = { why: 'refused', at: '2026-11-21 18:30:00' };

test.each([
  ['before the deadline', null, '20:59:59', false, true],
  ['after it', null, '21:00:01', true, true],
  ['after it, with a visit that failed in time', early, '21:00:01', false, false],
  ['while the visit can be repeated', early, '19:59:59', false, true],
  ['when it cannot be repeated any more', early, '20:00:00', false, false],
  ['after it, with a visit that failed too late', { ...early, at: '2026-11-21 21:30:00' }, '21:45:00', true, false],
])('compares deadline and promise with the time: %s', (_name, attempt, time, late, isKept) => {
  // Before the pickup, the deadline is that of the visit; afterwards, that of the promise.
  const due = '2026-11-21 21:00:00';
  const [pickup, delivery] = [BACK, due].map((promise) => ({ attempt, due_at: due, back_by: promise }));
  const now = at(`2026-11-21 ${time}`);
  expect([isLate(pickup!, now), promisedBack(pickup!, now)]).toEqual([late, attempt ? null : BACK]);
  expect([isLate(delivery!, now), promisedBack(delivery!, now)]).toEqual([late, isKept ? due : null]);
});

test('an order without a deadline is never late', () => {
  expect(isLate({ attempt: null, due_at: null }, at('2027-01-01 00:00'))).toBe(false);
});

test.each([
  ['2026-11-21 18:45', true],
  ['2026-11-21 19:59', true],
  ['2026-11-21 20:00', false],
  ['2026-11-22 10:00', false],
])('at %s, the visit that failed at 18:30 can be repeated on its evening: %s', (time, canRepeat) => {
  const now = at(time);
  const visit = { attempt: early, due_at: '2026-11-21 21:00:00' };
  expect(repeatEvenings(visit, now)).toEqual(canRepeat ? ['2026-11-21'] : []);
  expect(repeatEvenings({ ...visit, attempt: null }, now)).toEqual([]);
  const days = offeredVisits(WITHOUT_LIMITS, visit, now).map(({ day }) => day);
  expect(days.includes('2026-11-21')).toBe(canRepeat);
  expect(new Set(days).size).toBe(days.length);
});

test.each([
  ['2026-11-21 18:45', ['2026-11-21', '2026-11-22']],
  ['2026-11-21 20:00', ['2026-11-22']],
  // After the cut-off of new orders.
  ['2026-11-22 19:59', ['2026-11-22']],
  ['2026-11-22 20:00', []],
])('at %s, the visit that failed a day early can be repeated on %j, also if they are full', (time, expected) => {
  const now = at(time);
  const visit = { attempt: early, due_at: '2026-11-22 21:00:00' };
  expect(repeatEvenings(visit, now)).toEqual(expected);
  const full = ['2026-11-21', '2026-11-22', '2026-11-23'].map((day) => ({ day, status: 'full' as const, left: null }));
  const offered = offeredVisits({ cut_off: '16:00', evenings: full }, visit, now);
  expect(offered.filter(({ day, status }) => day < '2026-11-24' && status === 'free').map(({ day }) => day)).toEqual(expected);
  expect(offered.map(({ day }) => day)).toEqual(offered.map(({ day }) => day).toSorted());
});

test('the planned evening is not offered after the laundry closed it', () => {
  const closed = [{ day: '2026-11-22', status: 'closed' as const, left: null }];
  const offered = offeredVisits(
    { cut_off: '16:00', evenings: closed },
    { attempt: early, due_at: '2026-11-22 21:00:00' },
    at('2026-11-21 18:45'),
  );
  expect(offered.slice(0, 2).map(({ day }) => day)).toEqual(['2026-11-21', '2026-11-23']);
});

const handedOver = ['22 19:00', { kind: 'moved', stage: 'delivered' }] as const;
const back = ['22 19:01', { kind: 'moved-back', stage: 'delivery' }] as const;
const locked = ['22 18:45', { kind: 'code-locked' }] as const;
const renewed = ['22 18:50', { kind: 'code-renewed' }] as const;
const historyOf = (...events: readonly (readonly [string, OrderEventContent])[]) =>
  eventsOf(events.map(([time, content]) => [time, content]));

test('an order that was moved back is in the stage that it entered before', () => {
  const { stages } = deriveProgress(DELIVERY, historyOf(placed, out, handedOver, back));
  expect(stages.map(({ stage }) => stage)).toEqual(['pickup', 'delivery']);
  expect(deriveProgress(DELIVERY, historyOf(back)).stages).toEqual([{ stage: 'delivery', entered_at: '2026-11-22 19:01:00' }]);
  expect(
    deriveProgress(
      { ...PICKUP, weight_grams: 7530 },
      historyOf(placed, weighed, out, ['22 19:01', { kind: 'moved-back', stage: 'pickup' }]),
    ).stages,
  ).toEqual([{ stage: 'pickup', entered_at: '2026-11-21 10:00:00' }]);
});

test('an order enters a stage twice if it was not moved back', () => {
  expect(deriveProgress(DELIVERY, historyOf(out, out)).stages).toHaveLength(2);
});

test('a cancelled order has the stage of its cancellation last', () => {
  const { stages } = deriveProgress(CANCELLED, historyOf(placed, ['22 09:00', { kind: 'cancelled', by: 'laundry', refundPaise: 0 }]));
  expect(stages).toEqual([
    { stage: 'pickup', entered_at: '2026-11-21 10:00:00' },
    { stage: 'cancelled', entered_at: '2026-11-22 09:00:00' },
  ]);
});

test('an order without events has no visit and no delivery', () => {
  expect(deriveProgress(PICKUP, [])).toMatchObject({ stages: [], attempt: null, delivery_date: null, collected_date: null });
});

test('the bags are those of the last weighing that counted them', () => {
  const counted = (bags?: number) => ['21 18:00', { kind: 'weighed', weightGrams: 7530, items: 12, isAtDoor: true, bags }] as const;
  expect(bagsAtWeighing(historyOf(placed, counted(2), counted(3), counted(), out))).toBe(3);
  expect(bagsAtWeighing(historyOf(placed, counted()))).toBeNull();
});

test('a new code, a hand-over and a return change the hand-over code', () => {
  expect(codeRenewal(historyOf(placed, out, locked))).toBeNull();
  expect(codeRenewal(historyOf(placed, renewed, locked))).toBe(2);
  expect(codeRenewal(historyOf(placed, renewed, handedOver, back))).toBe(3);
  expect(codeRenewal(historyOf(placed, ['22 19:00', { kind: 'returned' }], ['22 19:01', { kind: 'return-undone' }]))).toBe(2);
});

test.each<[string, OrderState, readonly (readonly [string, OrderEventContent])[], boolean]>([
  ['out for delivery', DELIVERY, [placed, out], true],
  ['clothes to return', CANCELLED, [placed, out], true],
  ['a locked code', DELIVERY, [out, locked, failed('22 18:47')], false],
  ['a new code', DELIVERY, [out, locked, renewed], true],
  ['a new code that is locked again', DELIVERY, [out, renewed, locked], false],
  ['a pickup', PICKUP, [placed], false],
  ['a delivered order', { ...DELIVERY, stage: 'delivered' }, [out, handedOver], false],
])('the hand-over code is shown or not: %s', (_name, order, events, expected) => {
  expect(isCodeShown(order, historyOf(...events))).toBe(expected);
});

test.each<[string, OrderState, boolean]>([
  ['a pickup', PICKUP, true],
  ['collected clothes', { ...PICKUP, weight_grams: 7530 }, false],
  ['clothes in the queue', { ...DELIVERY, stage: 'queue' }, false],
  ['a queue without a weight', { ...PICKUP, stage: 'queue' }, false],
  ['a delivery', DELIVERY, true],
])('the rider is expected or not: %s', (_name, order, expected) => {
  expect(isRiderExpected(order)).toBe(expected);
});

test('a reported UPI payment waits until it is received, dismissed or failed', () => {
  const reported = (reference: string) => ['22 19:00', { kind: 'payment-reported', reference }] as const;
  const ends: OrderEventContent[] = [
    { kind: 'paid', reference: 'one' },
    { kind: 'payment-dismissed', reference: 'one', amountPaise: 1 },
    { kind: 'payment-failed', reference: 'one' },
  ];
  expect(hasReportedUpi(historyOf(reported('one')))).toBe(true);
  expect(hasReportedUpi(historyOf(placed))).toBe(false);
  for (const end of ends) {
    expect(hasReportedUpi(historyOf(reported('one'), ['22 19:01', end])), end.kind).toBe(false);
    expect(hasReportedUpi(historyOf(reported('one'), reported('other'), ['22 19:01', end])), end.kind).toBe(true);
  }
  expect(hasReportedUpi(historyOf(reported('one'), ['22 19:01', { kind: 'payment-reversed', reference: 'one' }]))).toBe(true);
});
