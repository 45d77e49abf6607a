/**
 * Returns the whole database as text, to check that a call wrote nothing or that a value is not
 * stored.
 */
import { sql } from 'kysely';
import type { TestProgram } from '../support/program.ts';

/** Rejected attempts write counters. Other processes send notifications and run jobs. */
const NOT_COMPARED = new Set(['limit_windows', 'notifications', 'job_runs']);

export async function dumpDatabase({ db }: TestProgram, excluded: readonly string[] = []): Promise<string> {
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    if (NOT_COMPARED.has(name) || excluded.includes(name)) continue;
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db);
    texts.push(`${name}\n${rows.map(({ row }) => row).join('\n')}`);
  }
  return texts.join('\n\n');
}
