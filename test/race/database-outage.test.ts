/**
 * PostgreSQL killed, suspended or out of connections (docs/security.md, O7): calls fail soon with a
 * clear error, the process stays live and recovers, and no order is lost or duplicated.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/database.server.ts';
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { waitForExit, initialisedFolder, postmasterPid } from '../launch/processes.ts';
import { newTestEnvironment } from '../support/test-environment.ts';
import { ChildProgram, freePort, statusOf } from '../support/program-process.ts';
import { httpCaller } from '../support/http-caller.ts';
import { childrenOf } from '../support/process-tree.ts';
import { home, newOrderingCustomer, place, type OrderingCustomer } from '../support/ordering.ts';
import { size } from '../support/size.ts';

/** The small run allows for a busy machine. */
const LIMIT_MS = size({ small: 20_000, full: 5_000 });

/** Starts a program with its own embedded PostgreSQL. */
async function programWithDatabase() {
  const dataDir = await initialisedFolder();
  const program = new ChildProgram(await freePort(), { DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  onTestFinished(async () => {
    await program.kill();
    const pid = postmasterPid(dataDir);
    if (!pid) return;
    process.kill(pid, 'SIGQUIT');
    await waitForExit(pid);
  });
  await program.ready();
  const connectionString = (await readFile(join(dataDir, 'url'), 'utf8')).trim();
  const database = openDatabase({ connection: { connectionString }, poolSize: 2, onConnectionLost: () => {} });
  onTestFinished(() => database.close());
  const customer = await newOrderingCustomer({ db: database.db, clock: systemClock, caller: () => httpCaller(() => program.url) });
  return { program, customer, db: database.db, postmaster: () => postmasterPid(dataDir) ?? -1 };
}

/** Returns the pids of the postmaster and its children. */
const serverProcesses = (postmaster: number) => [postmaster, ...childrenOf(postmaster)];

interface Outcome {
  key: string;
  orderid: string | undefined;
  error: string | undefined;
  tookMs: number;
}

async function tryToPlace(customer: OrderingCustomer, key = newId()): Promise<Outcome> {
  const started = performance.now();
  const outcome = await place(customer, {}, { idempotencyKey: key }).then(
    ({ orderid }) => ({ orderid, error: undefined }),
    (error: unknown) => ({ orderid: undefined, error: String(error) }),
  );
  return { key, ...outcome, tookMs: performance.now() - started };
}

/** Places orders until `stop()`. `again()` waits for the next order that succeeds. */
function ordering(customer: OrderingCustomer) {
  const outcomes: Outcome[] = [];
  const stop = new AbortController();
  const working = (async () => {
    while (!stop.signal.aborted) {
      outcomes.push(await tryToPlace(customer));
      await sleep(20);
    }
  })();
  return {
    again: async () => {
      const before = outcomes.length;
      while (!outcomes.slice(before).some(({ orderid }) => orderid)) await sleep(5);
    },
    stop: async () => {
      stop.abort();
      await working;
      return outcomes;
    },
  };
}

const BUSY = 'CallRefused: We are busy right now, please try again in a moment';

async function expectExactly(db: Awaited<ReturnType<typeof programWithDatabase>>['db'], customer: OrderingCustomer, outcomes: Outcome[]) {
  // An order without an acknowledgement may exist. A retry with its key settles it.
  const settled = await Promise.all(
    outcomes.map(async ({ key, orderid }) => orderid ?? (await tryToPlace(customer, key)).orderid ?? 'rejected again'),
  );
  const rows = await db.selectFrom('orders').select('id').where('customer_id', '=', customer.userid).execute();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(settled.toSorted());
}

async function recovered(url: string): Promise<number> {
  const started = performance.now();
  while ((await statusOf(`${url}/readyz`)) !== 200) await sleep(50);
  return performance.now() - started;
}

test('O7: PostgreSQL is killed during orders: a clear error, recovery, no order lost or duplicated', { timeout: 120_000 }, async () => {
  const { program, customer, db, postmaster } = await programWithDatabase();
  const { again, stop } = ordering(customer);
  await again();
  process.kill(postmaster(), 'SIGKILL');
  while ((await statusOf(`${program.url}/readyz`)) === 200) await sleep(5);
  expect(await statusOf(`${program.url}/livez`)).toBe(200);
  expect(await recovered(program.url)).toBeLessThan(LIMIT_MS);
  await again();
  const outcomes = await stop();

  expect(outcomes.filter(({ tookMs }) => tookMs > LIMIT_MS)).toEqual([]);
  expect([...new Set(outcomes.map(({ error }) => error))].filter(Boolean)).toEqual([BUSY]);
  expect(outcomes.at(-1)?.orderid).toBeDefined();
  await expectExactly(db, customer, outcomes);
});

const suspendedMs = size({ small: 6_000, full: 10_000 });

test(`O7: PostgreSQL is suspended for ${suspendedMs / 1000} s: calls fail in time, then recovery`, { timeout: 120_000 }, async () => {
  const { program, customer, db, postmaster } = await programWithDatabase();
  const pids = serverProcesses(postmaster());
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  const continueProcesses = () => {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // The backend has ended.
      }
    }
  };
  onTestFinished(continueProcesses);
  const started = performance.now();
  // Adding an address is a transaction: after its timeout it must not stay open and block later
  // writes.
  const addition = () => customer.caller.send(addAddress, { ...home, userid: customer.userid }).then(() => undefined, String);
  const [additions, outcomes, readiness, liveness] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, addition)),
    Promise.all(Array.from({ length: 30 }, () => tryToPlace(customer))),
    statusOf(`${program.url}/readyz`, 30_000),
    statusOf(`${program.url}/livez`, 1_000),
  ]);
  expect(liveness).toBe(200);
  expect(readiness).toBe(503);
  expect([...new Set([...additions, ...outcomes.map(({ error }) => error)])]).toEqual([BUSY]);
  expect(outcomes.filter(({ tookMs }) => tookMs > LIMIT_MS)).toEqual([]);
  await sleep(Math.max(0, suspendedMs - (performance.now() - started)));
  continueProcesses();
  expect(await recovered(program.url)).toBeLessThan(LIMIT_MS);
  await expectExactly(db, customer, outcomes);
});

test('O7: no free connection: calls fail in time, and succeed after connections are released', { timeout: 120_000 }, async () => {
  const environment = await newTestEnvironment();
  const program = await environment.start(undefined, { DATABASE_POOL: '2', LOG_LEVEL: 'silent' });
  const customer = await newOrderingCustomer(environment);
  const outcomes = await environment.db.transaction().execute(async (tx) => {
    await sql`lock table orders in access exclusive mode`.execute(tx);
    const requests = Promise.all(Array.from({ length: 40 }, () => tryToPlace(customer)));
    await sleep(200);
    expect(await statusOf(`${program.url}/livez`, 1_000)).toBe(200);
    expect(await statusOf(`${program.url}/readyz`, 30_000)).toBe(503);
    return requests;
  });
  expect([...new Set(outcomes.map(({ error }) => error))]).toEqual([BUSY]);
  expect(outcomes.filter(({ tookMs }) => tookMs > LIMIT_MS)).toEqual([]);
  expect(await recovered(program.url)).toBeLessThan(LIMIT_MS);
  await expectExactly(environment.db, customer, outcomes);
});
