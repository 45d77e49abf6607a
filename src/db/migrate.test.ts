/** Errors and checksums of `migrate`. test/race kills processes during a migration. */
import { randomBytes } from 'node:crypto';
import net, { type AddressInfo } from 'node:net';
import type pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../test/support/program-process.ts';
import { inDatabase, newDatabase, onServer } from '../../test/support/postgres.ts';
import { FORMER_CHECKSUMS } from './former-checksums.ts';
import { firstBreakingMigration, IncompatibleDatabase, isTooOld, migrate, statementChecksum, type Migration } from './migrate.server.ts';
import { UnusableDatabase } from './unusable-database.server.ts';
import { migrations } from './migrations.server.ts';

const server = JSON.parse(inject('server')) as pg.ClientConfig;
const PASSWORD = 'starch-and-steam';

async function problemOf(connection: pg.ClientConfig): Promise<string> {
  const error: unknown = await migrate(connection, migrations).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnusableDatabase);
  const { message } = error as Error;
  expect(message).not.toContain(PASSWORD);
  expect(message).not.toContain('\n');
  return message;
}

test('names the server if it refuses the connection', async () => {
  const port = await freePort();
  const connectionString = `postgres://laundry:${PASSWORD}@127.0.0.1:${port}/laundry`;
  expect(await problemOf({ connectionString })).toBe(
    `PostgreSQL at 127.0.0.1:${port} does not respond (ECONNREFUSED). Is it running, and is DATABASE_URL correct?`,
  );
});

test('names the server if it accepts the connection and does not respond', async () => {
  const sockets: net.Socket[] = [];
  const silent = net.createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await new Promise((listening) => silent.once('listening', listening));
  const { port } = silent.address() as AddressInfo;
  expect(await problemOf({ host: '127.0.0.1', port, user: 'laundry', password: PASSWORD, database: 'laundry' })).toContain(
    'does not respond',
  );
});

test('names an unknown user and an unknown database', async () => {
  const stranger = (server.connectionString ?? '').replace(/\/\/[^@]*@/, `//nobody:${PASSWORD}@`);
  expect(await problemOf({ connectionString: stranger })).toMatch(
    /rejects the user nobody .* Check the user and password in DATABASE_URL\.$/,
  );
  expect(await problemOf(inDatabase(server, 'nowhere'))).toMatch(
    /has no database nowhere\. Create it, or name another database in DATABASE_URL\.$/,
  );
});

test('rejects PostgreSQL before version 15', () => {
  expect([140_013, 150_000, 180_004].map(isTooOld)).toEqual([true, false, false]);
});

test('throws the cause of a failed migration, not the error of its rollback', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  const lost = migrate(connection, [{ name: '0001_lost.sql', sql: 'select pg_terminate_backend(pg_backend_pid())' }]);
  await expect(lost).rejects.toThrow(
    new UnusableDatabase(
      'The database is stopping or starting. Migration 0001_lost.sql failed: terminating connection due to administrator command',
    ),
  );
  const faulty = migrate(connection, [{ name: '0001_faulty.sql', sql: 'select 1 / 0' }]);
  await expect(faulty).rejects.toMatchObject({ message: 'Migration 0001_faulty.sql failed: division by zero', cause: { code: '22012' } });
});

const FIRST = { name: '0001_fabrics.sql', sql: "create table fabrics (name text check (name <> '--'));" };

test('accepts an applied file with other comments and blank lines', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  expect(await migrate(connection, [FIRST])).toEqual([FIRST.name]);
  expect(await migrate(connection, [{ ...FIRST, sql: `-- What is washed.\r\n\r\n${FIRST.sql}\n  -- No more.\n` }])).toEqual([]);
});

test.each([
  ['a changed statement', FIRST.sql.replace('text', 'varchar')],
  ['a changed literal behind --', FIRST.sql.replace("'--'", "'--x'")],
  ['a statement that became a comment', `-- ${FIRST.sql}`],
])('rejects %s in an applied file', async (_, sql) => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  await migrate(connection, [FIRST]);
  await expect(migrate(connection, [{ ...FIRST, sql }])).rejects.toThrow(
    new IncompatibleDatabase('Migration 0001_fabrics.sql was changed after it was applied'),
  );
});

test('rejects an applied file that it does not have', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  await migrate(connection, [FIRST]);
  await expect(migrate(connection, [])).rejects.toThrow(IncompatibleDatabase);
});

test('accepts a database with checksums of earlier versions, and rejects changed statements in it', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  await migrate(connection, migrations);
  await onServer(connection, async (client) => {
    for (const [fullText, statements] of FORMER_CHECKSUMS) {
      const { rowCount } = await client.query('update schema_migrations set checksum = $1 where checksum = $2', [fullText, statements]);
      expect(rowCount).toBe(1);
    }
  });
  expect(await migrate(connection, migrations)).toEqual([]);
  const changed = migrations.map(({ name, sql }) => ({ name, sql: sql.replace('create unlogged table', 'create table') }));
  await expect(migrate(connection, changed)).rejects.toThrow(
    new IncompatibleDatabase('Migration 0001_people.sql was changed after it was applied'),
  );
});

test('includes every line of a statement in its checksum, and no comment of a function body', () => {
  const body = 'create function f() returns text as $$\nselect 1\n$$ language sql;';
  expect(statementChecksum(body.replace('select', '  -- The number.\nselect'))).toBe(statementChecksum(body));
  expect(statementChecksum(body.replace('select 1', 'select 1 -- the number'))).not.toBe(statementChecksum(body));
});

test('copies the history of orders that earlier versions wrote before and after the migration', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  const before = migrations.findIndex(({ name }) => name.endsWith('order_events.sql'));
  await migrate(connection, migrations.slice(0, before));
  const enterStage = (stage: string, at: string) =>
    onServer(connection, (client) => client.query("insert into order_stages values ('A1', $1, $2)", [stage, at]));
  await onServer(connection, (client) =>
    client.query(`
      insert into customers (id, mobile, created_at) values ('C1', '9876543210', now());
      insert into programs values ('wash', 'Wash', 3800, 'kg', '', 1);
      insert into orders (id, customer_id, program_id, program_name, unit, area, base_rate_paise, surcharge_paise, rate_paise, order_rate_paise,
          timeslot, pickup_day, detergent, conditioner, iron, stage, ship_name, ship_mobile, ship_address1, ship_address2, ship_landmark,
          ship_pincode, ship_city, ship_state, placed_at)
        values ('A1', 'C1', 'wash', 'Wash', 'kg', 'manesar', 3800, 0, 3800, 3800, '', '2026-11-21', '', '', '', 'pickup', '', '9876543210',
          '', '', '', '', '', '', now())`),
  );
  await enterStage('queue', '2026-11-21T12:00:00Z');
  // At the same time as the next stage.
  await enterStage('pickup', '2026-11-21T12:00:00Z');
  await migrate(connection, migrations);
  await enterStage('washing', '2026-11-21T13:00:00Z');
  const { rows } = await onServer(connection, (client) => client.query('select kind, stage, at from order_events order by id'));
  expect(rows).toEqual([
    { kind: 'placed', stage: 'pickup', at: new Date('2026-11-21T12:00:00Z') },
    { kind: 'moved', stage: 'queue', at: new Date('2026-11-21T12:00:00Z') },
    { kind: 'moved', stage: 'washing', at: new Date('2026-11-21T13:00:00Z') },
  ]);
});

test('copies the credits that earlier versions audited before and after the migration', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  const before = migrations.findIndex(({ name }) => name.endsWith('_staff_credits.sql'));
  await migrate(connection, migrations.slice(0, before));
  const auditCredits = (count: number, action: string, after: object) =>
    onServer(connection, (client) =>
      client.query(
        `insert into staff_audit (at, staff_id, action, subject_kind, subject_id, after)
         select '2026-11-21T12:00:00Z', 'S1', $2, 'order', 'A1', $3 from generate_series(1, $1)`,
        [count, action, JSON.stringify(after)],
      ),
    );
  await onServer(connection, (client) =>
    client.query("insert into staff_members (id, mobile, name, role, created_at) values ('S1', '9876543210', 'Asha', 'operator', now())"),
  );
  // More than a batch.
  await auditCredits(1001, 'grant-credit', { amount_paise: 5 });
  await auditCredits(1, 'weigh-order', { credited_paise: 9, own_money_paise: 2 });
  await auditCredits(1, 'cancel-order', { credited_paise: 9, own_money_paise: 9 });
  await auditCredits(1, 'settle-claim', { amount_paise: 0 });
  await auditCredits(1, 'dismiss-upi', { amount_paise: 50 });
  await migrate(connection, migrations);
  await auditCredits(1, 'receive-payment', { credited_paise: 3 });
  const { rows } = await onServer(connection, (client) =>
    client.query('select amount_paise::int as paise, count(*)::int as rows from staff_credits where staff_id = $1 group by 1 order by 1', [
      'S1',
    ]),
  );
  expect(rows).toEqual([
    { paise: 3, rows: 1 },
    { paise: 5, rows: 1001 },
    { paise: 7, rows: 1 },
  ]);
});

test('adds the compensation of each day to the figures that earlier versions added up', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  const before = migrations.findIndex(({ name }) => name.endsWith('compensation_of_figures.sql'));
  await migrate(connection, migrations.slice(0, before));
  const credit = (id: string, paise: number, at: string) => `
    insert into ledger_entries (id, kind, reason, reference, created_at) values ('${id}', 'compensation', 'A test', 'grant:${id}', '${at}');
    insert into ledger_postings (entry_id, account_id, amount_paise, created_at)
      values ('${id}', 'compensation', -${paise}, '${at}'), ('${id}', 'wallet:C1', ${paise}, '${at}');`;
  await onServer(connection, (client) =>
    client.query(`
      insert into customers (id, mobile, created_at) values ('C1', '9876543210', now());
      insert into ledger_accounts (id, customer_id) values ('wallet:C1', 'C1');
      ${credit('E1', 300, '2026-11-20T18:29:59Z')}
      ${credit('E2', 20, '2026-11-20T18:30:00Z')}
      ${credit('E3', 1, '2026-11-21T06:00:00Z')}
      ${credit('E4', 4000, '2026-11-21T06:01:00Z')}
      update figures_progress set until = '2026-11-21T06:01:00Z';
      insert into daily_figures values ('2026-11-19', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), ('2026-11-20', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 300, 0, 0),
        ('2026-11-21', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 21, 0, 0)`),
  );
  await migrate(connection, migrations);
  const { rows } = await onServer(connection, (client) =>
    client.query('select day::text, compensation_paise::int as paise from daily_figures order by day'),
  );
  expect(rows).toEqual([
    { day: '2026-11-19', paise: 0 },
    { day: '2026-11-20', paise: 300 },
    // The fact at `until` is added with the next ones.
    { day: '2026-11-21', paise: 21 },
  ]);
});

/** A database at the first of two migrations. */
async function atFirst(second: Partial<Migration> = {}) {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  await migrate(connection, [FIRST]);
  return { connection, second: { name: '0002_prices.sql', sql: 'create table prices (rupees integer)', ...second } };
}

test('runs on the schema of a newer version that declares itself compatible', async () => {
  const { connection, second } = await atFirst({ sql: '-- compatible-since: 0001\nalter table fabrics add column price integer;' });
  await migrate(connection, [FIRST, second]);
  expect(await migrate(connection, [FIRST])).toEqual([]);
  const contracts = { name: '0003_prices.sql', sql: '-- compatible-since: 0002\nalter table fabrics drop column name;' };
  await migrate(connection, [FIRST, second, contracts]);
  expect(await migrate(connection, [FIRST, second])).toEqual([]);
  await expect(migrate(connection, [FIRST])).rejects.toThrow(
    new IncompatibleDatabase(
      'The database has the unknown migration 0003_prices.sql: a newer version of the program migrated it. Start the newer version, or restore a backup from before the upgrade (docs/operations.md).',
    ),
  );
});

test('finds the first file that breaks running processes of the last applied file', () => {
  const migration = (number: string, since: string | null) => ({
    name: `${number}.sql`,
    sql: since === null ? 'select 1' : `-- compatible-since: ${since}\nselect 1`,
  });
  const migrations = [
    migration('0017', null),
    migration('0018', '0017'),
    migration('0019', '0017'),
    migration('0020', '0018'),
    migration('0021', null),
  ];
  const after = (count: number) =>
    firstBreakingMigration(
      migrations.slice(0, count).map(({ name, sql }) => ({ name, checksum: statementChecksum(sql), compatibleSince: null })),
      migrations,
    )?.name;
  expect([0, 1, 2, 4, 5].map(after)).toEqual(['0017.sql', '0020.sql', '0021.sql', '0021.sql', undefined]);
  expect(firstBreakingMigration([], migrations.slice(0, 0))).toBeUndefined();
});

test('reads the records of earlier versions, which have no column for compatibility', async () => {
  const { connection, second } = await atFirst();
  await onServer(connection, (client) => client.query('alter table schema_migrations drop column compatible_since'));
  expect(await migrate(connection, [FIRST])).toEqual([]);
  expect(await migrate(connection, [FIRST, second])).toEqual([second.name]);
});

test('waits for another process that migrates, reports it once, and ends in time', async () => {
  const { connection, second } = await atFirst();
  await onServer({ ...connection, application_name: 'dhulai pid 12 migrations' }, async (client) => {
    await client.query('select pg_advisory_lock(7421001)');
    const lines: string[] = [];
    const reason = 'Waiting for another process that migrates the database (dhulai pid 12 migrations)';
    await expect(migrate(connection, [FIRST, second], { log: (line) => lines.push(line), maxWaitMs: 1 })).rejects.toThrow(
      new UnusableDatabase(`${reason}, and has not ended in time. Start this process again after it.`),
    );
    expect(lines).toEqual([reason]);
    // A complete database needs no lock.
    expect(await migrate(connection, [FIRST])).toEqual([]);
    const waits = Promise.withResolvers<void>();
    const waiting = migrate(connection, [FIRST, second], { log: () => waits.resolve() });
    await waits.promise;
    await client.query('select pg_advisory_unlock(7421001)');
    expect(await waiting).toEqual([second.name]);
  });
});

test('ends a wait for another process when it is stopped', async () => {
  const { connection, second } = await atFirst();
  await onServer(connection, async (client) => {
    await client.query('select pg_advisory_lock(7421001)');
    const stopping = new AbortController();
    const waiting = migrate(connection, [FIRST, second], { stopping: stopping.signal, log: () => stopping.abort() });
    await expect(waiting).rejects.toThrow('abort');
  });
});

test('tries a file again after a table was locked', async () => {
  const { connection, second } = await atFirst({ sql: 'alter table fabrics add column price integer' });
  await onServer(connection, async (client) => {
    await client.query('begin');
    await client.query('lock table fabrics in access share mode');
    const waits = Promise.withResolvers<string>();
    const migrated = migrate(connection, [FIRST, second], { log: waits.resolve });
    expect(await waits.promise).toBe('Migration 0002_prices.sql waits for a table that another transaction has locked');
    await client.query('commit');
    expect(await migrated).toEqual([second.name]);
  });
});

describe('a database that accepts no migration is named in one line, and nothing is applied', () => {
  const prices = { name: '0002_prices.sql', sql: 'create table prices (rupees integer)' };

  async function refusal(connection: pg.ClientConfig, migration = prices) {
    const error: unknown = await migrate(connection, [FIRST, migration]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnusableDatabase);
    return (error as Error).message;
  }

  const tablesOf = (connection: pg.ClientConfig) =>
    onServer(connection, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        "select tablename as name from pg_tables where schemaname = 'public' order by 1",
      );
      const applied = await client.query<{ name: string }>('select name from schema_migrations');
      return [...rows, ...applied.rows].map(({ name }) => name);
    });

  test('explains a read-only server', async () => {
    const { connection } = await atFirst();
    expect(await refusal({ ...connection, options: '-c default_transaction_read_only=on' })).toBe(
      'The database is read-only. Migration 0002_prices.sql failed: cannot execute CREATE TABLE in a read-only transaction',
    );
    expect(await tablesOf(connection)).toEqual(['fabrics', 'schema_migrations', FIRST.name]);
  });

  test('explains a missing permission', async () => {
    const { connection } = await atFirst();
    const role = `limited_${randomBytes(4).toString('hex')}`;
    await onServer(connection, (client) => client.query(`create role ${role}; grant all on schema_migrations to ${role}`));
    onTestFinished(() => onServer(connection, async (client) => void (await client.query(`drop owned by ${role}; drop role ${role}`))));
    expect(await refusal({ ...connection, options: `-c role=${role}` })).toBe(
      'The user of the database lacks a permission. Migration 0002_prices.sql failed: permission denied for schema public. To make it the owner, as a superuser of PostgreSQL: alter database … owner to …',
    );
    expect(await tablesOf(connection)).toEqual(['fabrics', 'schema_migrations', FIRST.name]);
  });

  test('explains a full disk', async () => {
    const { connection } = await atFirst();
    const full = `${prices.sql}; do $$ begin raise disk_full using message = 'could not extend file'; end $$`;
    expect(await refusal(connection, { ...prices, sql: full })).toBe(
      'The disk of the database is full. Migration 0002_prices.sql failed: could not extend file',
    );
    expect(await tablesOf(connection)).toEqual(['fabrics', 'schema_migrations', FIRST.name]);
  });
});

test('names the transaction that holds up a concurrent index, and gives up in time', async () => {
  const { connection, second } = await atFirst({
    sql: '-- no-transaction\n-- The names.\ncreate index concurrently if not exists fabrics_by_name on fabrics (name)',
  });
  await onServer({ ...connection, application_name: 'a report' }, async (client) => {
    await client.query("begin; insert into fabrics values ('silk')");
    const lines: string[] = [];
    const migrated = migrate(connection, [FIRST, second], { log: (line) => lines.push(line), maxWaitMs: 1 });
    const reason =
      /^Migration 0002_prices\.sql waits for the transaction of pid \d+ \(a report, idle in transaction, began \d+ s ago\): create index concurrently if not exists fabrics_by_name on fabrics \(name\)/;
    const error: unknown = await migrated.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnusableDatabase);
    expect((error as Error).message).toMatch(new RegExp(`${reason.source}\\. It has not ended in time`));
    expect(lines).toEqual([expect.stringMatching(reason)]);

    const named = Promise.withResolvers<string>();
    const waiting = migrate(connection, [FIRST, second], { log: named.resolve });
    expect(await named.promise).toMatch(reason);
    await client.query('commit');
    expect(await waiting).toEqual([second.name]);
    const { rowCount } = await client.query("select from pg_index where indexrelid = 'fabrics_by_name'::regclass and indisvalid");
    expect(rowCount).toBe(1);
  });
});

test('another statement without a transaction gives up its wait for a lock, and is tried again', async () => {
  const { connection, second } = await atFirst({
    sql: '-- no-transaction\ncreate table if not exists prices (rupees integer);\n\nalter table fabrics add column if not exists price integer',
  });
  await onServer(connection, async (client) => {
    await client.query('begin; lock table fabrics in access share mode');
    const reasons: string[] = [];
    const waits = Promise.withResolvers<void>();
    const migrated = migrate(connection, [FIRST, second], {
      log: (line) => {
        reasons.push(line);
        if (line.endsWith('has locked')) waits.resolve();
      },
    });
    await waits.promise;
    await client.query('commit');
    expect(await migrated).toEqual([second.name]);
    expect(reasons).toContainEqual(expect.stringContaining('waits for the transaction of pid'));
  });
});

/** Fills a database with delivered orders, of which every tenth is paid in full. */
const DELIVERED_ORDERS = `
  insert into customers (id, mobile, created_at) values ('C1', '9876543210', now());
  insert into programs values ('wash', 'Wash', 3800, 'kg', '', 1);
  insert into orders (id, customer_id, program_id, program_name, unit, area, base_rate_paise, surcharge_paise, rate_paise, order_rate_paise,
      timeslot, pickup_day, detergent, conditioner, iron, stage, weight_grams, items, ship_name, ship_mobile, ship_address1, ship_address2,
      ship_landmark, ship_pincode, ship_city, ship_state, placed_at)
    select 'A' || n, 'C1', 'wash', 'Wash', 'kg', 'manesar', 3800, 0, 3800, 3800, '', '2026-11-21', '', '', '', 'delivered', 1000, 1, 'Asha',
      '9876543210', '', '', '', '', '', '', now() from generate_series(1, 2500) n;
  insert into payments (tid, order_id, method, state, amount_paise, due_paise, reference, transaction_id, created_at, settled_at)
    select lpad(n::text, 22, '0'), 'A' || n, 'cash', 'received', 3800, 3800, 'reference-' || n, n::text, now(), now()
      from generate_series(10, 2500, 10) n`;

test('indexes a table and changes its rows while other transactions read and write it', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  const before = migrations.findIndex(({ name }) => name.endsWith('indexes_of_large_tables.sql'));
  await migrate(connection, migrations.slice(0, before));
  await onServer(connection, async (client) => {
    await client.query(DELIVERED_ORDERS);
    // As a process leaves it that ends while it builds the index.
    await client.query('create index orders_by_day on orders (id)');
    await client.query("update pg_index set indisvalid = false where indexrelid = 'orders_by_day'::regclass");
    await client.query("begin; update orders set items = 2 where id = 'A10'");
    // A later file replaces this index.
    const known = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name.endsWith('orders_by_evening_and_time.sql')),
    );
    const migrated = migrate(connection, known);
    await onServer(connection, async (other) => {
      const waiting =
        "select from pg_stat_activity where datname = current_database() and application_name like '% migrations' and wait_event_type = 'Lock'";
      await expect.poll(async () => (await other.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1);
      await other.query("set lock_timeout = '1s'");
      expect((await other.query("select from orders where stage = 'delivered'")).rowCount).toBe(2500);
      expect((await other.query("update orders set items = 3 where id = 'A20'")).rowCount).toBe(1);
    });
    await client.query('commit');
    expect(await migrated).toEqual(known.slice(before).map(({ name }) => name));
    const { rows } = await client.query("select count(*)::int as unpaid, bool_or(id like '%0') as wrong from orders where is_unpaid");
    expect(rows).toEqual([{ unpaid: 2250, wrong: false }]);
    const indexes = await client.query("select from pg_index where indexrelid = 'orders_by_day'::regclass and indisvalid and indnatts = 2");
    expect(indexes.rowCount).toBe(1);
  });
});
