/** Reliability bar, O2 and O4: however often an order is sent, it is placed once. */
import { fail } from '../../contract/route.server.ts';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSession } from '../../../test/support/seed-customers.ts';
import { countOrders, newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { CallRefused } from '../../contract/call-failures.ts';
import { encodeBody } from '../../browser/client.ts';
import { addOrder, getOrders, orderError, orderMessages } from './contract.ts';
import { deleteExpiredOrderKeys } from './service.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

// A hundred keys at once are to be a hundred orders.
const program = useProgram({ ORDERS_A_DAY: '100' });

/**
 * As a browser does: what the server is too busy for is sent again. On a slow machine a hundred at
 * once wait too long for ten connections.
 */
async function patiently<Result>(send: () => Promise<Result>): Promise<Result> {
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

const atOnce = <Result>(count: number, send: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => patiently(() => send(index))));

const ordersOf = async ({ caller }: OrderingCustomer) => (await caller.send(getOrders, {})).data?.length;

const people = [
  ['a customer', newOrderingCustomer],
  ['a guest', newOrderingGuest],
] as const;

describe.each(people)('%s', (_who, newPerson) => {
  test('sends the same key a hundred times at once: one order, a hundred equal answers', async () => {
    const person = await newPerson(program);
    const before = await countOrders(program);
    const idempotencyKey = newId();
    const answers = await atOnce(100, () => place(person, {}, { idempotencyKey }));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await countOrders(program)).toEqual({ orders: before.orders + 1, stages: before.stages + 1, keys: before.keys + 1 });
  });

  test('sends a hundred keys at once: a hundred orders', async () => {
    const person = await newPerson(program);
    const keys = Array.from({ length: 100 }, newId);
    const answers = await atOnce(100, (index) => place(person, {}, { idempotencyKey: keys[index]! }));
    expect(new Set(answers.map(({ orderid }) => orderid)).size).toBe(100);
  });

  test('taps twice without a key, a hundred times at once: one order', async () => {
    const person = await newPerson(program);
    const answers = await atOnce(100, () => place(person));
    expect(new Set(answers.map(({ orderid }) => orderid)).size).toBe(1);
    expect(await ordersOf(person)).toBe(1);
  });
});

describe('a key', () => {
  test.each(Object.entries({ area: 'vatika', iron: 'steam', orderrate: asPaise(3700), timeslot: 'another', addressid: 'another' }))(
    'with another body is refused: %s',
    async (field, value) => {
      const meera = await newOrderingCustomer(program);
      const idempotencyKey = newId();
      await place(meera, {}, { idempotencyKey });
      const answer = await meera.caller.send(addOrder, { ...meera.order, [field]: value }, { idempotencyKey });
      expect(answer).toEqual(fail(orderError('order-key-reused')));
      expect(await ordersOf(meera)).toBe(1);
    },
  );

  test('with two bodies at once: one order, and the other body is refused', async () => {
    const meera = await newOrderingCustomer(program);
    const idempotencyKey = newId();
    const vatika = { area: 'vatika', programrate: asPaise(4800), orderrate: asPaise(4800) } as const;
    const answers = await atOnce(40, (index) =>
      meera.caller.send(addOrder, { ...meera.order, ...(index % 2 === 0 && vatika) }, { idempotencyKey }),
    );
    const outcomes = answers.map((answer) => (answer.response === 'success' ? answer.message : JSON.stringify(answer)));
    expect(new Set(outcomes)).toEqual(new Set([orderMessages.placed, JSON.stringify(fail(orderError('order-key-reused')))]));
    expect(new Set(answers.flatMap(({ data }) => data?.orderid ?? [])).size).toBe(1);
    expect(await ordersOf(meera)).toBe(1);
  });

  test('binds once an order was stored: after a refusal it is as good as new', async () => {
    const meera = await newOrderingCustomer(program);
    const idempotencyKey = newId();
    const stale = { programrate: asPaise(3500), orderrate: asPaise(3500) };
    expect(await meera.caller.send(addOrder, { ...meera.order, ...stale }, { idempotencyKey })).toMatchObject({ response: 'error' });
    expect(await place(meera, {}, { idempotencyKey })).toMatchObject({ orderrate: 3800 });
  });

  test('leads to its order for ever: rates, address and day may have changed meanwhile', async () => {
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

  test('belongs to one customer: another’s equal key is another order', async () => {
    const [meera, other] = await Promise.all([newOrderingCustomer(program), newOrderingCustomer(program)]);
    const idempotencyKey = newId();
    const mine = await place(meera, {}, { idempotencyKey });
    expect((await place(other, {}, { idempotencyKey })).orderid).not.toBe(mine.orderid);
  });

  test('reads the body’s meaning, not its spelling: fields in another order, with the userid or without', async () => {
    const meera = await newOrderingCustomer(program);
    const idempotencyKey = newId();
    const first = await place(meera, {}, { idempotencyKey });
    const turned = Object.fromEntries(Object.entries(JSON.parse(encodeBody(addOrder, { ...meera.order, userid: undefined }))).toReversed());
    const answer = await meera.caller.post('orders/addorder', turned, { 'idempotency-key': idempotencyKey });
    expect(answer.json().data.orderid).toBe(first.orderid);
  });
});

describe('without a key', () => {
  test.each([
    [0, 1],
    [29.999, 1],
    [30, 2],
    [31, 2],
  ])('an equal order %d s later: %i in all', async (seconds, orders) => {
    const meera = await newOrderingCustomer(program);
    await place(meera);
    program.clock.advance(seconds);
    await place(meera);
    expect(await ordersOf(meera)).toBe(orders);
  });

  test('the thirty seconds run from the order, not from the last tap', async () => {
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

  test('another order, or the same one from another browser, is another order', async () => {
    const meera = await newOrderingCustomer(program);
    await place(meera);
    await place(meera, { area: 'vatika', programrate: asPaise(4800), orderrate: asPaise(4800) });
    await place({ ...meera, caller: await newSession(program, meera.userid, 'customer') });
    expect(await ordersOf(meera)).toBe(3);
  });
});

describe('the answer is lost after the order was stored (O4)', () => {
  let port: number;
  beforeAll(async () => {
    const url = await program.app.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(url).port);
  });
  afterAll(() => program.app.server.closeAllConnections());

  test('retried, it is the same order: as many orders as carts', async () => {
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
   * Sends the order over a real connection and resets it at the answer's first byte, which is
   * written only after the commit.
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

test('the clean-up deletes expired keys made from bodies, and neither live ones nor given ones', async () => {
  const person = await newOrderingCustomer(program);
  const keys = async () => {
    const rows = await program.db.selectFrom('idempotency_keys').select('key').where('customer_id', '=', person.userid).execute();
    return rows.map(({ key }) => key.replace(/:.*/, '')).toSorted();
  };
  const cleanUp = () => deleteExpiredOrderKeys(program.db, program.clock.now());
  const givenKey = newId();
  const given = await place(person, {}, { idempotencyKey: givenKey });
  program.clock.advance(60);
  const first = await place(person);

  program.clock.advance(29);
  await cleanUp();
  expect(await keys()).toEqual([givenKey, 'same'].toSorted());
  expect((await place(person)).orderid).toBe(first.orderid);

  program.clock.advance(1);
  await cleanUp();
  expect(await keys()).toEqual([givenKey]);
  expect((await place(person, {}, { idempotencyKey: givenKey })).orderid).toBe(given.orderid);
});
