/** An order that is sent several times is placed once (docs/security.md, O2 and O4). */
import { fail } from '../../contract/route.server.ts';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSession } from '../../../test/support/seed-customers.ts';
import { countOrders, newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { TEST_SECRET, useProgram } from '../../../test/support/program.ts';
import { composeProgram } from '../../compose.server.ts';
import { parseSettings } from '../../settings.server.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { CallRefused } from '../../contract/call-failures.ts';
import { encodeBody } from '../../contract/send.ts';
import { addOrder, getOrders, orderError, orderMessages } from './contract.ts';
import { deleteExpiredOrderKeys } from './placing-service.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

// A hundred concurrent keys place a hundred orders.
const program = useProgram({ ORDERS_A_DAY: '100' });

/**
 * Retries while the server is busy, as the browser does: ten connections serve a hundred requests.
 */
async function retryWhileBusy<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; tries < 50; tries++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof CallRefused && error.status === 503)) throw error;
      await sleep(100);
    }
  }
  return send();
}

const concurrently = <Result>(count: number, send: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => retryWhileBusy(() => send(index))));

const ordersOf = async ({ caller }: OrderingCustomer) => (await caller.send(getOrders, {})).data?.length;

const people = [
  ['a customer', newOrderingCustomer],
  ['a guest', newOrderingGuest],
] as const;

describe.each(people)('%s', (_who, newPerson) => {
  test('a hundred concurrent requests with one key place one order and get equal responses', async () => {
    const person = await newPerson(program);
    const before = await countOrders(program);
    const idempotencyKey = newId();
    const results = await concurrently(100, () => place(person, {}, { idempotencyKey }));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(await countOrders(program)).toEqual({ orders: before.orders + 1, events: before.events + 1, keys: before.keys + 1 });
  });

  test('a hundred concurrent requests with different keys place a hundred orders', async () => {
    const person = await newPerson(program);
    const keys = Array.from({ length: 100 }, newId);
    const results = await concurrently(100, (index) => place(person, {}, { idempotencyKey: keys[index]! }));
    expect(new Set(results.map(({ orderid }) => orderid)).size).toBe(100);
  });

  test('a hundred concurrent requests without a key place one order', async () => {
    const person = await newPerson(program);
    const results = await concurrently(100, () => place(person));
    expect(new Set(results.map(({ orderid }) => orderid)).size).toBe(1);
    expect(await ordersOf(person)).toBe(1);
  });
});

describe('a key', () => {
  test.each(Object.entries({ area: 'vatika', iron: 'steam', orderrate: asPaise(3700), timeslot: 'another', addressid: 'another' }))(
    'rejects another body: %s',
    async (field, value) => {
      const meera = await newOrderingCustomer(program);
      const idempotencyKey = newId();
      await place(meera, {}, { idempotencyKey });
      const result = await meera.caller.send(addOrder, { ...meera.order, [field]: value }, { idempotencyKey });
      expect(result).toEqual(fail(orderError('order-key-reused')));
      expect(await ordersOf(meera)).toBe(1);
    },
  );

  test('with two concurrent bodies places one order and rejects the other body', async () => {
    const meera = await newOrderingCustomer(program);
    const idempotencyKey = newId();
    const vatika = { area: 'vatika', programrate: asPaise(4800), orderrate: asPaise(4800) } as const;
    const results = await concurrently(40, (index) =>
      meera.caller.send(addOrder, { ...meera.order, ...(index % 2 === 0 && vatika) }, { idempotencyKey }),
    );
    const outcomes = results.map((result) => (result.response === 'success' ? result.message : JSON.stringify(result)));
    expect(new Set(outcomes)).toEqual(new Set([orderMessages.placed, JSON.stringify(fail(orderError('order-key-reused')))]));
    expect(new Set(results.flatMap(({ data }) => data?.orderid ?? [])).size).toBe(1);
    expect(await ordersOf(meera)).toBe(1);
  });

  test('is unused after a rejected order', async () => {
    const meera = await newOrderingCustomer(program);
    const idempotencyKey = newId();
    const stale = { programrate: asPaise(3500), orderrate: asPaise(3500) };
    expect(await meera.caller.send(addOrder, { ...meera.order, ...stale }, { idempotencyKey })).toMatchObject({ response: 'error' });
    expect(await place(meera, {}, { idempotencyKey })).toMatchObject({ orderrate: 3800 });
  });

  test('returns its order after rates, address and day have changed', async () => {
    const meera = await newOrderingCustomer(program);
    const idempotencyKey = newId();
    const seen = { pickup_date: '2026-11-21' };
    const first = await place(meera, seen, { idempotencyKey });
    await program.db.deleteFrom('addresses').where('customer_id', '=', meera.userid).execute();
    await program.db.updateTable('programs').set({ rate_paise: 9900 }).where('id', '=', 'wash').execute();
    const morning = program.clock.now();
    program.clock.advance(400 * DAY_SECONDS);
    const caller = await newSession(program, meera.userid, 'customer');
    try {
      expect(await place({ ...meera, caller }, seen, { idempotencyKey })).toEqual(first);
    } finally {
      program.clock.set(morning);
      await program.db.updateTable('programs').set({ rate_paise: 3800 }).where('id', '=', 'wash').execute();
    }
  });

  test('belongs to one customer: an equal key of another customer places another order', async () => {
    const [meera, other] = await Promise.all([newOrderingCustomer(program), newOrderingCustomer(program)]);
    const idempotencyKey = newId();
    const mine = await place(meera, {}, { idempotencyKey });
    expect((await place(other, {}, { idempotencyKey })).orderid).not.toBe(mine.orderid);
  });

  test('accepts the same body with other field order and without the userid', async () => {
    const meera = await newOrderingCustomer(program);
    const idempotencyKey = newId();
    const first = await place(meera, {}, { idempotencyKey });
    const turned = Object.fromEntries(Object.entries(JSON.parse(encodeBody(addOrder, { ...meera.order, userid: undefined }))).toReversed());
    const result = await meera.caller.post('orders/addorder', turned, { 'idempotency-key': idempotencyKey });
    expect(result.json().data.orderid).toBe(first.orderid);
  });
});

describe('without a key', () => {
  test.each([
    [0, 1],
    [29.999, 1],
    [30, 2],
    [31, 2],
  ])('an equal order %d s later makes %i in total', async (seconds, orders) => {
    const meera = await newOrderingCustomer(program);
    await place(meera);
    program.clock.advance(seconds);
    await place(meera);
    expect(await ordersOf(meera)).toBe(orders);
  });

  test('the thirty seconds start at the order, not at the last tap', async () => {
    const meera = await newOrderingCustomer(program);
    const first = await place(meera);
    program.clock.advance(20);
    await place(meera);
    program.clock.advance(20);
    const third = await place(meera);
    program.clock.advance(20);
    expect((await place(meera)).orderid).toBe(third.orderid);
    expect(third.orderid).not.toBe(first.orderid);
  });

  test('an equal order after the clock was set back by an hour is another order', async () => {
    const meera = await newOrderingCustomer(program);
    program.clock.advance(60 * 60);
    const first = await place(meera);
    program.clock.advance(-60 * 60);
    const second = await place(meera);
    expect(second.orderid).not.toBe(first.orderid);
    expect((await place(meera)).orderid).toBe(second.orderid);
  });

  test('another body or another session places another order', async () => {
    const meera = await newOrderingCustomer(program);
    await place(meera);
    await place(meera, { conditioner: '' });
    await place({ ...meera, caller: await newSession(program, meera.userid, 'customer') });
    expect(await ordersOf(meera)).toBe(3);
  });
});

describe('a response lost after the commit (O4)', () => {
  let port: number;
  beforeAll(async () => {
    const url = await program.app.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(url).port);
  });
  afterAll(() => program.app.server.closeAllConnections());

  test('a retry returns the same order', async () => {
    const meera = await newOrderingCustomer(program);
    const stored = () => program.db.selectFrom('orders').select('id').where('customer_id', '=', meera.userid).execute();
    for (let carts = 1; carts <= 20; carts++) {
      const idempotencyKey = newId();
      await placeAndHangUp(meera, idempotencyKey);
      expect(await stored()).toHaveLength(carts);
      await place(meera, {}, { idempotencyKey });
      expect(await stored()).toHaveLength(carts);
    }
  });

  /**
   * Sends the order over a TCP connection and resets it at the first byte of the response, after
   * the commit.
   */
  function placeAndHangUp({ caller, order }: OrderingCustomer, idempotencyKey: string): Promise<void> {
    const body = encodeBody(addOrder, order);
    const request = [
      'POST /orders/addorder.php HTTP/1.1',
      'host: localhost',
      `cookie: session=${caller.cookies.get('session')}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      `idempotency-key: ${idempotencyKey}`,
    ];
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write(`${request.join('\r\n')}\r\n\r\n${body}`));
      socket.once('data', () => socket.resetAndDestroy());
      socket.once('error', reject);
      socket.once('close', () => resolve());
    });
  }
});

/** The client's keys of this person, and 'same' for each key derived from a body. */
const keysOf = async ({ userid }: OrderingCustomer) => {
  const rows = await program.db.selectFrom('idempotency_keys').select('key').where('customer_id', '=', userid).execute();
  return rows.map(({ key }) => key.replace(/:.*/, '')).toSorted();
};

test('the cleanup deletes expired keys derived from bodies, and no others', async () => {
  const person = await newOrderingCustomer(program);
  const cleanUp = () => deleteExpiredOrderKeys(program.db, program.clock.now());
  const clientKey = newId();
  const withKey = await place(person, {}, { idempotencyKey: clientKey });
  program.clock.advance(60);
  const first = await place(person);

  program.clock.advance(29);
  await cleanUp();
  expect(await keysOf(person)).toEqual([clientKey, 'same'].toSorted());
  expect((await place(person)).orderid).toBe(first.orderid);

  program.clock.advance(1);
  await cleanUp();
  expect(await keysOf(person)).toEqual([clientKey]);
  expect((await place(person, {}, { idempotencyKey: clientKey })).orderid).toBe(withKey.orderid);
});

test('a starting program deletes expired keys', async () => {
  const person = await newOrderingCustomer(program);
  await place(person);
  program.clock.advance(30);
  const settings = parseSettings({ LOG_LEVEL: 'silent' });
  const { app, startJobs } = await composeProgram({
    settings,
    database: program.connection,
    secret: TEST_SECRET,
    build: undefined,
    clock: program.clock,
  });
  try {
    expect(await keysOf(person)).toEqual(['same']);
    startJobs();
    await expect.poll(() => keysOf(person), { timeout: 20_000 }).toEqual([]);
  } finally {
    await app.close();
  }
});
