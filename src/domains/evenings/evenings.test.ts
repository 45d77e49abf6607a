/** Evenings with a capacity: orders, changes of orders, and the calls of the staff. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dumpDatabase } from '../../../test/matrix/database.ts';
import { blockBefore } from '../../../test/support/blocked-statements.ts';
import {
  countOrders,
  moveOutForDelivery,
  newOrderingCustomer,
  newOrderingGuest,
  place,
  withOrder,
  type OrderingCustomer,
} from '../../../test/support/ordering.ts';
import { basedOnCurrent, sendEveningChange, type PlannedChange } from '../../../test/support/evenings.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newSession } from '../../../test/support/seed-customers.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { getDeskOrder, listOrders, moveBack, cancelDeskOrder, rescheduleOrder, weigh } from '../order-desk/desk/contract.ts';
import { addOrder, cancelOrder, getOrder, reschedule, undoCancel, type OrderRequest } from '../orders/contract.ts';
import { listOrderCountsOfEvenings } from '../orders/evenings-store.server.ts';
import { getEvenings } from './contract.ts';
import { listDeskEvenings, setEvenings } from './desk/contract.ts';

const program = useProgram();
const start = program.clock.now();

const [today, tomorrow, sunday] = ['2026-11-21', '2026-11-22', '2026-11-22'];

async function change(body: PlannedChange) {
  const { caller } = await newStaff(program, 'owner');
  expect(await sendEveningChange(caller, body)).toMatchObject({ response: 'success' });
}

const plan = { action: 'plan', area: 'manesar', cut_off: '16:00', capacity: null, closed_weekdays: [] } satisfies PlannedChange;

const order = (who: OrderingCustomer, request: Partial<OrderRequest> = {}) =>
  who.caller.send(addOrder, { ...who.order, ...request }, { idempotencyKey: newId() });
const newOrder = async (request: Partial<OrderRequest> = {}) => order(await newOrderingCustomer(program), request);
const placed = async (request: Partial<OrderRequest> = {}) => {
  const who = await newOrderingCustomer(program);
  return { ...who, ...(await place(who, request)) };
};
const full = (pickupDay: string) => ({ code: 'evening-full', params: { pickupDay } });

/** Compares the counts of evenings with a capacity with the orders. */
async function expectCountsToAgree() {
  const booked = await program.db
    .selectFrom('evening_bookings')
    .selectAll()
    .where('area', '=', 'manesar')
    .where('booked', '>', 0)
    .execute();
  const counted = (await listOrderCountsOfEvenings(program.db, today, '9999-12-31')).filter(({ area }) => area === 'manesar');
  const lines = (rows: readonly { day: string; booked: number }[]) => rows.map((row) => `${row.day} ${row.booked}`).toSorted();
  expect(lines(booked)).toEqual(lines(counted));
}

/** Resolves once a statement waits for the lock of the orders. */
async function lockAwaited() {
  const waiting = sql<{ count: number }>`
    select count(*)::int as count from pg_locks where relation = 'orders'::regclass and not granted`;
  while ((await waiting.execute(program.db)).rows[0]?.count === 0) await sleep(5);
}

beforeEach(async () => {
  // No order of an earlier test is on the evenings of this one.
  await program.db.updateTable('orders').set({ pickup_day: '2026-01-01' }).execute();
});

afterEach(async () => {
  program.clock.advance((start.getTime() - program.clock.now().getTime()) / 1000);
  await program.db.deleteFrom('evening_exceptions').execute();
  await change(plan);
});

test('without a plan customers see no limit, and any number of orders is accepted', async () => {
  await program.db.updateTable('evening_plans').set({ version: 0 }).execute();
  const { data } = await program.caller().send(getEvenings, {});
  expect(data).toEqual({ manesar: { cut_off: '16:00', evenings: [] }, vatika: { cut_off: '16:00', evenings: [] } });
  for (let index = 0; index < 3; index += 1) expect(await newOrder()).toMatchObject({ data: { pickup_date: today } });
  expect(await newOrder({ pickup_date: '2026-11-27' })).toMatchObject({ data: { pickup_date: '2026-11-27' } });
  expect(await newOrder({ pickup_date: '2026-11-28' })).toMatchObject({ code: 'pickup-day-too-far', params: { lastDay: '2026-11-27' } });
  expect(await program.db.selectFrom('evening_bookings').selectAll().where('booked', '>', 0).execute()).toEqual([]);
});

describe('an evening with two places', () => {
  beforeEach(() => change({ ...plan, capacity: 2 }));

  test('a new order takes its place on the evening that was chosen, and a full one offers the next', async () => {
    const chosen = { pickup_date: '2026-11-24' };
    for (let index = 0; index < 2; index += 1) expect(await newOrder(chosen)).toMatchObject({ data: chosen });
    expect(await newOrder(chosen)).toMatchObject(full('2026-11-25'));
    expect(await newOrder()).toMatchObject({ data: { pickup_date: today } });
  });

  test('accepts two orders, refuses the third with the next free day, and accepts it there', async () => {
    await placed();
    const { data } = await program.caller().send(getEvenings, {});
    expect(data?.manesar.evenings[0]).toEqual({ day: today, status: 'free', left: 1 });
    await placed({ pickup_date: today });
    const third = await newOrderingCustomer(program);
    const before = await countOrders(program);
    expect(await order(third, { pickup_date: today })).toMatchObject(full(tomorrow));
    expect(await countOrders(program)).toEqual(before);
    expect(await order(third, { pickup_date: tomorrow })).toMatchObject({ data: { pickup_date: tomorrow } });
    // Without a day, the next free one.
    expect(await newOrder()).toMatchObject({ data: { pickup_date: tomorrow } });
    expect(await newOrder({ pickup_date: tomorrow })).toMatchObject(full('2026-11-23'));
    // The other area has no plan.
    expect(await newOrder({ area: 'vatika', programrate: asPaise(4800), orderrate: asPaise(4800) })).toMatchObject({
      data: { pickup_date: today },
    });
    await expectCountsToAgree();
  });

  test('a retry gets its order, also when the evening is full', async () => {
    const who = await newOrderingCustomer(program);
    const options = { idempotencyKey: newId() };
    const { orderid } = await place(who, {}, options);
    await placed();
    expect(await who.caller.send(addOrder, who.order, options)).toMatchObject({ data: { orderid, pickup_date: today } });
    await expectCountsToAgree();
  });

  test('a cancelled order gives its place back; the undo takes one, if one is left', async () => {
    const [first] = [await placed(), await placed()];
    await first.caller.send(cancelOrder, { orderid: first.orderid });
    await first.caller.send(cancelOrder, { orderid: first.orderid });
    expect(await first.caller.send(undoCancel, { orderid: first.orderid })).toMatchObject({ response: 'success' });
    expect(await first.caller.send(undoCancel, { orderid: first.orderid })).toMatchObject({ response: 'success' });
    expect(await newOrder({ pickup_date: today })).toMatchObject(full(tomorrow));
    await first.caller.send(cancelOrder, { orderid: first.orderid });
    expect(await newOrder({ pickup_date: today })).toMatchObject({ response: 'success' });
    expect(await first.caller.send(undoCancel, { orderid: first.orderid })).toMatchObject(full(tomorrow));
    await expectCountsToAgree();
  });

  test('a rescheduled order leaves its evening for one with a place', async () => {
    const [first, second] = [await placed(), await placed()];
    const third = await placed({ pickup_date: tomorrow });
    const to = (pickup_date: string, { caller, orderid }: typeof first) => caller.send(reschedule, { orderid, pickup_date });
    expect(await to(today, third)).toMatchObject(full(tomorrow));
    expect(await to(tomorrow, first)).toMatchObject({ response: 'success' });
    expect(await to(tomorrow, second)).toMatchObject(full('2026-11-23'));
    expect(await to(today, third)).toMatchObject({ response: 'success' });
    expect(await to(today, second)).toMatchObject({ response: 'success' });
    await expectCountsToAgree();
  });

  test('the staff moves and cancels orders by the same rule', async () => {
    const [first, second] = [await placed(), await placed()];
    const third = await placed({ pickup_date: tomorrow });
    const { caller } = await newStaff(program, 'operator');
    const versionOf = async (orderid: string) => (await caller.send(getDeskOrder, { orderid })).data?.version ?? 0;
    const body = async ({ orderid }: typeof first) => ({ orderid, version: await versionOf(orderid) });
    expect(
      await caller.send(rescheduleOrder, { ...(await body(third)), pickup_date: today, reason: 'The machine is broken' }),
    ).toMatchObject(full(tomorrow));
    expect(await caller.send(cancelDeskOrder, { ...(await body(first)), reason: 'A double order' })).toMatchObject({ response: 'success' });
    expect(
      await caller.send(rescheduleOrder, { ...(await body(third)), pickup_date: today, reason: 'The machine is broken' }),
    ).toMatchObject({ response: 'success' });
    expect(await caller.send(moveBack, await body(first))).toMatchObject(full(tomorrow));
    await second.caller.send(cancelOrder, { orderid: second.orderid });
    expect(await caller.send(moveBack, await body(first))).toMatchObject({ response: 'success' });
    await expectCountsToAgree();
  });

  test('the place of collected clothes stays taken', async () => {
    const first = await placed();
    await moveOutForDelivery(program, first.orderid);
    await placed();
    expect(await newOrder({ pickup_date: today })).toMatchObject(full(tomorrow));
    await expectCountsToAgree();
  });
});

describe('one customer on an evening with ten places', () => {
  beforeEach(() => change({ ...plan, capacity: 10 }));

  const limit = (pickupDay: string) => ({ code: 'evening-limit', params: { pickups: 3, pickupDay } });

  test.each([
    ['a customer', newOrderingCustomer],
    ['a guest', newOrderingGuest],
  ] as const)('%s gets three places, also with eight orders at once; the others write nothing', async (_who, newPerson) => {
    const who = await newPerson(program);
    const sent = await Promise.all(Array.from({ length: 8 }, () => order(who, { pickup_date: today })));
    expect(sent.filter(({ response }) => response === 'success')).toHaveLength(3);
    for (const refused of sent.filter(({ response }) => response !== 'success')) expect(refused).toMatchObject(limit(tomorrow));
    await expectCountsToAgree();
    expect(await newOrder({ pickup_date: today })).toMatchObject({ response: 'success' });
    // The refused orders do not count on the day, either: twenty are accepted.
    await change(plan);
    for (let index = 3; index < 20; index += 1) expect(await order(who)).toMatchObject({ response: 'success' });
    expect(await order(who)).toMatchObject({ code: 'too-many-orders' });
  });

  test('an account and a guest of its number get three places each, also after a cancellation or with another day', async () => {
    const guest = await newOrderingGuest(program);
    const account = await withOrder({ ...guest, caller: await newSession(program, guest.userid, 'customer') });
    for (const who of [account, guest]) {
      const { orderid: first } = await place(who, { pickup_date: today }, { idempotencyKey: newId() });
      const { orderid: later } = await place(who, { pickup_date: tomorrow }, { idempotencyKey: newId() });
      await place(who, { pickup_date: today }, { idempotencyKey: newId() });
      expect(await who.caller.send(reschedule, { orderid: later, pickup_date: today })).toMatchObject({ response: 'success' });
      await who.caller.send(cancelOrder, { orderid: first });
      expect(await who.caller.send(undoCancel, { orderid: first })).toMatchObject({ response: 'success' });
      expect(await order(who, { pickup_date: today })).toMatchObject(limit(tomorrow));
    }
    await expectCountsToAgree();
  });

  test('neither a new pickup day nor an undone cancellation gets a fourth place; the staff gives one', async () => {
    const who = await newOrderingCustomer(program);
    const { orderid: first } = await place(who, { pickup_date: today }, { idempotencyKey: newId() });
    for (let index = 0; index < 2; index += 1) await place(who, { pickup_date: today }, { idempotencyKey: newId() });
    const { orderid: later } = await place(who, { pickup_date: tomorrow }, { idempotencyKey: newId() });
    const { caller } = await newStaff(program, 'operator');
    expect(await who.caller.send(reschedule, { orderid: later, pickup_date: today })).toMatchObject(limit(tomorrow));
    await who.caller.send(cancelOrder, { orderid: first });
    expect(await who.caller.send(reschedule, { orderid: later, pickup_date: today })).toMatchObject({ response: 'success' });
    expect(await who.caller.send(undoCancel, { orderid: first })).toMatchObject(limit(tomorrow));
    await expectCountsToAgree();
    const { orderid: another } = await place(who, { pickup_date: tomorrow }, { idempotencyKey: newId() });
    const version = (await caller.send(getDeskOrder, { orderid: another })).data?.version ?? 0;
    expect(
      await caller.send(rescheduleOrder, { orderid: another, version, pickup_date: today, reason: 'The machine is broken' }),
    ).toMatchObject({ response: 'success' });
    await expectCountsToAgree();
  });

  test('without another free evening, the customer is asked to call', async () => {
    await change({ ...plan, closed_weekdays: [1, 2, 3, 4, 5, 6, 7] });
    await change({ action: 'evening', areas: ['manesar'], day: today, capacity: 10 });
    const who = await newOrderingCustomer(program);
    for (let index = 0; index < 3; index += 1) expect(await order(who)).toMatchObject({ response: 'success' });
    expect(await order(who)).toMatchObject({ code: 'evenings-full' });
  });
});

test('orders from before the plan are counted', async () => {
  await placed();
  await placed();
  await change({ ...plan, capacity: 3 });
  const { data } = await program.caller().send(getEvenings, {});
  expect(data?.manesar.evenings[0]).toEqual({ day: today, status: 'free', left: 1 });
  await placed();
  expect(await newOrder({ pickup_date: today })).toMatchObject(full(tomorrow));
  await expectCountsToAgree();
});

test('an order that is being stored without a count is counted by the plan that is set meanwhile', async () => {
  const block = await blockBefore(program, 'insert', 'orders');
  const first = newOrder({ pickup_date: today });
  await block.reached();
  const planned = change({ ...plan, capacity: 1 });
  await lockAwaited();
  await block.release();
  expect(await first).toMatchObject({ response: 'success' });
  await planned;
  expect(await newOrder({ pickup_date: today })).toMatchObject(full(tomorrow));
  await expectCountsToAgree();
});

test('an order that was decided before a plan is decided again', async () => {
  await placed();
  const block = await blockBefore(program, 'insert', 'evening_bookings');
  const planned = change({ ...plan, capacity: 1 });
  await block.reached();
  const second = newOrder({ pickup_date: today });
  await lockAwaited();
  await block.release();
  await planned;
  expect(await second).toMatchObject(full(tomorrow));
  await expectCountsToAgree();
});

test('an evening counts the orders that are not collected apart, because only they can move', async () => {
  const { orderid } = await placed({ pickup_date: today });
  await placed({ pickup_date: today });
  const { caller } = await newStaff(program, 'operator');
  const version = (await caller.send(getDeskOrder, { orderid })).data?.version ?? 0;
  await caller.send(weigh, { orderid, version, weight: 7500, items: 10 });
  const evenings = (await caller.send(listDeskEvenings, {})).data?.evenings;
  expect(evenings?.[0]).toMatchObject({ day: today, booked: 2, to_collect: 1 });
});

test('a closed day and a closed weekday accept nothing, and their orders stay', async () => {
  await placed();
  await change({ ...plan, closed_weekdays: [7] });
  await change({ action: 'evening', areas: ['manesar', 'vatika'], day: today, capacity: 0 });
  const closed = { code: 'evening-closed', params: { pickupDay: '2026-11-23' } };
  expect(await newOrder({ pickup_date: today })).toMatchObject(closed);
  expect(await newOrder({ pickup_date: sunday })).toMatchObject(closed);
  expect(await newOrder()).toMatchObject({ data: { pickup_date: '2026-11-23' } });
  const { caller } = await newStaff(program, 'rider');
  const { data } = await caller.send(listDeskEvenings, {});
  expect(data?.evenings).toHaveLength(28);
  expect(data?.evenings[0]).toEqual({ day: today, area: 'manesar', capacity: 0, booked: 1, to_collect: 1, due: 0, is_exception: true });
  expect(data?.evenings[2]).toEqual({ day: sunday, area: 'manesar', capacity: 0, booked: 0, to_collect: 0, due: 1, is_exception: false });
  await change({ action: 'reset', areas: ['manesar', 'vatika'], day: today });
  expect(await newOrder({ pickup_date: today })).toMatchObject({ response: 'success' });
});

describe('the promised evening of a return', () => {
  const monday = '2026-11-23';
  const back = async ({ caller }: OrderingCustomer, orderid: string) => {
    const { data } = await caller.send(getOrder, { orderid });
    return data?.[0]?.back_by;
  };

  test('skips the evenings that are closed for the area', async () => {
    await change({ ...plan, closed_weekdays: [7] });
    await change({ action: 'evening', areas: ['manesar'], day: monday, capacity: 0 });
    const who = await newOrderingCustomer(program);
    const { data } = await order(who, { pickup_date: today });
    expect(data).toMatchObject({ pickup_date: today, back_by: '2026-11-24 21:00:00' });
    expect(await back(who, data!.orderid)).toBe('2026-11-24 21:00:00');
    const { caller } = await newStaff(program, 'operator');
    expect((await caller.send(getDeskOrder, { orderid: data!.orderid })).data).toMatchObject({ back_by: '2026-11-24 21:00:00' });
    expect((await caller.send(listOrders, { area: 'manesar' })).data?.orders[0]).toMatchObject({ back_by: '2026-11-24 21:00:00' });
    expect((await who.caller.send(reschedule, { orderid: data!.orderid, pickup_date: '2026-11-25' })).response).toBe('success');
    expect(await back(who, data!.orderid)).toBe('2026-11-26 21:00:00');
    const vatika = { area: 'vatika', programrate: asPaise(4800), orderrate: asPaise(4800), pickup_date: today } as const;
    expect(await newOrder(vatika)).toMatchObject({ data: { back_by: `${tomorrow} 21:00:00` } });
  });

  test('is the day after the pickup if all evenings are closed, and a day can be open on a closed weekday', async () => {
    await change({ action: 'evening', areas: ['manesar'], day: today, capacity: null });
    await change({ ...plan, closed_weekdays: [1, 2, 3, 4, 5, 6, 7] });
    expect(await newOrder({ pickup_date: today })).toMatchObject({ data: { back_by: `${tomorrow} 21:00:00` } });
    await change({ action: 'evening', areas: ['manesar'], day: monday, capacity: 5 });
    expect(await newOrder({ pickup_date: today })).toMatchObject({ data: { back_by: `${monday} 21:00:00` } });
  });

  test('stays when the evening is closed later, and the staff sees how many orders are due then', async () => {
    const { orderid, ...who } = await placed({ pickup_date: today });
    await change({ action: 'evening', areas: ['manesar'], day: tomorrow, capacity: 0 });
    expect(await back(who, orderid)).toBe(`${tomorrow} 21:00:00`);
    const { caller } = await newStaff(program, 'owner');
    const due = async () => {
      const { data } = await caller.send(listDeskEvenings, {});
      return data!.evenings.filter((evening) => evening.due > 0).map((evening) => `${evening.area} ${evening.day} ${evening.due}`);
    };
    expect(await due()).toEqual([`manesar ${tomorrow} 1`]);
    await who.caller.send(cancelOrder, { orderid });
    expect(await due()).toEqual([]);
  });

  test('an order of an earlier version gets it from the database', async () => {
    await change({ ...plan, closed_weekdays: [7] });
    await change({ action: 'evening', areas: ['manesar'], day: monday, capacity: 0 });
    const { orderid, ...who } = await placed({ pickup_date: today });
    await sql`insert into orders select (jsonb_populate_record(orders, ${'{"id":"EARLIER00001","return_day":null}'}::jsonb)).* from orders where id = ${orderid}`.execute(
      program.db,
    );
    const { rows } = await sql`select return_day from orders where id in ('EARLIER00001', ${orderid})`.execute(program.db);
    expect(rows).toEqual([{ return_day: '2026-11-24' }, { return_day: '2026-11-24' }]);
    // The day of a cancellation counts, and its end brings the earlier evening back.
    const { caller } = await newStaff(program, 'operator');
    const { data } = await caller.send(getDeskOrder, { orderid });
    await caller.send(cancelDeskOrder, { orderid, version: data!.version, reason: 'Closed' });
    expect(await back(who, orderid)).toBeNull();
  });
});

test('the cut-off of the area decides to the second', async () => {
  await change({ ...plan, cut_off: '14:00' });
  // 13:59:59 in Asia/Kolkata.
  program.clock.advance((Date.parse('2026-11-21T08:29:59Z') - start.getTime()) / 1000);
  expect(await newOrder({ pickup_date: today })).toMatchObject({ data: { pickup_date: today } });
  program.clock.advance(1);
  expect(await newOrder({ pickup_date: today })).toMatchObject({ code: 'pickup-moved', params: { pickupDay: tomorrow } });
  expect(await newOrder({ area: 'vatika', programrate: asPaise(4800), orderrate: asPaise(4800) })).toMatchObject({
    data: { pickup_date: today },
  });
});

test('the audit has each change, a repeated request has the first response', async () => {
  const { caller, personid } = await newStaff(program, 'owner');
  const key = { idempotencyKey: newId() };
  const body = await basedOnCurrent(caller, { ...plan, capacity: 12, closed_weekdays: [7, 7, 1] });
  expect(await caller.send(setEvenings, body, key)).toMatchObject({ response: 'success' });
  const before = await dumpDatabase(program);
  expect(await caller.send(setEvenings, body, key)).toMatchObject({ response: 'success' });
  expect(await dumpDatabase(program)).toBe(before);
  await sendEveningChange(caller, { action: 'evening', areas: ['manesar'], day: tomorrow, capacity: 4 });
  const rows = await program.db
    .selectFrom('staff_audit')
    .select(['action', 'subject_id', 'before', 'after'])
    .where('staff_id', '=', personid)
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    {
      action: 'set-evening-plan',
      subject_id: 'manesar',
      before: { cut_off: '16:00', capacity: null, closed_weekdays: '' },
      after: { cut_off: '16:00', capacity: 12, closed_weekdays: '1 7' },
    },
    {
      action: 'set-evening',
      subject_id: `manesar ${tomorrow}`,
      before: { capacity: 0, is_exception: false },
      after: { capacity: 4, is_exception: true },
    },
  ]);
});

test('a change that is not based on the current week or evening is refused, and writes nothing but the audit', async () => {
  const [first, second] = [await newStaff(program, 'owner'), await newStaff(program, 'owner')];
  const closedMonday = await basedOnCurrent(second.caller, { ...plan, closed_weekdays: [1] });
  const closedToday = await basedOnCurrent(second.caller, { action: 'evening', areas: ['manesar', 'vatika'], day: today, capacity: 0 });
  expect(await sendEveningChange(first.caller, { ...plan, capacity: 12 })).toMatchObject({
    data: { plans: [{ area: 'manesar', capacity: 12 }, { area: 'vatika' }] },
  });
  const before = await dumpDatabase(program, ['staff_audit']);
  const stale = async (body: unknown) => {
    const response = await second.caller.post(setEvenings.path, body);
    expect(response.json()).toMatchObject({ response: 'error', code: 'changed-meanwhile' });
    expect(response.statusCode).toBe(409);
    return response.json<{ data: unknown }>().data;
  };
  expect(await stale(closedMonday)).toMatchObject({ plans: [{ area: 'manesar', capacity: 12, closed_weekdays: [] }, {}] });
  // The usual number of the evening has changed, too.
  expect(await stale(closedToday)).toMatchObject({
    evenings: expect.arrayContaining([expect.objectContaining({ day: today, capacity: 12 })]),
  });
  expect(await dumpDatabase(program, ['staff_audit'])).toBe(before);
  expect(await program.db.selectFrom('staff_audit').select('after').orderBy('id', 'desc').executeTakeFirst()).toEqual({
    after: { call: 'staff/setslots', error: 'changed-meanwhile' },
  });

  const fiveToday = await basedOnCurrent(second.caller, { action: 'evening', areas: ['manesar'], day: today, capacity: 5 });
  const usual = await basedOnCurrent(second.caller, { action: 'reset', areas: ['manesar'], day: today });
  // A new order is no change of the evening.
  await placed();
  expect(await second.caller.send(setEvenings, fiveToday)).toMatchObject({ response: 'success' });
  await stale(usual);
  await stale({ ...fiveToday, before: [] });
  expect(await sendEveningChange(second.caller, { ...plan, capacity: 12, closed_weekdays: [1] })).toMatchObject({ response: 'success' });
});

test('impossible values change nothing', async () => {
  const { caller } = await newStaff(program, 'owner');
  const before = await dumpDatabase(program, ['staff_audit']);
  const evening = { action: 'evening' as const, areas: ['manesar' as const], capacity: 3 };
  const { before: week } = await basedOnCurrent(caller, plan);
  const { before: evenings } = await basedOnCurrent(caller, { ...evening, day: today });
  expect(await sendEveningChange(caller, { ...evening, day: '2026-11-20' })).toMatchObject({ code: 'evening-past' });
  expect(await sendEveningChange(caller, { ...evening, day: '2027-11-22' })).toMatchObject({ code: 'evening-too-far' });
  for (const wrong of [
    { ...plan, before: week, capacity: 0 },
    { ...plan, before: week, capacity: 1001 },
    { ...plan, before: week, capacity: 1.5 },
    { ...plan, before: week, cut_off: '24:00' },
    { ...plan, before: week, closed_weekdays: [8] },
    { ...plan, before: week, area: 'delhi' },
    { ...plan },
    { ...evening, before: evenings, areas: [], day: today },
    { ...evening, before: evenings, day: '2026-02-30' },
    { ...evening, before: evenings, day: today, capacity: -1 },
    { ...evening, day: today },
  ])
    expect((await caller.post(setEvenings.path, wrong)).statusCode).toBe(400);
  expect(await dumpDatabase(program, ['staff_audit'])).toBe(before);
});

test('an order on an evening that was closed or has too many orders is marked until it is moved', async () => {
  const { caller } = await newStaff(program, 'operator');
  const seen = async () => {
    const { data } = await caller.send(listOrders, { area: 'manesar' });
    return Object.fromEntries(data!.orders.map(({ orderid, evening }) => [orderid, evening]));
  };
  const move = async (orderid: string, day: string) => {
    const { data } = await caller.send(getDeskOrder, { orderid });
    return caller.send(rescheduleOrder, { orderid, version: data!.version, pickup_date: day, reason: 'The machine is broken' });
  };
  const [first, second] = [await placed(), await placed()];
  expect(await seen()).toMatchObject({ [first.orderid]: null, [second.orderid]: null });
  await change({ action: 'evening', areas: ['manesar'], day: today, capacity: 1 });
  expect(await seen()).toMatchObject({ [first.orderid]: 'overbooked', [second.orderid]: 'overbooked' });
  expect(await move(second.orderid, '2026-11-23')).toMatchObject({ response: 'success' });
  expect(await seen()).toMatchObject({ [first.orderid]: null, [second.orderid]: null });
  await change({ action: 'evening', areas: ['manesar'], day: today, capacity: 0 });
  expect(await seen()).toMatchObject({ [first.orderid]: 'closed' });
  expect(await move(first.orderid, '2026-11-23')).toMatchObject({ response: 'success' });
  expect(await seen()).toMatchObject({ [first.orderid]: null, [second.orderid]: null });
});
