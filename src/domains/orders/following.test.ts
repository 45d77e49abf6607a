import { sql } from 'kysely';
import { kolkataDateTime } from '../../lib/dates.ts';
import { describe, expect, test } from 'vitest';
import { newSession } from '../../../test/support/seed-customers.ts';
import { requestCode, newestCode, newMobile, verifyMobile } from '../../../test/support/customer.ts';
import {
  home,
  newOrderingCustomer,
  newOrderingGuest,
  place,
  washInManesar,
  type OrderingCustomer,
} from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newId } from '../../lib/ids.ts';
import { logout } from '../accounts/contract.ts';
import { confirmCode } from '../verification/contract.ts';
import { addOrder, getMoreOrders, getOrder, getOrders, orderError, PROGRESS_STAGES, type Stage } from './contract.ts';
import { moveOrder, weighOrder } from './service.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

const program = useProgram({ ORDERS_A_DAY: '30' });

const placeNew = (person: OrderingCustomer) => place(person, {}, { idempotencyKey: newId() });
const move = (orderid: string, to: Stage) => moveOrder(program.db, orderid, to, program.clock.now(), { bonusTime: 'sign-up' });
const eventsOf = (orderid: string) =>
  program.db.selectFrom('order_events').selectAll().where('order_id', '=', orderid).orderBy('id').execute();
const read = async ({ caller }: OrderingCustomer, orderid: string) => (await caller.send(getOrder, { orderid })).data?.[0];

async function orderAt(stage: Stage) {
  const person = await newOrderingCustomer(program);
  const { orderid } = await place(person);
  await weighOrder(program.db, orderid, 5000, 9, program.clock.now());
  const index = PROGRESS_STAGES.findIndex((row) => row.stage === stage);
  for (const row of PROGRESS_STAGES.slice(1, index + 1)) await move(orderid, row.stage);
  return { person, orderid };
}

describe('an order on the wire', () => {
  test('has no weight, number of items and amounts before the pickup', async () => {
    const meera = await newOrderingCustomer(program);
    const { orderid } = await place(meera);
    const response = await meera.caller.post('orders/getspecificorder.php', { userid: meera.userid, orderid });
    expect(response.json()).toEqual({
      response: 'success',
      message: 'Order',
      data: [
        {
          orderid,
          order_date: '2026-11-21 10:30:00',
          washing_stage: 'pickup',
          delivered_date: null,
          stages: [{ stage: 'pickup', entered_at: '2026-11-21 10:30:00' }],
          version: expect.any(Number),
          programid: 'wash',
          program_name: 'Wash',
          program_rate: 38,
          unit: 'kg',
          total_weight: null,
          total_items: null,
          order_cost: null,
          total_amount: null,
          amount_paid: 0,
          offer_rate: 0,
          hand_over_code: null,
          offerid: null,
          area: 'manesar',
          timeslot: '05:00 - 09:00 PM',
          pickup_date: '2026-11-21',
          attempt: null,
          collected_date: null,
          bags: null,
          has_reported_upi: false,
          to_return: false,
          returned_date: null,
          cancellation: null,
          reviewed: false,
          stars: null,
          delivery_date: null,
          back_by: '2026-11-22 21:00:00',
          due_at: '2026-11-21 21:00:00',
          rider: null,
          history: [{ kind: 'placed', at: kolkataDateTime(program.clock.now()) }],
          undo_seconds: null,
          ...home,
        },
      ],
    });
  });

  test('has kilograms, items and rupees once it is weighed', async () => {
    const meera = await newOrderingCustomer(program);
    const { orderid } = await place(meera);
    expect(await weighOrder(program.db, orderid, 7530, 12, program.clock.now())).toBe('done');
    const response = await meera.caller.post('orders/getorder.php', { userid: meera.userid });
    expect(response.json().data).toMatchObject([
      {
        orderid,
        total_weight: 7.53,
        total_items: 12,
        order_cost: 286.14,
        total_amount: 286.14,
        collected_date: '2026-11-21 10:30:00',
      },
    ]);
  });
});

describe('the stages of an order', () => {
  test('an order passes through every stage and records its history', async () => {
    const meera = await newOrderingCustomer(program);
    const { orderid } = await place(meera);
    await weighOrder(program.db, orderid, 5000, 9, program.clock.now());
    for (const { stage } of PROGRESS_STAGES.slice(1)) {
      program.clock.advance(3600);
      expect(await move(orderid, stage)).toBe('done');
      expect((await read(meera, orderid))?.washing_stage).toBe(stage);
    }
    const events = await eventsOf(orderid);
    expect(events.map(({ kind }) => kind)).toEqual(['placed', 'weighed', ...PROGRESS_STAGES.slice(1).map(() => 'moved')]);
    expect(events[1]?.data).toEqual({ weight_grams: 5000, items: 9 });
    const order = await read(meera, orderid);
    expect(order?.stages.map(({ stage }) => stage)).toEqual(PROGRESS_STAGES.map(({ stage }) => stage));
    expect(order?.stages.at(-1)?.entered_at).toBe(kolkataDateTime(program.clock.now()));
    expect(order?.delivered_date).toBe(kolkataDateTime(program.clock.now()));
    expect(order?.version).toBe(events.at(-1)?.id);
  });

  // Every pair of stages: only a move to the next stage is allowed.
  const everyMove = PROGRESS_STAGES.flatMap((from, index) =>
    PROGRESS_STAGES.map((to, other) => [from.stage, to.stage, other === index + 1] as const),
  );
  test.each(everyMove)('a move from %s to %s is allowed: %s', async (from, to, allowed) => {
    const { orderid, person } = await orderAt(from);
    expect(await move(orderid, to)).toBe(allowed ? 'done' : 'wrong-stage');
    expect((await read(person, orderid))?.washing_stage).toBe(allowed ? to : from);
  });

  test.each(PROGRESS_STAGES.map(({ stage }) => stage))('at %s weighOrder succeeds only in stage pickup', async (stage) => {
    const { orderid, person } = await orderAt(stage);
    expect(await weighOrder(program.db, orderid, 9000, 20, program.clock.now())).toBe(stage === 'pickup' ? 'done' : 'wrong-stage');
    expect((await read(person, orderid))?.total_weight).toBe(stage === 'pickup' ? 9000 : 5000);
  });

  test('an unweighed order stays at pickup', async () => {
    const meera = await newOrderingCustomer(program);
    const { orderid } = await place(meera);
    expect(await move(orderid, 'queue')).toBe('not-weighed');
    expect((await read(meera, orderid))?.washing_stage).toBe('pickup');
  });

  test('fifty concurrent moves change the stage once', async () => {
    const { orderid } = await orderAt('queue');
    const moves = await Promise.all(Array.from({ length: 50 }, () => move(orderid, 'washing')));
    expect(moves.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect((await eventsOf(orderid)).map(({ stage }) => stage)).toEqual(['pickup', null, 'queue', 'washing']);
  });

  test.each([
    [0, 5],
    [7505, 5],
    [5000, 0],
    [5000, 1.5],
    [2_000_000, 5],
  ])('rejects %d g and %d items', async (grams, items) => {
    const { orderid, person } = await orderAt('pickup');
    expect(await weighOrder(program.db, orderid, grams, items, program.clock.now())).toBe('impossible-weight');
    expect((await read(person, orderid))?.total_weight).toBe(5000);
  });

  test('rejects an unknown order', async () => {
    expect(await weighOrder(program.db, 'NOSUCHORDER0', 5000, 9, program.clock.now())).toBe('order-not-found');
    expect(await move('NOSUCHORDER0', 'queue')).toBe('order-not-found');
  });
});

describe('the list', () => {
  test('is empty at first', async () => {
    const meera = await newOrderingCustomer(program);
    expect(await meera.caller.send(getOrders, { userid: meera.userid })).toEqual({ response: 'success', message: 'Orders', data: [] });
    expect(await meera.caller.send(getMoreOrders, { offset: 0 })).toEqual({
      response: 'error',
      message: 'out of orders',
      code: 'out-of-orders',
      params: {},
      data: null,
    });
  });

  test('has pages of ten, newest first, without skipped or repeated orders of equal times', async () => {
    const meera = await newOrderingCustomer(program);
    for (let index = 0; index < 23; index++) {
      if (index % 5 === 0) program.clock.advance(60);
      await placeNew(meera);
    }
    const first = await meera.caller.send(getOrders, {});
    const second = await meera.caller.send(getMoreOrders, { offset: 10 });
    const third = await meera.caller.send(getMoreOrders, { offset: 20 });
    const pages = [first, second, third].map(({ data }) => data ?? []);
    expect(pages.map((page) => page.length)).toEqual([10, 10, 3]);
    const all = pages.flat();
    expect(new Set(all.map(({ orderid }) => orderid)).size).toBe(23);
    const sorted = all.toSorted((a, b) => b.order_date.localeCompare(a.order_date) || (a.orderid < b.orderid ? 1 : -1));
    expect(all).toEqual(sorted);
    expect(await meera.caller.send(getMoreOrders, { offset: 30 })).toMatchObject(orderError('out-of-orders'));
  });

  test.each([-1, 0.5, 100_001, '10', null])('rejects the offset %j', async (offset) => {
    const meera = await newOrderingCustomer(program);
    expect((await meera.caller.post('orders/getmoreorder.php', { offset })).statusCode).toBe(400);
  });
});

describe('access of others (docs/security.md, I1)', () => {
  const strangers = [
    ['another customer', () => newOrderingCustomer(program)],
    ['a guest', () => newOrderingGuest(program)],
  ] as const;

  test.each(strangers)('%s gets the same bytes for the order as for an unknown one', async (_who, newStranger) => {
    const owner = await newOrderingCustomer(program);
    const { orderid } = await place(owner);
    const stranger = await newStranger();
    const bytes = async (id: string) =>
      (await stranger.caller.post('orders/getspecificorder.php', { orderid: id })).payload.replaceAll(id, '{id}');
    expect(await bytes(orderid)).toBe(
      '{"response":"error","message":"No order found with order number {id}","code":"order-not-found","params":{"orderid":"{id}"},"data":null}',
    );
    expect(await bytes(orderid)).toBe(await bytes('NOSUCHORDER0'));
    expect((await stranger.caller.send(getOrders, {})).data).toEqual([]);
    expect((await stranger.caller.send(getMoreOrders, { offset: 0 })).data).toBeNull();
  });

  const reading = [
    ['orders/getorder.php', {}],
    ['orders/getmoreorder.php', { offset: 0 }],
    ['orders/getspecificorder.php', { orderid: 'NOSUCHORDER0' }],
  ] as const;

  test.each(reading)('%s rejects a missing, forged or expired session and the userid of another customer', async (path, body) => {
    const [owner, other] = await Promise.all([newOrderingCustomer(program), newOrderingCustomer(program)]);
    const forged = program.caller();
    forged.cookies.set('session', 'c'.repeat(43));
    const dead = await newSession(program, owner.userid, 'customer');
    const refused = '{"response":"error","message":"Please login first","code":"login-required","params":{},"data":null}';
    const ask = async (caller: typeof dead, more = {}) => {
      const response = await caller.post(path, { ...body, ...more });
      return [response.statusCode, response.payload];
    };
    expect(await ask(program.caller())).toEqual([401, refused]);
    expect(await ask(forged)).toEqual([401, refused]);
    expect(await ask(other.caller, { userid: owner.userid })).toEqual([401, refused]);
    program.clock.advance(30 * DAY_SECONDS);
    expect(await ask(dead)).toEqual([401, refused]);
    expect(await ask(dead, { userid: owner.userid })).toEqual([401, refused]);
  });
});

describe('a guest', () => {
  test('sees the orders of this browser only, not others with the same number', async () => {
    const guest = await newOrderingGuest(program);
    const { orderid } = await place(guest);
    const elsewhere = { ...guest, caller: await newSession(program, guest.userid, 'guest') };
    const theirs = await place(elsewhere);
    expect((await guest.caller.send(getOrders, {})).data?.map((order) => order.orderid)).toEqual([orderid]);
    expect(await guest.caller.send(getOrder, { orderid: theirs.orderid })).toMatchObject({ data: null });
  });

  test.each([
    ['again', true],
    ['and then another', false],
  ])('who verifies the same number %s sees every order of this browser', async (_what, sameNumber) => {
    const caller = program.caller();
    const order = async (mobile: string) => {
      await verifyMobile(program, caller, mobile, 'guest');
      const response = await caller.send(addOrder, { ...washInManesar, guest_address: { ...home, mobile } });
      program.clock.advance(60);
      return response.data?.orderid;
    };
    const mobile = newMobile();
    const first = await order(mobile);
    const second = await order(sameNumber ? mobile : newMobile());
    expect((await caller.send(getOrders, {})).data?.map(({ orderid }) => orderid)).toEqual([second, first]);
    expect((await program.caller().post('orders/getorder.php', {})).statusCode).toBe(401);
  });

  test.each([
    ['the new session', 'insert', 'sessions'],
    ["the transfer of the browser's orders", 'update', 'orders'],
  ])('retains session, orders and code if %s fails', async (_what, event, table) => {
    const [caller, mobile] = [program.caller(), newMobile()];
    await verifyMobile(program, caller, mobile, 'guest');
    const { data } = await caller.send(addOrder, { ...washInManesar, guest_address: { ...home, mobile } });
    program.clock.advance(60);
    await requestCode(caller, mobile, 'guest');
    const confirmed = { mobile, purpose: 'guest', code: await newestCode(program, mobile) };
    const follows = async () => (await caller.send(getOrders, {})).data?.map(({ orderid }) => orderid);

    await sql`create function broken() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`.execute(program.db);
    await sql.raw(`create trigger broken before ${event} on ${table} for each row execute function broken()`).execute(program.db);
    expect((await caller.post(confirmCode.path, confirmed)).statusCode).toBe(500);
    await sql`drop function broken() cascade`.execute(program.db);

    expect(await follows()).toEqual([data?.orderid]);
    expect((await caller.post(confirmCode.path, confirmed)).json()).toMatchObject({ response: 'success' });
    expect(await follows()).toEqual([data?.orderid]);
  });

  test('who forgets this device leaves no session, known device, code or cookie in it', async () => {
    const caller = program.caller();
    const mobile = newMobile();
    await verifyMobile(program, caller, mobile, 'guest');
    const { data } = await caller.send(addOrder, { ...washInManesar, guest_address: { ...home, mobile } });
    program.clock.advance(60);
    await requestCode(caller, mobile, 'guest');
    const copied = program.caller();
    for (const [name, value] of caller.cookies) copied.cookies.set(name, value);

    expect(await caller.send(logout, { forget_device: true })).toMatchObject({ message: 'This device is forgotten' });
    expect([...caller.cookies.keys()]).toEqual([]);
    expect((await copied.post(getOrders.path, {})).statusCode).toBe(401);
    expect(await program.db.selectFrom('known_devices').selectAll().where('mobile', '=', mobile).execute()).toEqual([]);
    const code = await newestCode(program, mobile);
    expect(await caller.send(confirmCode, { mobile, purpose: 'guest', code })).toMatchObject({ code: 'out-of-attempts' });
    expect(
      await program.db
        .selectFrom('orders')
        .select('id')
        .where('id', '=', data?.orderid ?? '')
        .execute(),
    ).toHaveLength(1);
    expect(await caller.send(logout, { forget_device: true }), 'again').toMatchObject({ response: 'success' });
  });

  test('with the number of an account does not see its orders, and the account not those of the guest', async () => {
    const meera = await newOrderingCustomer(program);
    const own = await place(meera);
    const caller = await newSession(program, meera.userid, 'guest');
    const { addressid: _, userid: __, ...order } = meera.order;
    const asGuest = await place({ ...meera, caller, order: { ...order, guest_address: { ...home, mobile: meera.mobile } } });
    expect((await caller.send(getOrders, {})).data?.map(({ orderid }) => orderid)).toEqual([asGuest.orderid]);
    expect((await meera.caller.send(getOrders, {})).data?.map(({ orderid }) => orderid)).toEqual([own.orderid]);
  });
});
