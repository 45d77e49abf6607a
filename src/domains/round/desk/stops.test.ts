import { expect, test } from 'vitest';
import { listedOrder } from '../../../../test/support/listed-order.ts';
import { asPaise } from '../../../lib/money.ts';
import type { DeskOrder, ListedOrder } from '../../order-desk/desk/contract.ts';
import type { Entry } from './entry.ts';
import { groupByDay, isSameDoor, moveStop, newestStops, sortStops, stopsOf, withOrder, withEntries } from './stops.ts';

/** Returns a pickup of 22 November. */
const stop = (orderid: string, change: Partial<ListedOrder> = {}): ListedOrder =>
  listedOrder({
    orderid,
    entered_at: '2026-11-22 09:00:00',
    pickup_date: '2026-11-22',
    back_by: '2026-11-23 21:00:00',
    due_at: '2026-11-22 21:00:00',
    ...change,
  });

const ids = (stops: readonly ListedOrder[]) => stops.map(({ orderid }) => orderid);

test('pickups until tomorrow, overdue ones too, deliveries of tonight, returns, and what is not paid since yesterday', () => {
  const now = new Date('2026-11-22T20:00:00+05:30');
  const orders = [
    stop('overdue', { pickup_date: '2026-11-20' }),
    stop('tomorrow', { pickup_date: '2026-11-23' }),
    stop('later', { pickup_date: '2026-11-24' }),
    stop('collected early', { pickup_date: '2026-11-24', weight: 7530 }),
    stop('out', { stage: 'delivery', pickup_date: '2026-11-01' }),
    stop('postponed to today', { stage: 'delivery', delivery_date: '2026-11-22' }),
    stop('postponed', { stage: 'delivery', delivery_date: '2026-11-23' }),
    stop('return', { stage: 'cancelled', to_return: true, entered_at: '2026-11-01 10:00:00' }),
    stop('unpaid', { stage: 'delivered', entered_at: '2026-11-21 10:00:00' }),
    stop('unpaid long ago', { stage: 'delivered', entered_at: '2026-11-20 23:59:59' }),
  ];
  expect(ids(stopsOf(orders, now))).toEqual(['overdue', 'tomorrow', 'collected early', 'out', 'postponed to today', 'return', 'unpaid']);
});

test('an order that moved while the lists were read is one stop, in its newer version', () => {
  const now = new Date('2026-11-22T20:00:00+05:30');
  const orders = [stop('moved', { stage: 'delivery', version: 3 }), stop('moved', { stage: 'delivered', version: 4 }), stop('other')];
  expect(stopsOf(orders, now)).toEqual([orders[1], orders[2]]);
});

const byAddress = [
  stop('flat 2', { address1: 'Flat 2', address2: 'Tower 2' }),
  stop('flat 11', { address1: 'flat 11', address2: 'tower 2' }),
  stop('tower 10', { address1: 'Flat 1', address2: 'Tower 10' }),
  stop('vatika', { area: 'vatika', address1: 'Flat 1', address2: 'Tower 1' }),
];

test.each([
  ['by society, tower and flat, numbers by value', [], ['flat 2', 'flat 11', 'tower 10', 'vatika']],
  ['by hand', ['vatika', 'tower 10', 'flat 2', 'flat 11'], ['vatika', 'tower 10', 'flat 2', 'flat 11']],
  ['new stops follow those of their society', ['vatika', 'tower 10', 'gone'], ['vatika', 'tower 10', 'flat 2', 'flat 11']],
  ['a new society is last', ['flat 11', 'flat 2', 'tower 10'], ['flat 11', 'flat 2', 'tower 10', 'vatika']],
])('sorts %s', (_name, sequence, expected) => {
  expect(ids(sortStops(byAddress.toReversed(), sequence))).toEqual(expected);
});

test.each<[string, Partial<ListedOrder>, boolean]>([
  ['the same address', {}, true],
  ['in another case', { address1: 'flat 12', address2: 'TOWER 2' }, true],
  ['another flat', { address1: 'Flat 1' }, false],
  ['another tower', { address2: 'Tower 3' }, false],
  ['another society', { area: 'vatika' }, false],
])('compares the doors of two orders: %s', (_name, change, expected) => {
  expect(isSameDoor(stop('A'), stop('B', change))).toBe(expected);
});

test('the stops of tonight and what is overdue come before those of later days', () => {
  const now = new Date('2026-11-22T18:00:00+05:30');
  const sorted = [
    stop('tomorrow', { pickup_date: '2026-11-23' }),
    stop('overdue', { pickup_date: '2026-11-20' }),
    stop('out', { stage: 'delivery', pickup_date: '2026-11-21' }),
    stop('next week', { pickup_date: '2026-11-30' }),
    stop('collected early', { pickup_date: '2026-11-23', weight: 7530 }),
    stop('also tomorrow', { pickup_date: '2026-11-23' }),
  ];
  expect(groupByDay(sorted, now).map(({ day, stops }) => [day, ids(stops)])).toEqual([
    ['2026-11-22', ['overdue', 'out', 'collected early']],
    ['2026-11-23', ['tomorrow', 'also tomorrow']],
    ['2026-11-30', ['next week']],
  ]);
  expect(groupByDay([], now)).toEqual([{ day: '2026-11-22', stops: [] }]);
});

test('moves a stop by one place, and none beyond the ends', () => {
  expect(moveStop(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b']);
  expect(moveStop(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(moveStop(['a', 'b'], 'a', -1)).toEqual(['a', 'b']);
  expect(moveStop(['a', 'b'], 'b', 1)).toEqual(['a', 'b']);
});

const fields = { id: 1, orderid: 'A', owner: '9000000003', name: '', key: 'key', at: null, version: 5, refusal: null };

test.each<[string, Entry, Partial<ListedOrder>]>([
  [
    'weigh',
    { ...fields, call: 'weigh', body: { weight: 7530, items: 12, bags: 2 } },
    { weight: 7530, items: 12, bags: 2, note: 'old', total_amount: asPaise(28_614), due_at: '2026-11-23 21:00:00' },
  ],
  [
    'weigh with a note',
    { ...fields, call: 'weigh', body: { weight: 7530, items: 12, note: 'new' } },
    { weight: 7530, items: 12, note: 'new', notes: ['old', 'new'], total_amount: asPaise(28_614), due_at: '2026-11-23 21:00:00' },
  ],
  ['move', { ...fields, call: 'move', body: { stage: 'queue' } }, { stage: 'queue', due_at: null }],
  ['return', { ...fields, call: 'move', body: { stage: 'returned', code: '1234' } }, { to_return: false, due_at: null }],
  ['receive', { ...fields, call: 'receive', body: { method: 'cash', amount: asPaise(6000) } }, { left_to_pay: asPaise(1600) }],
  ['overpay', { ...fields, call: 'receive', body: { method: 'cash', amount: asPaise(9000), overpaid: true } }, { left_to_pay: asPaise(0) }],
  ['attempt', { ...fields, call: 'attempt', body: { why: 'refused' } }, { attempt: { why: 'refused', at: '' }, delivery_date: null }],
])('a stop shows what waits: %s', (_name, entry, expected) => {
  const before = stop('A', { left_to_pay: asPaise(7600), note: 'old', notes: ['old'] });
  expect(withEntries(before, [entry])).toEqual({ ...before, ...expected });
  expect(withEntries(before, [{ ...entry, orderid: 'B' }])).toEqual(before);
  const refused: Entry = { ...entry, refusal: { code: 'wrong-stage', params: {}, message: '' } };
  const visit: Entry = { ...fields, refusal: refused.refusal, call: 'attempt', body: { why: 'refused' } };
  // Behind a refused entry, nothing but payments is sent.
  expect(withEntries(before, [visit, entry])).toEqual(entry.call === 'receive' ? { ...before, ...expected } : before);
  expect(withEntries(before, [refused])).toEqual(before);
});

test('a payment that waits for a refused weight is not due a second time', () => {
  const before = stop('A', { left_to_pay: asPaise(7600) });
  const refusal = { code: 'wrong-stage', params: {}, message: '' };
  const weighed: Entry = { ...fields, refusal, call: 'weigh', body: { weight: 7530, items: 12 } };
  const paid: Entry = { ...fields, call: 'receive', body: { method: 'cash', amount: asPaise(6000) } };
  expect(withEntries(before, [weighed, paid])).toEqual({ ...before, left_to_pay: asPaise(1600) });
  expect(withEntries(before, [weighed, { ...paid, refusal }])).toEqual(before);
});

test('clothes that are weighed before their day are collected on the day of the entry', () => {
  const tomorrow = stop('A', { pickup_date: '2026-11-23', back_by: '2026-11-24 21:00:00', due_at: '2026-11-23 21:00:00' });
  const weighed: Entry = { ...fields, at: '2026-11-22T13:00:00Z', call: 'weigh', body: { weight: 7530, items: 12 } };
  const early = { pickup_date: '2026-11-22', back_by: null, due_at: null };
  expect(withEntries(tomorrow, [weighed])).toMatchObject(early);
  const corrected = stop('A', { ...tomorrow, weight: 7000 });
  expect(withEntries(corrected, [weighed])).toMatchObject({ pickup_date: '2026-11-23', back_by: '2026-11-24 21:00:00' });
});

test('an updated order replaces older values, and a list does not replace newer ones', () => {
  const order = {
    orderid: 'A',
    version: 7,
    washing_stage: 'queue',
    stages: [{ stage: 'queue', entered_at: '2026-11-22 10:00:00' }],
    total_weight: 7530,
    total_items: 12,
    bags: 2,
    counted_bags: 3,
    attempt: { why: 'refused', at: '2026-11-22 10:00:00' },
    due_at: '2026-11-23 21:00:00',
    notes: [{ note: 'fragile' }, { note: 'careful' }],
    total_amount: asPaise(28_614),
    left_to_pay: asPaise(28_614),
  } as unknown as DeskOrder;
  const after = withOrder(stop('A'), order);
  expect(after).toMatchObject({ version: 7, stage: 'queue', entered_at: '2026-11-22 10:00:00', weight: 7530, note: 'careful' });
  expect(after.notes).toEqual(['fragile', 'careful']);
  expect(after).toMatchObject({ bags: 2, counted_bags: 3, attempt: { why: 'refused' }, due_at: '2026-11-23 21:00:00' });
  expect(withOrder(stop('A', { version: 8 }), order)).toEqual(stop('A', { version: 8 }));
  expect(withOrder(stop('B'), order)).toEqual(stop('B'));
  expect(newestStops([stop('A'), stop('B')], [after])).toEqual([after, stop('B')]);
  expect(newestStops([stop('A', { version: 8 })], [after])).toEqual([stop('A', { version: 8 })]);
});
