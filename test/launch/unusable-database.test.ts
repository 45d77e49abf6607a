/** Commands on a database that cannot be used: one line, exit code 1, nothing changed. */
import path from 'node:path';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startPoolerStandIn } from '../support/pooler-stand-in.ts';
import { countTables, inDatabase, newDatabase, onServer, urlOf } from '../support/postgres.ts';
import { ChildProgram, freePort } from '../support/program-process.ts';
import { temporaryRoot } from '../support/temporary-root.ts';
import { runShared } from './run-tool.ts';

const server = JSON.parse(inject('server')) as pg.ClientConfig;
const nowhere = path.join(temporaryRoot, 'no-backup');

/** An erasure needs it. */
const SECRET = 'a secret for tests, at least 32 bytes';

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

/** Runs the commands. Each must write the same single line. */
async function expectRefused(url: string, line: RegExp, commands = COMMANDS) {
  for (const command of commands) {
    const { code, out, err } = await runShared({ DATABASE_URL: url, SECRET }, command);
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

test('names a missing database', { timeout: 60_000 }, async () => {
  const url = urlOf(inDatabase(server, 'nowhere'));
  await expectRefused(url, /^PostgreSQL at \S+ has no database nowhere\. Create it, or name another database in DATABASE_URL\.$/);
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

/** The number of rows of each table. */
const rowsOf = (connection: pg.ClientConfig) =>
  onServer(connection, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      "select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
    );
    const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as rows from ${name}`);
    return (await client.query(counts.join(' union all '))).rows as unknown;
  });

async function migratedDatabase() {
  const { name, connection, drop } = await newDatabase(server, inject('template'));
  onTestFinished(drop);
  return { name, connection };
}

test('refuses the schema of an unknown version', { timeout: 60_000 }, async () => {
  const { connection } = await migratedDatabase();
  await onServer(connection, (client) =>
    client.query("insert into schema_migrations (name, checksum) values ('9999_of_the_future.sql', 'unknown')"),
  );
  const before = await rowsOf(connection);
  // A backup states the version, and a restore replaces it.
  const commands = COMMANDS.filter(([name]) => name !== 'backup' && name !== 'restore');
  await expectRefused(urlOf(connection), /^The database has the unknown migration 9999_of_the_future\.sql: a newer version .*$/, commands);
  expect(await rowsOf(connection)).toEqual(before);
});

test.each(['wp_users', 'schema_migrations'])('refuses the database of another program with %s', { timeout: 60_000 }, async (table) => {
  const { name, connection } = await emptyDatabase();
  await onServer(connection, (client) => client.query(`create table wp_posts (id int); create table ${table} (id int)`));
  const commands = [['migrate'], ['migrate', 'check'], ['migrate', 'anyway'], ['seed', '--orders', '20']];
  const line = new RegExp(
    `^The database ${name} has 2 tables of another program: name an empty one in DATABASE_URL\\. Nothing was done\\.$`,
  );
  await expectRefused(urlOf(connection), line, commands);
  expect(await countTables(connection)).toBe(2);
});

test('refuses to write on a read-only server', { timeout: 60_000 }, async () => {
  const { name, connection } = await migratedDatabase();
  await onServer(connection, async (client) => {
    await client.query(
      `insert into customers (id, mobile, name, password_hash, created_at) values ('c', '9876543210', 'Meera', 'none', now())`,
    );
    await client.query(`alter database ${name} set default_transaction_read_only = on`);
  });
  const before = await rowsOf(connection);
  const writing = [
    ['catalogue', 'samples'],
    ['customer', 'erase', '9876543210'],
    ['grant', 'promotion', '9876543210', '50', 'a test of the server'],
    ['seed', '--orders', '20'],
    ['staff', 'add', 'owner', '9876543211', 'Asha'],
  ];
  await expectRefused(urlOf(connection), /^The database is read-only\. .*$/, writing);
  expect(await rowsOf(connection)).toEqual(before);
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

test('the program does not start on a read-only server', { timeout: 60_000 }, async () => {
  const { name, connection } = await migratedDatabase();
  const env = { DATABASE_URL: urlOf(connection), SECRET };
  // The first start writes; a later one would not need to.
  const first = await new ChildProgram(await freePort(), env).ready();
  await first.kill();
  await onServer(connection, (client) => client.query(`alter database ${name} set default_transaction_read_only = on`));
  const second = new ChildProgram(await freePort(), env);
  onTestFinished(() => second.kill());
  expect(await Promise.race([second.ended, second.ready()])).toBe(1);
  expect(second.output).toBe('The database is read-only. Its server accepts no writes\n');
});
