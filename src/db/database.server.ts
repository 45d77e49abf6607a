/** The database connection: Kysely over pg, every statement named so that PostgreSQL plans it once per connection. */
import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from './tables.generated.ts';

export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

// Amounts and counts fit in 53 bits; as numbers they can be added without a parser at every use.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// A calendar day has no time zone: keep the text 'YYYY-MM-DD' instead of midnight in the server's zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

const names = new Map<string, string>();
const MOST_NAMES = 1000;

/** A name per statement text. Bounded: past the limit statements go unnamed rather than filling the server's memory. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MOST_NAMES) return known;
  const name = `s${createHash('sha1').update(text).digest('base64url')}`;
  names.set(text, name);
  return name;
}

interface Query {
  text?: unknown;
  values?: unknown[];
  name?: string;
}

class NamingClient extends pg.Client {
  override query = ((...input: unknown[]) => {
    const [first, values, ...rest] = input;
    if (typeof first !== 'string' || !Array.isArray(values)) return super.query(...(input as [string]));
    const query: Query = { text: first, values };
    const name = statementName(first);
    if (name) query.name = name;
    const answer: unknown = super.query(query as pg.QueryConfig, ...(rest as []));
    if (answer instanceof Promise) answer.catch((error: unknown) => this.#hangUpAfter(error));
    return answer;
  }) as pg.Client['query'];

  /**
   * A statement that was given up on may still be running, and the rollback that should have followed was given up on with it. In the pool, this
   * connection would hand its open transaction to the next one who writes, whose work would be acknowledged and lost. So it is never used again.
   */
  #hangUpAfter(error: unknown) {
    if (error instanceof Error && error.message === 'Query read timeout') void this.end();
  }
}

export interface Database {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  poolSize: number;
  /** How long a statement may take, where that is not a page's deadline: a command may read all there is. */
  statementMs?: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onConnectionLost(error: Error): void;
}

/** Deadlines: a frozen or missing server must become a clear error within five seconds, never a hanging page. */
const CONNECT_TIMEOUT_MS = 3000;
const STATEMENT_TIMEOUT_MS = 4000;
/** The server gives up first, where it still can: then the connection stays good. */
const SERVER_GIVES_UP_FIRST_MS = 500;

/**
 * A statement is planned once per connection. A plan made while its table was small would read that table from end to end for as long as the connection
 * lives, however large it has grown: so where there is an index, it is taken from the first row on. Where there is none, PostgreSQL before 18 takes the
 * scan for so dear that it compiles the statement first, which takes a hundred times as long as a small table.
 */
export const PLANNING = '-c enable_seqscan=off -c jit=off';

export function openDatabase({ connection, poolSize, statementMs, onConnectionLost }: DatabaseOptions): Database {
  const deadlineMs = statementMs ?? STATEMENT_TIMEOUT_MS;
  const queryMs = deadlineMs + SERVER_GIVES_UP_FIRST_MS;
  const pool = new pg.Pool({
    ...connection,
    Client: NamingClient,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryMs,
    statement_timeout: deadlineMs,
    idle_in_transaction_session_timeout: 2 * queryMs,
    application_name: `dhulai pid ${process.pid} pool`,
    // What takes longer than a page may reads whole tables, and on purpose.
    ...(statementMs === undefined && { options: PLANNING }),
  });
  pool.on('error', onConnectionLost);
  // The pool listens to idle connections only. One that breaks in use fails its statement; without a listener it would end the process as well.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** Runs `work` in one transaction, the caller's where there is one; everything it wrote is there afterwards, or nothing. */
export const transaction = <Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db as Tx) : db.transaction().execute(work);
