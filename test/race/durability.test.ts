/** Orders through crashes and lost answers, with the built program in processes of its own (reliability bar, O1, O2, O4). */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addOrder, type PlacedOrder } from '../../src/domains/orders/contract.ts';
import { newId } from '../../src/lib/ids.ts';
import { newGround, type Ground } from '../support/child-program.ts';
import { newOrderingCustomer, place, type OrderingPerson } from '../support/ordering.ts';
import { chance, newSeed } from '../support/random.ts';
import { size } from '../support/size.ts';

const seed = newSeed();

const orderIds = async ({ db }: Ground, of: OrderingPerson[]) => {
  const people = of.map(({ userid }) => userid);
  const rows = await db.selectFrom('orders').select('id').where('customer_id', 'in', people).execute();
  return rows.map(({ id }) => id).toSorted();
};

/** Sends until it is answered, always with the same key: what a browser does when the connection breaks. */
async function placeUntilAnswered(person: OrderingPerson): Promise<PlacedOrder> {
  const idempotencyKey = newId();
  for (;;) {
    try {
      return await place(person, {}, { idempotencyKey });
    } catch {
      await sleep(30);
    }
  }
}

const kills = size({ small: 4, full: 50 });
const clients = size({ small: 6, full: 20 });

test(
  `O1: ${kills} times kill -9 of one or both of two processes under ${clients} ordering customers: every acknowledged order is there, none twice (seed ${seed})`,
  { timeout: size({ small: 120_000, full: 900_000 }) },
  async () => {
    const random = chance(seed);
    const ground = await newGround();
    await ground.start();
    await ground.start();
    const people = await Promise.all(Array.from({ length: clients }, () => newOrderingCustomer(ground)));

    const stop = new AbortController();
    const working = people.map(async (person) => {
      const acknowledged: string[] = [];
      while (!stop.signal.aborted) acknowledged.push((await placeUntilAnswered(person)).orderid);
      return acknowledged;
    });
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(100 + random.below(400));
      // Where one is left, it gets the key again at once, perhaps before PostgreSQL has noticed that the other is gone.
      const killed = ground.programs.splice(0, 1 + random.below(2));
      await Promise.all(killed.map((program) => program.kill()));
      await Promise.all(killed.map(() => ground.start()));
    }
    stop.abort();
    const acknowledged = (await Promise.all(working)).flat();

    expect(acknowledged.length).toBeGreaterThan(kills);
    // Each key was sent until it was acknowledged, so what is there beyond the acknowledged would be there twice.
    expect(await orderIds(ground, people)).toEqual(acknowledged.toSorted());
  },
);

test('O2: one key a hundred times at once through two processes: one order, a hundred equal answers', { timeout: 120_000 }, async () => {
  const ground = await newGround();
  await ground.start();
  await ground.start();
  for (let round = 0; round < size({ small: 3, full: 50 }); round += 1) {
    const person = await newOrderingCustomer(ground);
    const idempotencyKey = newId();
    const answers = await Promise.all(Array.from({ length: 100 }, () => place(person, {}, { idempotencyKey })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await orderIds(ground, [person])).toEqual([answers[0]?.orderid]);
  }
});

const carts = size({ small: 20, full: 200 });

test(
  `O4: ${carts} answers cut after the order was stored, then sent again to another process: ${carts} orders`,
  { timeout: 180_000 },
  async () => {
    const ground = await newGround();
    const first = await ground.start();
    const proxy = await cuttingProxy(Number(new URL(first.url).port));
    const person = await newOrderingCustomer(ground);
    await ground.start();

    for (let cart = 0; cart < carts; cart += 1) {
      const idempotencyKey = newId();
      const cut = fetch(`http://127.0.0.1:${proxy.port}/${addOrder.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey, cookie: cookieOf(person) },
        body: JSON.stringify({ ...person.order, programrate: 38, orderrate: 38 }),
      });
      await expect(cut).rejects.toThrow('fetch failed');
      await place(person, {}, { idempotencyKey });
    }
    proxy.close();
    expect(await orderIds(ground, [person])).toHaveLength(carts);
  },
);

const cookieOf = ({ caller }: OrderingPerson) => [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Lets a request through and hangs up as soon as its answer begins: the work is done, and the sender cannot know. */
async function cuttingProxy(target: number) {
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    client.pipe(upstream);
    upstream.once('data', () => {
      client.resetAndDestroy();
      upstream.destroy();
    });
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { port: (server.address() as net.AddressInfo).port, close: () => server.close() };
}
