/** The pages of orders follow changes through every process (decision 45). */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { payWithWallet } from '../../src/domains/payments/contract.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { openOrderEvents } from '../support/event-stream.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { size } from '../support/size.ts';
import { newTestEnvironment } from '../support/test-environment.ts';

/** The small run allows for a busy machine, but not for a heartbeat, which also sends changes. */
const DEADLINE_MS = size({ small: 10_000, full: 2_000 });

test(`a change through one process reaches the pages of both within ${DEADLINE_MS / 1000} s`, { timeout: 60_000 }, async () => {
  const environment = await newTestEnvironment();
  const processes = [await environment.start(), await environment.start()];
  const { db, clock } = environment;
  const person = await newOrderingCustomer(environment);
  const { caller, userid } = person;
  const { orderid } = await place(person);
  const credit = { kind: 'promotion', amountPaise: asPaise(100_000), reason: 'A test', reference: newId() } as const;
  await creditWallet(db, { ...credit, customerId: userid, at: clock.now() });
  const streams = await Promise.all(processes.map(({ url }) => openOrderEvents(url, caller, orderid)));
  const nextVersions = async () => (await Promise.all(streams.map((stream) => stream.next()))).map(Number);
  const newestVersion = async () =>
    (await db.selectFrom('order_events').select('id').where('order_id', '=', orderid).orderBy('id', 'desc').executeTakeFirst())?.id;
  expect(await nextVersions()).toEqual([await newestVersion(), await newestVersion()]);
  await untilListening();

  const changes: (() => Promise<unknown>)[] = [
    // In a process without pages, like the commands of the laundry.
    () => weighOrder(db, orderid, 7530, 12, clock.now()),
    () => moveOrder(db, orderid, 'queue', clock.now()),
    // Through one of the two processes.
    () => caller.send(payWithWallet, { userid, orderid, walletpayment: asPaise(14_307), walletbalance: 0 }),
    () => moveOrder(db, orderid, 'washing', clock.now()),
  ];
  for (const change of changes) {
    await change();
    const changedAt = performance.now();
    const versions = await nextVersions();
    expect(performance.now() - changedAt).toBeLessThan(DEADLINE_MS);
    const newest = await newestVersion();
    expect(versions).toEqual([newest, newest]);
  }

  // Both processes listen again, and a change during the interruption is not lost.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${isListener}`.execute(db);
  await moveOrder(db, orderid, 'delivery', clock.now());
  const interruptedAt = performance.now();
  const versions = await nextVersions();
  expect(performance.now() - interruptedAt).toBeLessThan(DEADLINE_MS + 2_000);
  expect(versions).toEqual([await newestVersion(), await newestVersion()]);

  async function untilListening() {
    const listeners = () => sql`select 1 from pg_stat_activity where ${isListener} and query like 'listen%'`.execute(db);
    await expect.poll(async () => (await listeners()).rows.length, { timeout: DEADLINE_MS }).toBe(2);
  }
});

const isListener = sql<boolean>`datname = current_database() and application_name like 'dhulai pid % listener'`;
