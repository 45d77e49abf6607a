import { expect, test } from 'vitest';
import { listedOrder } from '../../../../test/support/listed-order.ts';
import { addSeconds, DAY_SECONDS } from '../../../lib/clock.ts';
import { startOfKolkataDay } from '../../../lib/dates.ts';
import { asPaise } from '../../../lib/money.ts';
import type { Stage } from '../../orders/contract.ts';
import type { OrderEvent, OrderEventContent } from '../../orders/events-contract.ts';
import type { Role } from '../../staff/desk/contract.ts';
import { RETURNED, type DeskOrder, type ListedOrder } from './contract.ts';
import {
  actionStateOf,
  areMobilesHidden,
  canStillWeigh,
  changeMeanwhile,
  visitNote,
  doClocksDiffer,
  isAllowed,
  isDueTonight,
  isHandOver,
  isNotedTooOften,
  isPlausibleDeviceTime,
  isToFinishTonight,
  lastMove,
  laterVisitDay,
  mayDo,
  nextOf,
  nextActions,
  riderDays,
  upcomingSlotStart,
  visitTimeOf,
  type ActionState,
  type DeskAction,
} from './rules.ts';

const visit = { why: 'nobody-home', at: '2026-11-21 18:00:00' };
const delivery = { stage: 'delivery', weight: 7530, items: 12, pickup_date: '2026-11-20' };

test.each<[string, Partial<ListedOrder>, string, boolean]>([
  ['a pickup of tonight', {}, '21T18:00', true],
  ['a pickup of tomorrow', {}, '20T18:00', false],
  ['a late pickup', {}, '21T21:01', false],
  ['clothes to bring back tonight', { ...delivery, due_at: '2026-11-21 21:00:00' }, '21T09:00', true],
  ['a failed visit', { attempt: visit }, '21T18:30', false],
  ['a delivered order', { ...delivery, stage: 'delivered', due_at: null }, '21T18:00', false],
])('%s is due tonight or not', (_name, change, time, expected) => {
  expect(isDueTonight(listedOrder(change), new Date(`2026-11-${time}:00+05:30`))).toBe(expected);
});

test.each<[string, Partial<ListedOrder>, boolean]>([
  ['a pickup of tonight', {}, false],
  ['clothes that are not washed', { ...delivery, stage: 'queue' }, true],
  ['clothes in the machine', { ...delivery, stage: 'washing' }, true],
  ['clothes in the machine of tomorrow', { ...delivery, stage: 'washing', due_at: '2026-11-22 21:00:00' }, false],
  ['a delivery of tonight', delivery, false],
])('%s: the laundry has to finish them tonight or not', (_name, change, expected) => {
  expect(isToFinishTonight(listedOrder(change), new Date('2026-11-21T18:00:00+05:30'))).toBe(expected);
});

test.each<[string, Partial<ListedOrder>, string | null]>([
  ['a pickup of tonight', {}, null],
  ['a pickup of tomorrow', { pickup_date: '2026-11-22' }, '2026-11-22'],
  ['an overdue pickup', { pickup_date: '2026-11-20' }, null],
  ['collected clothes', { pickup_date: '2026-11-22', weight: 7530 }, null],
  ['a delivery', delivery, null],
  ['a postponed delivery', { ...delivery, delivery_date: '2026-11-24' }, '2026-11-24'],
  ['a postponed delivery whose evening has come', { ...delivery, delivery_date: '2026-11-21' }, null],
])('%s waits for a later day or not', (_name, change, expected) => {
  expect(laterVisitDay(listedOrder(change), new Date('2026-11-21T18:00:00+05:30'))).toBe(expected);
});

test.each<[string, Partial<ListedOrder>, string, string | null]>([
  ['a pickup of tonight, in the night before', {}, '21T00:29:00', '2026-11-21 17:00:00'],
  ['a pickup of tonight, before the slot', {}, '21T16:59:59', '2026-11-21 17:00:00'],
  ['a pickup of tonight, in the slot', {}, '21T17:00:00', null],
  ['an overdue pickup', { pickup_date: '2026-11-20' }, '21T09:00:00', null],
  ['a pickup of tomorrow', { pickup_date: '2026-11-22' }, '21T09:00:00', null],
  ['collected clothes', { weight: 7530 }, '21T09:00:00', null],
  ['a delivery', delivery, '21T09:00:00', null],
  ['a postponed delivery of tonight', { ...delivery, delivery_date: '2026-11-21' }, '21T09:00:00', '2026-11-21 17:00:00'],
])('%s waits for its slot or not', (_name, change, time, expected) => {
  expect(upcomingSlotStart(listedOrder(change), new Date(`2026-11-${time}+05:30`))).toBe(expected);
});

const state = (change: Partial<ActionState> = {}): ActionState => ({
  stage: 'pickup',
  to_return: false,
  attempt: null,
  delivery_date: null,
  weight: null,
  isReturned: false,
  ...change,
});
const collected = { weight: 7530 };
const DOOR: readonly DeskAction[] = ['hand-over', 'hand-over-without-code', 'renew-code', 'attempt'];
const ACTIONS: readonly DeskAction[] = [
  ...DOOR,
  'weigh',
  'move',
  'move-back',
  'move-back-washed',
  'count-bags',
  'reschedule',
  'cancel',
  'assign',
  'receive',
];

test.each<[string, Partial<ActionState>, readonly DeskAction[]]>([
  ['a pickup', {}, ['attempt', 'weigh', 'reschedule', 'cancel', 'assign']],
  ['a pickup after a failed visit', { attempt: visit }, ['attempt', 'weigh', 'reschedule', 'cancel', 'assign']],
  ['collected clothes', collected, ['weigh', 'move', 'count-bags', 'cancel', 'assign']],
  [
    'clothes in the queue',
    { ...collected, stage: 'queue' },
    ['move', 'move-back', 'move-back-washed', 'count-bags', 'cancel', 'assign', 'receive'],
  ],
  ['clothes in the machine', { ...collected, stage: 'washing' }, ['move', 'move-back', 'count-bags', 'assign', 'receive']],
  ['a delivery', { ...collected, stage: 'delivery' }, [...DOOR, 'move-back', 'count-bags', 'assign', 'receive']],
  [
    'a failed delivery',
    { ...collected, stage: 'delivery', attempt: visit },
    [...DOOR, 'move-back', 'count-bags', 'reschedule', 'assign', 'receive'],
  ],
  [
    'a postponed delivery',
    { ...collected, stage: 'delivery', delivery_date: '2026-11-24' },
    [...DOOR, 'move-back', 'count-bags', 'reschedule', 'assign', 'receive'],
  ],
  ['a delivered order', { ...collected, stage: 'delivered' }, ['move-back', 'receive']],
  ['a cancelled order', { stage: 'cancelled' }, []],
  ['clothes to return', { ...collected, stage: 'cancelled', to_return: true }, [...DOOR, 'count-bags', 'assign', 'receive']],
  ['returned clothes', { ...collected, stage: 'cancelled', isReturned: true }, ['move-back', 'receive']],
  ['a stage of a newer version', { ...collected, stage: 'drying' }, []],
])('%s allows its actions', (_name, change, allowed) => {
  expect(ACTIONS.filter((action) => isAllowed(state(change), action))).toEqual(allowed);
});

test.each<[Role, readonly DeskAction[]]>([
  ['owner', ACTIONS],
  ['operator', ACTIONS.filter((action) => action !== 'move-back-washed')],
  ['rider', ['hand-over', 'attempt', 'weigh', 'move', 'count-bags', 'receive']],
])('the role %s may do its actions', (role, allowed) => {
  expect(ACTIONS.filter((action) => mayDo(role, action))).toEqual(allowed);
});

test('derives the state of an order of the console', () => {
  const order = { ...listedOrder({ ...delivery, attempt: visit }), washing_stage: 'cancelled', total_weight: 3, returned_date: null };
  const from = (change: object) => actionStateOf({ ...order, ...change } as unknown as DeskOrder);
  expect(from({})).toMatchObject({ stage: 'cancelled', weight: 3, isReturned: false, attempt: visit, to_return: false });
  expect(from({ returned_date: '2026-11-21 18:00:00' }).isReturned).toBe(true);
});

test('returns the next stage of an order, or its return', () => {
  expect(nextOf({ stage: 'queue', to_return: false })).toBe('washing');
  expect(nextOf({ stage: 'delivered', to_return: false })).toBeUndefined();
  expect(nextOf({ stage: 'cancelled', to_return: true })).toBe(RETURNED);
  expect(['delivery', 'delivered', RETURNED, undefined].map(isHandOver)).toEqual([false, true, true, false]);
});

const NOW = new Date('2026-11-21T18:00:00+05:30');
const later = (seconds: number) => addSeconds(NOW, seconds);

test('an entry of a phone is at most a day old, and its clock at most a day ahead', () => {
  const times = [-DAY_SECONDS - 1, -DAY_SECONDS, 0, DAY_SECONDS, DAY_SECONDS + 1].map(later);
  expect(times.map((time) => isPlausibleDeviceTime(time, NOW))).toEqual([false, true, true, true, false]);
});

test('clocks differ by more than 15 minutes, in both directions', () => {
  const times = [later(-901), later(-900), NOW, later(900), later(901), null];
  expect(times.map((time) => doClocksDiffer(time, NOW))).toEqual([true, false, false, false, true, false]);
});

test.each<[string, Parameters<typeof areMobilesHidden>[0], boolean]>([
  ['of an open order', { stage: 'washing', to_return: false, deliveredAt: null }, false],
  ['a day after the delivery', { stage: 'delivered', to_return: false, deliveredAt: later(-DAY_SECONDS) }, false],
  ['later', { stage: 'delivered', to_return: false, deliveredAt: later(-DAY_SECONDS - 1) }, true],
  ['of a cancelled order', { stage: 'cancelled', to_return: false, deliveredAt: null }, true],
  ['of clothes to return', { stage: 'cancelled', to_return: true, deliveredAt: null }, false],
])('the numbers of the customer are hidden or not: %s', (_name, order, expected) => {
  expect(areMobilesHidden(order, NOW)).toBe(expected);
});

test.each([
  ['attempted', 4],
  ['weighed', 10],
] as const)('an order is %s at most %i times a day, except by an owner', (kind, limit) => {
  const midnight = startOfKolkataDay(NOW);
  const entries = (count: number, at: Date) => Array.from({ length: count }, () => ({ kind, at }));
  const others = [
    { kind: 'paid', at: NOW } as const,
    { kind: kind === 'weighed' ? 'attempted' : 'weighed', at: NOW } as const,
    ...entries(9, addSeconds(midnight, -1)),
  ];
  const isTooOften = (count: number, role: Role) => isNotedTooOften(kind, [...others, ...entries(count, midnight)], { role }, NOW);
  expect([isTooOften(limit - 1, 'rider'), isTooOften(limit, 'rider'), isTooOften(limit, 'operator')]).toEqual([false, true, true]);
  expect(isTooOften(limit, 'owner')).toBe(false);
});

test('a rider sees the pickups of yesterday and tomorrow in Asia/Kolkata', () => {
  expect(riderDays(new Date('2026-11-30T23:30:00+05:30'))).toEqual({ yesterday: '2026-11-29', tomorrow: '2026-12-01' });
});

const eventOf = (content: OrderEventContent, change: { staff_id?: string; at?: Date; stage?: Stage } = {}) => ({
  id: 1,
  at: NOW,
  stage: null,
  staff_id: null,
  ...content,
  ...change,
});
const PAID = eventOf({ kind: 'paid', reference: 'r' });
const QUEUED = eventOf({ kind: 'moved', stage: 'queue' });

test('the last move can be undone if its kind can', () => {
  expect(lastMove([QUEUED, PAID])).toBe(QUEUED);
  expect(lastMove([QUEUED, eventOf({ kind: 'moved-back', stage: 'pickup' })])).toBeUndefined();
  expect(lastMove([PAID])).toBeUndefined();
  expect(lastMove([])).toBeUndefined();
});

const CANCELLED = eventOf({ kind: 'cancelled', by: 'customer', refundPaise: 0 });
const MOVED = eventOf({ kind: 'rescheduled', pickupDay: '2026-11-23' });
const byStaff = { staff_id: 's' };

test.each([
  ['a cancellation of the customer', 'cancelled', [CANCELLED, PAID], 'customer-cancelled', { time: '18:00' }],
  ['of the laundry', 'cancelled', [eventOf({ kind: 'cancelled', by: 'laundry', refundPaise: 0 })], 'laundry-cancelled', { time: '18:00' }],
  [
    'the last of several',
    'cancelled',
    [CANCELLED, { ...CANCELLED, by: 'laundry' as const, at: later(60) }],
    'laundry-cancelled',
    { time: '18:01' },
  ],
  ['a move of the customer', 'pickup', [MOVED], 'customer-moved-pickup', { time: '18:00', day: '2026-11-23' }],
  ['of the laundry', 'pickup', [MOVED, { ...MOVED, ...byStaff }, PAID], 'laundry-moved-pickup', { time: '18:00', day: '2026-11-23' }],
] as const)('states what made a version stale: %s', (_name, stage, events, code, params) => {
  expect(changeMeanwhile({ stage, pickup_day: '2026-11-23' }, events)).toMatchObject({ code, params });
});

test('no other event has an error of its own', () => {
  expect(changeMeanwhile({ stage: 'cancelled', pickup_day: '2026-11-23' }, [PAID])).toBeUndefined();
  expect(changeMeanwhile({ stage: 'pickup', pickup_day: '2026-11-23' }, [PAID])).toBeUndefined();
  expect(changeMeanwhile({ stage: 'queue', pickup_day: '2026-11-23' }, [MOVED])).toBeUndefined();
  const weighed = eventOf({ kind: 'weighed', weightGrams: 5350, items: 14, isAtDoor: true });
  expect(changeMeanwhile({ stage: 'pickup', pickup_day: '2026-11-23' }, [MOVED, weighed])).toBeUndefined();
});

const UNDONE = eventOf({ kind: 'cancellation-undone' });
const TONIGHT = eventOf({ kind: 'rescheduled', pickupDay: '2026-11-21' });

test.each<[string, Stage, readonly OrderEvent[], boolean, boolean]>([
  ['a cancellation that was undone', 'pickup', [CANCELLED, UNDONE], false, true],
  ['another visit today', 'pickup', [TONIGHT], false, true],
  ['another day', 'pickup', [MOVED], false, false],
  ['another day, but the customer agrees', 'pickup', [MOVED], true, true],
  ['an event of another kind', 'pickup', [TONIGHT, PAID], true, false],
  ['a move', 'queue', [TONIGHT], true, false],
  ['no event', 'pickup', [], true, false],
])('a pickup can still be weighed or not after %s', (_name, stage, events, isAgreed, expected) => {
  expect(canStillWeigh(stage, events, isAgreed, NOW)).toBe(expected);
});

const due = { total_amount: asPaise(28_614), left_to_pay: asPaise(28_614) };

test.each<[string, Partial<ListedOrder>, string[], string[]]>([
  ['a pickup', {}, ['weigh', 'attempt'], ['weigh', 'attempt']],
  ['a pickup on a closed evening', { evening: 'closed' }, ['reschedule', 'weigh', 'attempt'], ['weigh', 'attempt']],
  ['a failed pickup', { attempt: visit }, ['reschedule', 'weigh'], ['weigh']],
  ['collected clothes', { weight: 7530, items: 12 }, ['move'], ['move']],
  ['clothes in the queue', { ...delivery, ...due, stage: 'queue' }, ['move'], ['move']],
  ['a delivery', { ...delivery, ...due }, ['hand-over', 'receive', 'attempt'], ['hand-over', 'receive', 'attempt']],
  ['a paid delivery', { ...delivery, left_to_pay: asPaise(0) }, ['hand-over', 'attempt'], ['hand-over', 'attempt']],
  ['a failed delivery', { ...delivery, ...due, attempt: visit }, ['reschedule', 'hand-over', 'receive'], ['hand-over', 'receive']],
  ['a delivered order that is not paid', { ...delivery, ...due, stage: 'delivered' }, ['receive'], ['receive']],
  ['clothes to return', { ...delivery, stage: 'cancelled', to_return: true }, ['hand-over', 'attempt'], ['hand-over', 'attempt']],
  ['an order of a newer version', { stage: 'drying' }, [], []],
])('%s: the next actions of owner and rider', (_name, change, ofOwner, ofRider) => {
  expect(nextActions(listedOrder(change), 'owner')).toEqual(ofOwner);
  expect(nextActions(listedOrder(change), 'rider')).toEqual(ofRider);
});

test.each([
  [undefined, '2026-11-22T12:00:00Z'],
  ['2026-11-22T11:00:00Z', '2026-11-22T11:00:00Z'],
  ['2026-11-22T12:30:00Z', '2026-11-22T12:00:00Z'],
  ['2026-11-21T13:00:00Z', '2026-11-22T10:00:00Z'],
])('a visit at %s of the device was at %s, after the order and not in the future', (at, visited) => {
  expect(visitTimeOf(at, new Date('2026-11-22T10:00:00Z'), new Date('2026-11-22T12:00:00Z'))).toEqual(new Date(visited));
});

test.each<[string, Partial<OrderEvent>, string | null, string | null]>([
  ['of a failed visit', { kind: 'attempted', why: 'other' }, 'The bell is broken', 'The bell is broken'],
  ['without one', { kind: 'attempted', why: 'other' }, null, null],
  ['of a delivery with the code', { kind: 'moved' }, 'The mother took them', 'The mother took them'],
  ['that is the reason of a delivery without it', { kind: 'moved', reason: 'No phone' }, 'No phone', null],
  ['behind the reason of a correction', { kind: 'weighed', reason: 'A sock' }, 'A sock. Ring twice', 'Ring twice'],
  ['of a reversal', { kind: 'payment-reversed', reference: 'R', reason: 'Counted twice' }, 'Counted twice', null],
  ['of a reversal of an older version', { kind: 'payment-reversed', reference: 'R' }, 'Counted twice', null],
  ['of a cancellation', { kind: 'cancelled', by: 'laundry', refundPaise: 0, reason: 'A double order' }, 'A double order', null],
  ['of its refund', { kind: 'refunded', amountPaise: 100 }, 'A double order', null],
  ['of a changed day', { kind: 'rescheduled', pickupDay: '2026-11-23', reason: 'Closed' }, 'Closed', null],
])('a note %s is for the visit, a reason is not', (_, event, note, expected) => {
  expect(visitNote({ ...eventOf({ kind: 'placed' }), ...event, note } as OrderEvent & { note: string | null })).toBe(expected);
});
