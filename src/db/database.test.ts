import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useProgram } from '../../test/support/program.ts';
import { openDatabase, transaction, transactionUnlessRefused, type Db } from './database.server.ts';

const program = useProgram();

const FOREIGN_SETTINGS = [
  "datestyle = 'SQL, DMY'",
  "intervalstyle = 'iso_8601'",
  "timezone = 'Asia/Kolkata'",
  "standard_conforming_strings = 'off'",
  "bytea_output = 'escape'",
  "default_transaction_isolation = 'serializable'",
];

test('a connection does not depend on the settings of the database', async () => {
  const { rows: names } = await sql<{ name: string }>`select current_database() as name`.execute(program.db);
  for (const setting of FOREIGN_SETTINGS) {
    await sql.raw(`alter database "${names[0]?.name}" set ${setting}`).execute(program.db);
  }
  const { db, close } = openDatabase({ connection: program.connection, poolSize: 1, onConnectionLost: () => {} });
  onTestFinished(close);

  const result = sql`
    select timestamptz '2026-02-03 04:05:06Z' as instant, '1 day 02:00'::interval::text as interval,
      '\\x00ff'::bytea::text as bytes, timestamptz '2026-02-03 20:00:00Z'::date::text as day,
      current_setting('standard_conforming_strings') as strings, current_setting('transaction_isolation') as isolation
  `;
  expect((await result.execute(db)).rows).toEqual([
    {
      instant: new Date('2026-02-03T04:05:06Z'),
      interval: '1 day 02:00:00',
      bytes: '\\x00ff',
      day: '2026-02-03',
      strings: 'on',
      isolation: 'read committed',
    },
  ]);
});

test('a connection that breaks is reported before the pool closes, and not after', async () => {
  const lost: string[] = [];
  const { db, pool, close } = openDatabase({
    connection: program.connection,
    poolSize: 1,
    onConnectionLost: ({ message }) => lost.push(message),
  });
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(program.db);
  await expect.poll(() => lost).toEqual(['terminating connection due to administrator command']);
  const client = await pool.connect();
  client.release();
  await close();
  pool.emit('error', new Error('too late'), client);
  expect(lost).toHaveLength(1);
});

describe('a refused change', () => {
  const insert = async (db: Db, name: string) =>
    void (await sql`insert into limit_windows values (${name}, '', ${program.clock.now()}, 1)`.execute(db));
  const stored = async () => (await sql<{ name: string }>`select name from limit_windows where subject_hash = ''`.execute(program.db)).rows;
  const change = (db: Db, name: string, isRefused: boolean, within = async (_db: Db) => {}) =>
    transactionUnlessRefused(
      db,
      (result: string) => result === 'refused',
      async (tx) => {
        await insert(tx, name);
        await within(tx);
        return isRefused ? 'refused' : 'done';
      },
    );

  test('is rolled back alone, in a transaction of its own and in that of the caller', async () => {
    expect(await change(program.db, 'own', true)).toBe('refused');
    await transaction(program.db, async (tx) => {
      await insert(tx, 'before');
      expect(await change(tx, 'nested', true)).toBe('refused');
      expect(await change(tx, 'nested and done', false)).toBe('done');
    });
    expect(await stored()).toEqual([{ name: 'before' }, { name: 'nested and done' }]);
  });

  test('is rolled back with the changes within it', async () => {
    await sql`delete from limit_windows`.execute(program.db);
    await transaction(program.db, async (tx) => {
      await change(tx, 'outer', true, async (inner) => void (await change(inner, 'inner', false)));
      await change(tx, 'outer and done', false, async (inner) => void (await change(inner, 'inner', true)));
    });
    expect(await stored()).toEqual([{ name: 'outer and done' }]);
  });
});
