/** The statements of a migration with the line `-- no-transaction` (docs/decisions/0059). */
import pg from 'pg';

/**
 * A statement that waits for a table also blocks every later statement on that table. It fails
 * after this time, and the file is tried again.
 */
export const LOCK_TIMEOUT_MS = 2000;

export const isWithoutTransaction = (sql: string): boolean => /^-- no-transaction$/m.test(sql);

export interface Statement {
  sql: string;
  /** Run it until it affects no row: it changes one batch at a time. */
  repeats: boolean;
}

/** Returns the statements of a file without a transaction. Blank lines separate them. */
export const statementsOf = (sql: string): Statement[] =>
  sql
    .split(/\r?\n\s*\r?\n/)
    .filter((block) => /^(?!--)\S/m.test(block))
    .map((block) => ({ sql: block, repeats: /^-- repeat$/m.test(block) }));

const CONCURRENT_INDEX = /create (?:unique )?index concurrently if not exists (\w+)/i;

/** Runs a statement once, or until it affects no row if it repeats. */
export async function runStatement(client: pg.Client, { sql, repeats }: Statement) {
  for (;;) {
    const { rowCount } = await client.query(sql);
    if (!repeats || rowCount === 0) return;
  }
}

/**
 * Runs a statement outside a transaction. Before a concurrent index it drops an invalid one of the
 * same name. Throws if the statement fails or waits too long for a lock. No other statement waits
 * for a concurrent index, so the caller limits its wait.
 */
export async function runAlone(client: pg.Client, statement: Statement) {
  const isConcurrent = /\bconcurrently\b/i.test(statement.sql);
  await client.query(`set lock_timeout = ${isConcurrent ? 0 : LOCK_TIMEOUT_MS}`);
  try {
    const index = CONCURRENT_INDEX.exec(statement.sql)?.[1];
    if (index !== undefined) await dropInvalidIndex(client, index);
    await runStatement(client, statement);
  } finally {
    await client.query('reset lock_timeout').catch(() => {});
  }
}

const MAX_SHOWN = 80;

/** Returns the beginning of a statement in one line, without its comments. */
export function shorten(statement: string): string {
  const text = statement
    .replaceAll(/^\s*--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Drops the index if it is invalid: a process ended while it built the index concurrently. */
async function dropInvalidIndex(client: pg.Client, index: string) {
  const { rowCount } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [index]);
  if (rowCount !== 0) await client.query(`drop index concurrently if exists ${pg.escapeIdentifier(index)}`);
}
