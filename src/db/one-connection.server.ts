import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { asSnapshot, type Db, type Snapshot } from './database.server.ts';
import { HostClient, type DatabaseConfig } from './hosts.server.ts';
import type { DB } from './tables.generated.ts';

interface OneConnectionOptions {
  connection: DatabaseConfig;
  /** For pg_stat_activity. */
  name: string;
  /** Closes the connection, also while a statement runs. */
  signal: AbortSignal;
  /** The server ends a statement after this time, also one whose connection is closed. */
  statementMs?: number;
}

/**
 * Runs work in a read-only snapshot, on a connection that is not in the pool and has no statement
 * timeout but `statementMs`. Rejects if `signal` is aborted.
 */
export async function onOneConnection<Result>(
  { connection, name, signal, statementMs = 0 }: OneConnectionOptions,
  work: (on: Snapshot) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = new HostClient({ ...connection, application_name: `dhulai pid ${process.pid} ${name}` });
  const end = () => void client.end().catch(() => {});
  signal.addEventListener('abort', end);
  try {
    await client.connect();
    await client.query(`begin isolation level repeatable read read only; set local statement_timeout = ${statementMs}`);
    const result = await work(asSnapshot(kyselyOn(client)));
    await client.query('commit');
    return result;
  } finally {
    signal.removeEventListener('abort', end);
    await client.end().catch(() => {});
  }
}

/** For queries in the open transaction of the client. The caller ends the connection. */
export const kyselyOn = (client: pg.Client): Db =>
  new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: { connect: async () => Object.assign(client, { release: () => {} }), end: async () => {}, options: {} },
    }),
  });
