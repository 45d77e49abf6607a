/**
 * PostgreSQL killed, suspended or out of connections (docs/security.md, O7): calls fail soon with a
 * clear error, the process stays live and recovers, and no order is lost or duplicated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { newTestEnvironment } from '../support/test-environment.ts';
import { BUSY, expectExactly, programWithDatabase, recovered, tryToPlace, type Outcome } from '../support/outage.ts';
import { statusOf } from '../support/program-process.ts';
import { childrenOf } from '../support/process-tree.ts';
import { home, newOrderingCustomer, type OrderingCustomer } from '../support/ordering.ts';
import { size } from '../support/size.ts';

/** The small run allows for a busy machine. */
const LIMIT_MS = size({ small: 20_000, full: 5_000 });

/** Sends a signal to each process that has not ended. */
function signalEach(pids: readonly number[], signal: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
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
  // The suspended postmaster starts no further process.
  process.kill(postmaster(), 'SIGSTOP');
  const pids = [...childrenOf(postmaster()), postmaster()];
  signalEach(pids, 'SIGSTOP');
  const continueProcesses = () => signalEach(pids, 'SIGCONT');
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
