/** A read-only database, as after a failover to a replica, and a clock that differs from it. */
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startPoolerStandIn } from '../../../test/support/pooler-stand-in.ts';
import { countTables, newDatabase, onServer } from '../../../test/support/postgres.ts';
import { home } from '../../../test/support/ordering.ts';
import { TEST_SECRET, useProgram } from '../../../test/support/program.ts';
import { newCustomer } from '../../../test/support/seed-customers.ts';
import { composeProgram } from '../../compose.server.ts';
import { checkClock, WrongClock } from '../../db/clock-check.server.ts';
import { addAddress } from '../../domains/addresses/contract.ts';
import { addSeconds, systemClock } from '../../lib/clock.ts';
import { parseSettings } from '../../settings.server.ts';

const program = useProgram();

/** Changes the default of new connections and ends the present ones. */
const makeDatabase = (writable: boolean) =>
  onServer(program.connection, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    await client.query('set default_transaction_read_only = off');
    await client.query(`alter database ${rows[0]?.name} set default_transaction_read_only = ${writable ? 'off' : 'on'}`);
    if (!writable)
      await client.query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
  });

test('a read-only database: not ready, writes get 503, and the program recovers without a restart', async () => {
  const { caller, userid } = await newCustomer(program);
  const save = () =>
    caller.send(addAddress, { ...home, userid }).then(
      () => 200,
      (error: { status: number }) => error.status,
    );
  await makeDatabase(false);
  const ready = async () => {
    const { statusCode, body } = await program.caller().get('readyz');
    return `${statusCode} ${body}`;
  };
  // A terminated connection is noticed by its next use.
  while (!(await ready()).includes('read-only')) expect(await ready()).toContain('503');
  expect(await ready()).toBe('503 {"status":"database read-only"}');
  expect(await save()).toBe(503);
  await makeDatabase(true);
  // Each connection to the read-only server is closed at its next write. Without that, all of them
  // would stay for a quarter of an hour.
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(program.db);
  for (let refused = 0; (await save()) !== 200; refused += 1) expect(refused).toBeLessThanOrEqual(rows[0]?.open ?? 0);
  while (!(await ready()).startsWith('200')) expect(await ready()).not.toBe('');
});

test.each([
  [61, '61 s behind'],
  [-61, '61 s ahead of'],
])('refuses a clock that is %i s away from the database', async (secondsBehind, text) => {
  const clock = { now: () => addSeconds(systemClock.now(), -secondsBehind) };
  await expect(checkClock(program.db, clock)).rejects.toThrow(`The clock of this machine is ${text} the clock of the database.`);
  const settings = parseSettings({ LOG_LEVEL: 'silent' });
  const { connection, drop } = await newDatabase(JSON.parse(inject('server')) as pg.ClientConfig);
  onTestFinished(drop);
  const start = composeProgram({
    settings,
    database: connection,
    secret: TEST_SECRET,
    build: undefined,
    clock,
    checksClock: true,
  });
  await expect(start).rejects.toThrow(WrongClock);
  expect(await countTables(connection)).toBe(0);
});

test('refuses an old pooler before it changes the database', async () => {
  const { connection, drop } = await newDatabase(JSON.parse(inject('server')) as pg.ClientConfig);
  onTestFinished(drop);
  const settings = parseSettings({ LOG_LEVEL: 'silent' });
  const database = { connectionString: await startPoolerStandIn(connection) };
  const start = composeProgram({ settings, database, directDatabase: connection, secret: TEST_SECRET, build: undefined });
  await expect(start).rejects.toThrow('has no prepared statements in transaction mode');
  expect(await countTables(connection)).toBe(0);
});

test.each([50, 0, -50])('accepts a clock that is %i s behind the database', async (secondsBehind) => {
  const clock = { now: () => addSeconds(systemClock.now(), -secondsBehind) };
  await expect(checkClock(program.db, clock)).resolves.toBeUndefined();
});
