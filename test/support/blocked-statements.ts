/** Holds the program's own statements at a table, from outside: the worst moment of a race comes every time, without a sleep. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TestProgram } from './program.ts';

/** Any constant will do, as long as nothing else in the database uses it. */
const HOLD = 7_421_999;

export interface Hold {
  /** Resolves once a statement stands there and waits. */
  reached(): Promise<void>;
  release(): Promise<void>;
}

/** Every row that is inserted, updated or deleted there waits until `release`; the program's own deadlines go on. */
export async function blockBefore(program: TestProgram, event: 'insert' | 'update' | 'delete', table: string): Promise<Hold> {
  const client = new pg.Client(program.connection);
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [HOLD]);
  await client.query(`
    create function held() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${HOLD});
      return coalesce(new, old);
    end $$;
    create trigger held before ${event} on ${table} for each row execute function held()`);
  const waiting = async () =>
    (await client.query("select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted", [HOLD])).rowCount !== 0;
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
