/** The contents of the database, to check that a call wrote nothing or stored no value. */
import { sql } from 'kysely';
import type { TestProgram } from '../support/program.ts';

/** Rejected attempts write counters. Other processes send notifications and run jobs. */
const NOT_COMPARED = new Set(['limit_windows', 'notifications', 'job_runs']);

async function listTables({ db }: TestProgram, excluded: readonly string[]): Promise<string[]> {
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  return tables.rows.map(({ name }) => name).filter((name) => !NOT_COMPARED.has(name) && !excluded.includes(name));
}

/**
 * Returns the number of rows of each table and the last transaction that wrote one of them: every
 * insert, update and delete changes it. The tests of all calls compare it a thousand times, so it
 * does not contain the rows.
 */
export async function readWrites(program: TestProgram, excluded: readonly string[] = []): Promise<string[]> {
  const tables = await listTables(program, excluded);
  const writes = tables.map(
    (name) =>
      sql`(select concat(${sql.lit(name)}, ': ', count(*), ' rows, transaction ', max(xmin::text::bigint)) from ${sql.table(name)})`,
  );
  const { rows } = await sql<{ writes: string[] }>`select array[${sql.join(writes)}] as writes`.execute(program.db);
  return rows[0]!.writes;
}

/** Returns all rows as text. */
export async function dumpDatabase(program: TestProgram, excluded: readonly string[] = []): Promise<string> {
  const { db } = program;
  const texts: string[] = [];
  for (const name of await listTables(program, excluded)) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db);
    texts.push(`${name}\n${rows.map(({ row }) => row).join('\n')}`);
  }
  return texts.join('\n\n');
}
