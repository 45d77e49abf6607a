/** A program with a PostgreSQL of its own that fails, and orders that are placed meanwhile. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { openDatabase, type Db } from '../../src/db/database.server.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { initialisedFolder, postmasterPid, waitForExit } from '../launch/processes.ts';
import { httpCaller } from './http-caller.ts';
import { newOrderingCustomer, place, type OrderingCustomer } from './ordering.ts';
import { ChildProgram, freePort, statusOf } from './program-process.ts';

/** Starts a program with its own embedded PostgreSQL in the data folder. */
export async function programWithDatabase(dataDir?: string) {
  const folder = dataDir ?? (await initialisedFolder());
  const program = new ChildProgram(await freePort(), { DATA_DIR: folder, LOG_LEVEL: 'silent' });
  onTestFinished(async () => {
    await program.kill();
    const pid = postmasterPid(folder);
    if (!pid) return;
    process.kill(pid, 'SIGQUIT');
    await waitForExit(pid);
  });
  await program.ready();
  const connectionString = (await readFile(join(folder, 'url'), 'utf8')).trim();
  const database = openDatabase({ connection: { connectionString }, poolSize: 2, onConnectionLost: () => {} });
  onTestFinished(() => database.close());
  const customer = await newOrderingCustomer({ db: database.db, clock: systemClock, caller: () => httpCaller(() => program.url) });
  return { program, customer, db: database.db, connectionString, postmaster: () => postmasterPid(folder) ?? -1 };
}

export interface Outcome {
  key: string;
  orderid: string | undefined;
  error: string | undefined;
  tookMs: number;
}

export async function tryToPlace(customer: OrderingCustomer, key = newId()): Promise<Outcome> {
  const started = performance.now();
  const outcome = await place(customer, {}, { idempotencyKey: key }).then(
    ({ orderid }) => ({ orderid, error: undefined }),
    (error: unknown) => ({ orderid: undefined, error: String(error) }),
  );
  return { key, ...outcome, tookMs: performance.now() - started };
}

export const BUSY = 'CallRefused: We are busy right now, please try again in a moment';

/** Expects that each acknowledged order has a row, and that a repeated request adds none. */
export async function expectExactly(db: Db, customer: OrderingCustomer, outcomes: Outcome[]) {
  // An order without an acknowledgement may exist. A retry with its key settles it.
  const settled = await Promise.all(
    outcomes.map(async ({ key, orderid }) => orderid ?? (await tryToPlace(customer, key)).orderid ?? 'rejected again'),
  );
  const rows = await db.selectFrom('orders').select('id').where('customer_id', '=', customer.userid).execute();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(settled.toSorted());
}

/** Resolves to the milliseconds until the program is ready. */
export async function recovered(url: string): Promise<number> {
  const started = performance.now();
  while ((await statusOf(`${url}/readyz`)) !== 200) await sleep(50);
  return performance.now() - started;
}
