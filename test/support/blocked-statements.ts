/**
 * Blocks statements of the program at a table, so that a race happens at its worst moment in every
 * run, without a sleep.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TestProgram } from './program.ts';

/** Resolves once this number of statements waits for locks. */
export async function waitingStatements({ db }: Pick<TestProgram, 'db'>, count: number) {
  const waiting = async () =>
    (
      await sql<{ waiting: number }>`
        select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      )
    ).rows[0]?.waiting ?? 0;
  while ((await waiting()) < count) await sleep(5);
}

/** The key of an advisory lock that the program does not use. */
const LOCK_KEY = 7_421_999;

export interface Block {
  /** Resolves once a statement waits at the lock. */
  reached(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Blocks each insert, update or delete of a row until `release`. Timeouts of the program continue
 * to run.
 */
export async function blockBefore(program: TestProgram, event: 'insert' | 'update' | 'delete', table: string): Promise<Block> {
  const client = new pg.Client(program.connection);
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
  await client.query(`
    create function held() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${LOCK_KEY});
      return coalesce(new, old);
    end $$;
    create trigger held before ${event} on ${table} for each row execute function held()`);
  const waiting = async () =>
    (await client.query("select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted", [LOCK_KEY])).rowCount !== 0;
  onTestFinished(async () => {
    await client.query('select pg_advisory_unlock_all()');
    await client.query('drop function held() cascade');
    await client.end();
  });
  return {
    reached: async () => {
      while (!(await waiting())) await sleep(5);
    },
    release: async () => void (await client.query('select pg_advisory_unlock_all()')),
  };
}
