/**
 * Orders during crashes and lost responses, with the built program in several processes
 * (docs/security.md, O1, O2, O4).
 */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addOrder, type PlacedOrder } from '../../src/domains/orders/contract.ts';
import { newId } from '../../src/lib/ids.ts';
import { newTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { newOrderingCustomer, place, type OrderingCustomer } from '../support/ordering.ts';
import { createRandom, newSeed } from '../support/random.ts';
import { size } from '../support/size.ts';

const seed = newSeed();

const orderIds = async ({ db }: TestEnvironment, of: OrderingCustomer[]) => {
  const customers = of.map(({ userid }) => userid);
  const rows = await db.selectFrom('orders').select('id').where('customer_id', 'in', customers).execute();
  return rows.map(({ id }) => id).toSorted();
};

/**
 * Repeats an order with the same key until it gets a response, like a browser after a broken
 * connection.
 */
async function placeUntilAcknowledged(customer: OrderingCustomer): Promise<PlacedOrder> {
  const idempotencyKey = newId();
  for (;;) {
    try {
      return await place(customer, {}, { idempotencyKey });
    } catch {
      await sleep(30);
    }
  }
}

const kills = size({ small: 4, full: 50 });
const clients = size({ small: 6, full: 20 });

test(
  `O1: ${kills} times SIGKILL of one or both of two processes with ${clients} ordering customers: every acknowledged order exists once (seed ${seed})`,
  { timeout: size({ small: 120_000, full: 900_000 }) },
  async () => {
    const random = createRandom(seed);
    const environment = await newTestEnvironment();
    await environment.start();
    await environment.start();
    const customers = await Promise.all(Array.from({ length: clients }, () => newOrderingCustomer(environment)));

    const stop = new AbortController();
    const working = customers.map(async (customer) => {
      const acknowledged: string[] = [];
      while (!stop.signal.aborted) acknowledged.push((await placeUntilAcknowledged(customer)).orderid);
      return acknowledged;
    });
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(100 + random.below(400));
      // The other process gets the key again, perhaps before PostgreSQL notices the kill.
      const killed = environment.programs.splice(0, 1 + random.below(2));
      await Promise.all(killed.map((program) => program.kill()));
      await Promise.all(killed.map(() => environment.start()));
    }
    stop.abort();
    const acknowledged = (await Promise.all(working)).flat();

    expect(acknowledged.length).toBeGreaterThan(kills);
    // Each key was sent until it was acknowledged, so any further order would be a duplicate.
    expect(await orderIds(environment, customers)).toEqual(acknowledged.toSorted());
  },
);

test(
  'O2: a hundred concurrent requests with one key through two processes place one order and get equal responses',
  { timeout: 120_000 },
  async () => {
    const environment = await newTestEnvironment();
    await environment.start();
    await environment.start();
    for (let round = 0; round < size({ small: 3, full: 50 }); round += 1) {
      const customer = await newOrderingCustomer(environment);
      const idempotencyKey = newId();
      const placed = await Promise.all(Array.from({ length: 100 }, () => place(customer, {}, { idempotencyKey })));
      expect(new Set(placed.map((order) => JSON.stringify(order))).size).toBe(1);
      expect(await orderIds(environment, [customer])).toEqual([placed[0]?.orderid]);
    }
  },
);

const carts = size({ small: 20, full: 200 });

test(
  `O4: ${carts} responses lost after the order was stored, then retried through another process: ${carts} orders`,
  { timeout: 180_000 },
  async () => {
    const environment = await newTestEnvironment();
    const first = await environment.start();
    const proxy = await startCuttingProxy(Number(new URL(first.url).port));
    const customer = await newOrderingCustomer(environment);
    await environment.start();

    for (let cart = 0; cart < carts; cart += 1) {
      const idempotencyKey = newId();
      const request = fetch(`http://127.0.0.1:${proxy.port}/${addOrder.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey, cookie: cookieOf(customer) },
        body: JSON.stringify({ ...customer.order, programrate: 38, orderrate: 38 }),
      });
      await expect(request).rejects.toThrow('fetch failed');
      await place(customer, {}, { idempotencyKey });
    }
    proxy.close();
    expect(await orderIds(environment, [customer])).toHaveLength(carts);
  },
);

const cookieOf = ({ caller }: OrderingCustomer) => [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/**
 * Forwards a request and closes the connection at the start of the response, so the client does not
 * know the result.
 */
async function startCuttingProxy(target: number) {
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    client.pipe(upstream);
    upstream.once('data', () => {
      client.resetAndDestroy();
      upstream.destroy();
    });
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as net.AddressInfo).port, close: () => server.close() };
}
