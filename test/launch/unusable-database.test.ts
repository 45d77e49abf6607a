/** Commands on a database that cannot be used: one line, exit code 1, nothing changed. */
import path from 'node:path';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startPoolerStandIn } from '../support/pooler-stand-in.ts';
import { countTables, newDatabase, onServer, urlOf } from '../support/postgres.ts';
import { freePort } from '../support/program-process.ts';
import { temporaryRoot } from '../support/temporary-root.ts';
import { runShared } from './run-tool.ts';

const server = JSON.parse(inject('server')) as pg.ClientConfig;
const nowhere = path.join(temporaryRoot, 'no-backup');

const COMMANDS = [
  ['backup', nowhere],
  ['restore', nowhere],
  ['migrate'],
  ['seed', '--orders', '20'],
  ['catalogue', 'list'],
  ['claim', 'list'],
  ['customer', 'erase', '9876543210'],
  ['grant', 'promotion', '9876543210', '50', 'a test of the clock'],
  ['ledger', 'audit'],
  ['order', 'list'],
  ['staff', 'list'],
];

/** Runs every command. Each must write the same single line. */
async function expectRefused(url: string, line: RegExp) {
  for (const command of COMMANDS) {
    const { code, out, err } = await runShared({ DATABASE_URL: url }, command);
    expect({ command, code, out, err }).toEqual({ command, code: 1, out: '', err: expect.stringMatching(line) as string });
  }
}

async function emptyDatabase() {
  const { name, connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  return { name, connection };
}

test('names a server that does not respond, by a name with one or more addresses', { timeout: 60_000 }, async () => {
  const port = await freePort();
  await expectRefused(
    `postgres://laundry@localhost:${port}/laundry`,
    /^PostgreSQL at localhost:\d+ does not respond \(ECONNREFUSED\)\. Is it running, and is DATABASE_URL correct\?$/,
  );
});

test('refuses a pooler without prepared statements', { timeout: 60_000 }, async () => {
  const { connection } = await emptyDatabase();
  await expectRefused(await startPoolerStandIn(connection), /^The pooler at 127\.0\.0\.1:\d+ has no prepared statements .*$/);
  expect(await countTables(connection)).toBe(0);
});

test('refuses a clock that differs from that of the database', { timeout: 60_000 }, async () => {
  const { name, connection } = await emptyDatabase();
  // The function of the schema public hides that of PostgreSQL.
  await onServer(connection, (client) =>
    client.query(`
      create function public.clock_timestamp() returns timestamptz language sql as $$
        select pg_catalog.clock_timestamp() - interval '5 minutes' $$;
      alter database ${name} set search_path = public, pg_catalog`),
  );
  await expectRefused(urlOf(connection), /^The clock of this machine is \d+ s ahead of the clock of the database\. .*$/);
  expect(await countTables(connection)).toBe(0);
});

test('migrate refuses a read-only server', { timeout: 60_000 }, async () => {
  const { name, connection } = await emptyDatabase();
  await onServer(connection, (client) => client.query(`alter database ${name} set default_transaction_read_only = on`));
  expect(await runShared({ DATABASE_URL: urlOf(connection) }, ['migrate'])).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The database is read-only\. cannot execute CREATE TABLE in a read-only transaction$/) as string,
  });
  expect(await countTables(connection)).toBe(0);
});
