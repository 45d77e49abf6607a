import { expect, test } from 'vitest';
import { listedOrder } from '../../../../../test/support/listed-order.ts';
import { COLUMNS, type Column } from '../board-contract.ts';
import type { ListedOrder } from '../contract.ts';
import { countLaterPickups, tasksOf } from './tasks.ts';

/** Returns a board with one order. */
function boardWith(change: Partial<ListedOrder>) {
  const listed = listedOrder(change);
  return Object.fromEntries(
    COLUMNS.map((column) => [column, { orders: column === (listed.stage as Column) ? [listed] : [], next: null, count: 1 }]),
  ) as Parameters<typeof tasksOf>[0];
}

/** Returns the names of the tasks of the owner that contain an order, on 21 November. */
const tasksWith = (change: Partial<ListedOrder>, time = '18:00') =>
  tasksOf(boardWith(change), [], 'owner', new Date(`2026-11-21T${time}:00+05:30`)).map(({ name }) => name);

const visit = { why: 'nobody-home', at: '2026-11-21 17:30:00' };
const delivery = { stage: 'delivery', weight: 7530, items: 12, pickup_date: '2026-11-20', due_at: '2026-11-21 21:00:00' };
const collected = { weight: 7530, items: 12, due_at: '2026-11-22 21:00:00' };

test.each<[string, Partial<ListedOrder>, string[]]>([
  ['a pickup of today', {}, ['collect']],
  ['a pickup of tomorrow', { pickup_date: '2026-11-22', due_at: '2026-11-22 21:00:00' }, []],
  ['a failed pickup', { attempt: visit }, ['attempts']],
  ['a failed pickup that was moved to tomorrow', { pickup_date: '2026-11-22', due_at: '2026-11-22 21:00:00' }, []],
  ['a collected pickup', collected, ['weighed']],
  ['a delivery', delivery, ['deliver']],
  ['a failed delivery', { ...delivery, attempt: visit }, ['attempts']],
  ['a delivery that the customer postponed to tonight', { ...delivery, delivery_date: '2026-11-21' }, ['deliver']],
  ['a delivery that the customer postponed to tomorrow', { ...delivery, delivery_date: '2026-11-22', due_at: '2026-11-22 21:00:00' }, []],
  ['a wrong code at the door', { ...delivery, wrong_codes: 1 }, ['codes']],
  ['clothes to return, after a wrong code', { ...collected, stage: 'cancelled', to_return: true, wrong_codes: 1 }, ['codes']],
  ['clothes to return', { ...collected, stage: 'cancelled', to_return: true }, ['return']],
  ['clothes that nobody took back', { ...collected, stage: 'cancelled', to_return: true, attempt: visit }, ['attempts']],
])('%s is in one task at most that names its next action', (_name, change, expected) => {
  expect(tasksWith(change)).toEqual(expected);
});

const missing = { ...collected, bags: 2, counted_bags: 1, bags_differ: true };

test.each<[string, Partial<ListedOrder>]>([
  ['in the queue', { ...missing, stage: 'queue' }],
  ['late', { ...missing, stage: 'queue', due_at: '2026-11-21 12:00:00' }],
  ['at the door, with a wrong code', { ...delivery, ...missing, wrong_codes: 1 }],
  ['delivered and unpaid', { ...missing, stage: 'delivered' }],
])('an order %s whose bags differ is listed once', (_name, change) => {
  expect(tasksWith(change)).toEqual(['bags']);
});

test('an order whose bags differ is a task in every stage, and not for a rider', () => {
  const [board, now] = [boardWith({}), new Date('2026-11-21T18:00:00+05:30')];
  const others = [listedOrder({ ...missing, orderid: 'B', stage: 'delivered' }), listedOrder({ orderid: 'A' })];
  const tasks = tasksOf(board, others, 'operator', now).map(({ name, orders }) => [name, orders.map(({ orderid }) => orderid)]);
  expect(tasks).toEqual([
    ['bags', ['B']],
    ['collect', ['A']],
  ]);
  expect(tasksOf(boardWith(missing), [], 'rider', now).map(({ name }) => name)).toEqual(['weighed']);
});

test.each(COLUMNS)('an order in the column %s of the board is in a task', (stage) => {
  expect(tasksWith({ ...collected, stage, to_return: stage === 'cancelled' })).toHaveLength(1);
});

test.each<[string, Partial<ListedOrder>, string[]]>([
  ['a pickup', {}, ['late', 'collect']],
  ['a failed pickup, which waits for the customer', { attempt: visit }, ['attempts']],
  ['collected clothes', { ...collected, due_at: '2026-11-21 21:00:00' }, ['late', 'weighed']],
  ['clothes in the queue', { ...collected, stage: 'queue', due_at: '2026-11-21 21:00:00' }, ['late', 'queue']],
  ['a delivery', delivery, ['late', 'deliver']],
])('%s is late after the deadline, unless it waits for the customer', (_name, change, expected) => {
  expect(tasksWith(change, '21:01')).toEqual(expected);
});

test.each<[string, Partial<ListedOrder>, number]>([
  ['a pickup of tomorrow', { pickup_date: '2026-11-22' }, 1],
  ['a pickup of today', {}, 0],
  ['a failed pickup, which is a task', { pickup_date: '2026-11-22', attempt: visit }, 0],
  ['collected clothes', { ...collected, pickup_date: '2026-11-22' }, 0],
])('%s is counted if it waits for a later evening', (_name, change, expected) => {
  expect(countLaterPickups(boardWith(change), new Date('2026-11-21T18:00:00+05:30'))).toBe(expected);
});
