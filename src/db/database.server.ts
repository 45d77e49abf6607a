/** The database connection: Kysely over pg, with every statement prepared once per connection. */
import { createHash } from 'node:crypto';
import { tracingChannel } from 'node:diagnostics_channel';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { HostClient, type DatabaseConfig } from './hosts.server.ts';
import type { DB } from './tables.generated.ts';
import { isUnavailable, READ_ONLY_CODE } from './unavailable.server.ts';

export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

declare const snapshot: unique symbol;

/** A transaction whose queries read one snapshot. */
export type Snapshot = Db & { readonly [snapshot]: true };

// Amounts and counts fit in 53 bits.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// A calendar day has no time zone: keep the text 'YYYY-MM-DD', not midnight in the zone of the
// server.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

const MAX_NAMES = 1000;

/**
 * Returns a function that names the prepared statement of each text. It returns undefined for more
 * than `MAX_NAMES` texts, which bounds the memory of the server.
 */
function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const existing = names.get(text);
    if (existing || names.size >= MAX_NAMES) return existing;
    const name = `s${createHash('sha1').update(text).digest('base64url')}`;
    names.set(text, name);
    return name;
  };
}

export interface StatementEvent {
  text: string;
}

/** Publishes each statement, for traces. */
export const statements = tracingChannel<string, StatementEvent>('dhulai:statement');

/** Returns a class of clients for one pool. Its connections share the names of their statements. */
function createClient() {
  const statementName = createStatementNames();
  return class NamingClient extends HostClient {
    #failure: Error | undefined;

    override query = ((...input: unknown[]) => {
      const [text, values] = input;
      // Otherwise the rollback fails with 'Client was closed', which hides the cause.
      if (this.#failure) return Promise.reject(this.#failure);
      // Transaction commands have no values.
      if (typeof text !== 'string' || !Array.isArray(values) || input.length > 2) return super.query(...(input as [string]));
      const send = () =>
        super.query({ text, values, name: statementName(text) }).catch((error: Error) => {
          this.#endIfUnusable(error);
          throw error;
        });
      return statements.hasSubscribers ? statements.tracePromise(send, { text }) : send();
    }) as pg.Client['query'];

    /**
     * Closes the connection after an error of the driver, as a client-side timeout: the statement
     * may still run, and its transaction was not rolled back. In the pool, later writes would join
     * that transaction and be lost with it. Also after a write on a read-only server: the next
     * connection finds the new primary.
     */
    #endIfUnusable(error: Error) {
      const isOfServer = error instanceof pg.DatabaseError;
      if (isOfServer ? error.code !== READ_ONLY_CODE : !isUnavailable(error)) return;
      this.#failure = error;
      void this.end();
    }
  };
}

export interface Database {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  connection: DatabaseConfig;
  /** PgBouncer refuses timeouts in the start of a connection: set them for the role. */
  isPooled?: boolean;
  poolSize: number;
  /**
   * The statement timeout. The default is for requests; a command that reads whole tables needs
   * more.
   */
  statementMs?: number;
  /** Called when an idle connection breaks before `close`. The pool replaces the connection. */
  onConnectionLost(error: Error): void;
}

/** A database that does not respond must cause an error within five seconds. */
const CONNECT_TIMEOUT_MS = 3000;
const STATEMENT_TIMEOUT_MS = 4000;
/**
 * The server cancels a statement this much earlier than the client. Then the connection remains
 * usable.
 */
const SERVER_MARGIN_MS = 500;

/**
 * PostgreSQL may keep the plan of a named statement as long as its connection lives. It plans again
 * when autovacuum analyzes a table. The lifetime of a connection limits a bad plan on other tables.
 */
const MAX_LIFETIME_SECONDS = 15 * 60;

/**
 * The settings that texts and results depend on. Defaults of the server, the database, the role or
 * the URL would change them.
 */
const SESSION_SETTINGS = `
  set datestyle = 'ISO, MDY';
  set intervalstyle = 'postgres';
  set timezone = 'UTC';
  set standard_conforming_strings = on;
  set bytea_output = 'hex';
  set default_transaction_isolation = 'read committed';
`;

/** Creates a connection pool. It does not connect before the first query. */
export function openDatabase({ connection, isPooled, poolSize, statementMs, onConnectionLost }: DatabaseOptions): Database {
  const deadlineMs = statementMs ?? STATEMENT_TIMEOUT_MS;
  const queryMs = deadlineMs + SERVER_MARGIN_MS;
  const pool = new pg.Pool({
    ...connection,
    Client: createClient(),
    max: poolSize,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryMs,
    ...(!isPooled && { statement_timeout: deadlineMs, idle_in_transaction_session_timeout: 2 * queryMs }),
    application_name: `dhulai pid ${process.pid} pool`,
    // The pool waits for it before it uses the connection.
    onConnect: (client) => client.query(SESSION_SETTINGS),
  });
  pool.on('error', (error) => {
    // `close` does not wait until the server has ended its side.
    if (!pool.ending) onConnectionLost(error);
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** For an open transaction that is 'repeatable read', or that reads only what it has written. */
export const asSnapshot = (db: Db): Snapshot => db as Snapshot;

/** Runs `work` in a new transaction that reads one snapshot. */
export const inSnapshot = <Result>(db: Db, work: (on: Snapshot) => Promise<Result>): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => work(asSnapshot(tx)));

/** Runs `work` in the transaction `db`, or in a new transaction if `db` is a connection pool. */
export const transaction = <Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db as Tx) : db.transaction().execute(work);

/**
 * Runs `work` in a transaction and returns its result. Rolls back what `work` has written if the
 * result is refused. In the transaction `db`, rolls back to a savepoint, which costs two round
 * trips. An exception of `work` ends the whole transaction. docs/decisions/0101.
 */
export async function transactionUnlessRefused<Result>(
  db: Db,
  isRefused: (result: Result) => boolean,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return savepointUnlessRefused(db as Tx, isRefused, work);
  const rollback = new Error('rolls back a refused change');
  let refused: { result: Result } | undefined;
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await work(tx);
      if (!isRefused(result)) return result;
      refused = { result };
      throw rollback;
    });
  } catch (error) {
    if (error === rollback && refused) return refused.result;
    throw error;
  }
}

async function savepointUnlessRefused<Result>(
  tx: Tx,
  isRefused: (result: Result) => boolean,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  await sql`savepoint before_work`.execute(tx);
  const result = await work(tx);
  if (isRefused(result)) await sql`rollback to savepoint before_work`.execute(tx);
  // A savepoint with the same name around this one is the newest again.
  await sql`release savepoint before_work`.execute(tx);
  return result;
}

/** Runs `work` in a transaction, and rolls back what it has written if the result has an error. */
export const transactionWithOutcome = <Result extends { error?: unknown }>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  transactionUnlessRefused(db, ({ error }) => Boolean(error), work);

/**
 * Throws if the database does not respond, or accepts no writes. A connection to a read-only server
 * is then closed, as after a write on it.
 */
export const checkWritable = (db: Db) =>
  sql`do $$ begin
    if current_setting('transaction_read_only')::boolean then
      raise read_only_sql_transaction using message = 'Its server accepts no writes';
    end if;
  end $$`.execute(db);
