/**
 * Applies numbered SQL files once and in order, each in one transaction with its record. Processes
 * that start together wait for each other on an advisory lock of that transaction, so that the lock
 * ends with it, also behind a connection pooler. A process that is killed leaves each file applied
 * or not at all. Decision 27 compares this with libraries.
 *
 * A file with the line `-- no-transaction` changes a large table that is in use: each of its
 * statements runs alone on a second connection (docs/decisions/0059). A process that is killed
 * leaves a part of it applied, so each statement must accept that it ran before.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { FORMER_CHECKSUMS } from './former-checksums.ts';
import { HostClient, type DatabaseConfig } from './hosts.server.ts';
import { watchLocks } from './lock-watch.server.ts';
import { isWithoutTransaction, LOCK_TIMEOUT_MS, runAlone, runStatement, shorten, statementsOf } from './migration-statements.server.ts';
import { refuseOtherProgram } from './other-program.server.ts';
import { connectOrExplain, explainDatabaseError, UnusableDatabase } from './unusable-database.server.ts';

/** The key of the advisory lock. It is arbitrary, but must be unique in the database. */
export const MIGRATION_LOCK = 7_421_001;

export interface Migration {
  name: string;
  sql: string;
}

/** Returns the migrations in order from the text of each file by its path. */
export const toMigrations = (files: Readonly<Record<string, string>>): Migration[] =>
  Object.entries(files)
    .map(([path, sql]) => ({ name: path.replace(/^.*\//, ''), sql }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Returns the SHA-256 of the statements, so that a comment can be rewritten after its file was
 * applied. Excludes blank lines and lines that start with `--`, also in a function body. Every
 * other line counts in full: a comment behind a statement, a block comment and a `--` in a literal.
 * A literal of several lines must not contain a line that starts with `--`.
 */
export const statementChecksum = (sql: string): string => sha256(sql.split(/\r?\n/).filter((line) => !/^\s*(?:--|$)/.test(line)));

const sha256 = (lines: string[]) => createHash('sha256').update(lines.join('\n')).digest('hex');

/**
 * Returns the number of the oldest migration whose programs still work after this file, from its
 * line `-- compatible-since: 0017`. Returns null without such a line: older programs then refuse
 * the database.
 */
export const compatibleSince = (sql: string): string | null => /^-- compatible-since: (\d{4})$/m.exec(sql)?.[1] ?? null;

/** A different version of the program migrated the database. Using it could damage data. */
export class IncompatibleDatabase extends Error {
  override name = 'IncompatibleDatabase';
}

const APPLICATION_NAME = `dhulai pid ${process.pid} migrations`;
const CONNECT_TIMEOUT_MS = 5000;
const OLDEST_VERSION = 150_000;

const RETRY_MS = 500;
/** A wait for another process, which may build an index on a large table, or for a transaction. */
const MAX_WAIT_MS = 10 * 60_000;

/** SQLSTATE of `lock_timeout` and of a deadlock. */
const LOCK_NOT_AVAILABLE = new Set(['55P03', '40P01']);

export interface MigrateOptions {
  /** Aborts the wait and the connection; a file that is being applied is then rolled back. */
  stopping?: AbortSignal | undefined;
  /** Called once for each cause of a wait. */
  log?: ((line: string) => void) | undefined;
  /** Tests use a shorter time. */
  maxWaitMs?: number;
}

/**
 * Applies the missing files and returns their names. Throws `IncompatibleDatabase` if an applied
 * file is unknown and not compatible, or its statements were changed since. Throws
 * `UnusableDatabase` if the server cannot be used or accepts no change, the tables are those of
 * another program, or a lock is not released within ten minutes. Throws `FailedMigration` if a
 * statement of a file fails for another reason. Rejects if `stopping` is aborted.
 */
export async function migrate(
  connection: DatabaseConfig,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  const { stopping, log = () => {}, maxWaitMs = MAX_WAIT_MS } = options;
  const { client, end } = await connect(connection, stopping);
  let waitsSince: number | undefined;
  const logged = new Set<string>();
  const logOnce = (reason: string) => {
    if (!logged.has(reason)) log(reason);
    logged.add(reason);
  };
  /** Waits before another attempt. Throws if the wait has lasted too long. */
  const waitFor = async (reason: string) => {
    logOnce(reason);
    waitsSince ??= performance.now();
    if (performance.now() - waitsSince > maxWaitMs)
      throw new UnusableDatabase(`${reason}, and has not ended in time. Start this process again after it.`);
    await sleep(RETRY_MS, undefined, { signal: stopping });
  };
  try {
    await checkServerVersion(client);
    await refuseOtherProgram(client);
    const done: string[] = [];
    for (;;) {
      const applyAlone = (migration: Migration) => applyWithoutTransaction(connection, migration, { stopping, log: logOnce, maxWaitMs });
      const result = await attempt(client, migrations, applyAlone);
      if (result.status === 'complete') return done;
      if (result.status === 'applied') {
        done.push(result.name);
        waitsSince = undefined;
      }
      if (result.status === 'waits') await waitFor(result.reason);
    }
  } catch (error) {
    throw explainDatabaseError(error);
  } finally {
    await end();
  }
}

/**
 * Throws `UnusableDatabase` if the server cannot be used. An abort closes the connection, and the
 * current statement rejects.
 */
async function connect(connection: DatabaseConfig, stopping: AbortSignal | undefined) {
  const client = new HostClient({
    ...connection,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  const abort = () => void client.end().catch(() => {});
  stopping?.addEventListener('abort', abort);
  const end = async () => {
    stopping?.removeEventListener('abort', abort);
    await client.end().catch(() => {});
  };
  await connectOrExplain(client);
  return { client, end };
}

/** Throws `UnusableDatabase` if the server is too old. */
export async function checkServerVersion(client: pg.Client) {
  const { rows } = await client.query<{ number: number; name: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
  );
  for (const { number, name } of rows)
    if (isTooOld(number)) throw new UnusableDatabase(`PostgreSQL ${name} is too old: version 15 or newer is required.`);
}

export const isTooOld = (serverVersionNumber: number): boolean => serverVersionNumber < OLDEST_VERSION;

export interface AppliedMigration {
  name: string;
  checksum: string;
  /** Null for a file without the line `compatible-since`, and for rows of earlier versions. */
  compatibleSince: string | null;
}

interface AppliedMigrations {
  rows: AppliedMigration[];
  /** False if the table is missing or an earlier version created it. */
  isCurrent: boolean;
}

/** Returns the applied files in order: none if the database is empty. */
export async function readApplied(client: pg.Client): Promise<AppliedMigrations> {
  const columns = await client.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = to_regclass('schema_migrations') and attnum > 0 and not attisdropped",
  );
  if (columns.rows.length === 0) return { rows: [], isCurrent: false };
  const isCurrent = columns.rows.some(({ name }) => name === 'compatible_since');
  const { rows } = await client.query<AppliedMigration>(
    `select name, checksum, ${isCurrent ? 'compatible_since' : 'null'} as "compatibleSince" from schema_migrations order by name`,
  );
  return { rows, isCurrent };
}

/**
 * 'repeat' after the record table was created; 'waits' if another process migrates, or another
 * transaction has locked a table.
 */
type AttemptResult = { status: 'complete' | 'repeat' } | { status: 'applied'; name: string } | { status: 'waits'; reason: string };

/**
 * Applies the next missing file, in a transaction that holds the lock of all migrations. Throws
 * `FailedMigration` if a statement of the file fails.
 */
async function attempt(
  client: pg.Client,
  migrations: readonly Migration[],
  applyAlone: (migration: Migration) => Promise<void>,
): Promise<AttemptResult> {
  try {
    // A snapshot of this transaction would make `create index concurrently` wait for its end.
    await client.query('begin isolation level read committed');
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const result = await attemptInTransaction(client, migrations, applyAlone);
    await client.query(result.status === 'waits' ? 'rollback' : 'commit');
    return result;
  } catch (error) {
    // The rollback fails on a lost connection. The original error is the useful one.
    await client.query('rollback').catch(() => {});
    const { code } = (error instanceof FailedMigration ? error.cause : error) as { code?: string };
    if (!LOCK_NOT_AVAILABLE.has(code ?? '')) throw error;
    const what = error instanceof FailedMigration ? `Migration ${error.migration}` : 'The start';
    return { status: 'waits', reason: `${what} waits for a table that another transaction has locked` };
  }
}

/** Does the work of `attempt` in its transaction. */
async function attemptInTransaction(
  client: pg.Client,
  migrations: readonly Migration[],
  applyAlone: (migration: Migration) => Promise<void>,
): Promise<AttemptResult> {
  // A start on a complete database needs no lock.
  if (missingMigrations((await readApplied(client)).rows, migrations).length === 0) return { status: 'complete' };
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [MIGRATION_LOCK]);
  if (!rows[0]?.locked)
    return { status: 'waits', reason: `Waiting for another process that migrates the database${await describeHolder(client)}` };
  const applied = await readApplied(client);
  const [next] = missingMigrations(applied.rows, migrations);
  if (!next) return { status: 'complete' };
  // In a transaction of its own: until it ends, no other process can read the table.
  if (!applied.isCurrent) {
    await createRecordTable(client);
    return { status: 'repeat' };
  }
  // A default of the role or of the server must not end a long statement.
  await client.query('set local statement_timeout = 0');
  if (isWithoutTransaction(next.sql)) {
    // This connection keeps the lock of all migrations until the record is committed.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await applyAlone(next);
    await recordMigration(client, next);
  } else {
    await applyMigration(client, next);
  }
  return { status: 'applied', name: next.name };
}

/**
 * Returns the application name of the process that holds the lock, as in ' (dhulai pid 12)', or an
 * empty text.
 */
async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
       and objid = $1 and granted`,
    [MIGRATION_LOCK],
  );
  return rows[0] ? ` (${rows[0].application_name || 'unnamed'})` : '';
}

/** Creates the table of the applied migrations, or adds the column that an older one lacks. */
export const createRecordTable = (client: pg.Client) =>
  client.query(
    `create table if not exists schema_migrations
       (name text primary key, checksum text not null, applied_at timestamptz not null default now());
     alter table schema_migrations add column if not exists compatible_since text`,
  );

/** A statement of a migration failed. The message is one line with the cause. */
class FailedMigration extends Error {
  override name = 'FailedMigration';
  readonly migration: string;

  constructor({ name }: Migration, cause: unknown) {
    super(`Migration ${name} failed: ${(cause as Error).message}`, { cause });
    this.migration = name;
  }
}

/**
 * Applies a file and records it, in the caller's transaction. Only for a database without other
 * connections: it builds indexes without `concurrently`, which a transaction does not allow. Throws
 * `FailedMigration` if a statement fails.
 */
export async function applyMigration(client: pg.Client, migration: Migration) {
  try {
    if (isWithoutTransaction(migration.sql)) {
      for (const statement of statementsOf(migration.sql))
        await runStatement(client, { ...statement, sql: statement.sql.replaceAll(/\bindex concurrently\b/gi, 'index') });
    } else {
      await client.query(migration.sql);
    }
  } catch (error) {
    throw new FailedMigration(migration, error);
  }
  await recordMigration(client, migration);
}

const recordMigration = (client: pg.Client, { name, sql }: Migration) =>
  client.query('insert into schema_migrations (name, checksum, compatible_since) values ($1, $2, $3)', [
    name,
    statementChecksum(sql),
    compatibleSince(sql),
  ]);

/**
 * Runs each statement of a file alone. Other transactions read and write the tables. The caller
 * records the file. Throws `FailedMigration` if a statement fails, and `UnusableDatabase` if it has
 * waited too long for another transaction.
 */
async function applyWithoutTransaction(
  connection: DatabaseConfig,
  migration: Migration,
  { stopping, log, maxWaitMs }: { stopping: AbortSignal | undefined; log(line: string): void; maxWaitMs: number },
) {
  const { client, end } = await connect(connection, stopping);
  try {
    await client.query('set statement_timeout = 0');
    for (const statement of statementsOf(migration.sql)) {
      const waits = (blocker: string) => `Migration ${migration.name} waits for the transaction of ${blocker}: ${shorten(statement.sql)}`;
      const watch = watchLocks({ connection, applicationName: APPLICATION_NAME, maxWaitMs, onWait: (blocker) => log(waits(blocker)) });
      try {
        await runAlone(client, statement);
      } catch (error) {
        const blocker = await watch.stop();
        if (blocker === undefined) throw error;
        throw new UnusableDatabase(`${waits(blocker)}. It has not ended in time: end it, and start this process again.`, { cause: error });
      } finally {
        await watch.stop();
      }
    }
  } catch (error) {
    throw error instanceof UnusableDatabase ? error : new FailedMigration(migration, error);
  } finally {
    // A pooler gives the connection to other clients.
    await client.query('reset statement_timeout').catch(() => {});
    await end();
  }
}

/**
 * Returns the files that are not applied. Throws `IncompatibleDatabase` if the record of an applied
 * file does not match the files, or a newer version applied a file that this version does not work
 * with.
 */
export function missingMigrations(applied: readonly AppliedMigration[], migrations: readonly Migration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, statementChecksum(migration.sql)]));
  const newest = migrations.at(-1)?.name.slice(0, 4) ?? '';
  for (const { name, checksum, compatibleSince: since } of applied) {
    if (!known.has(name)) {
      if (since !== null && newest >= since) continue;
      throw new IncompatibleDatabase(
        `The database has the unknown migration ${name}: a newer version of the program migrated it. Start the newer version, or restore a backup from before the upgrade (docs/operations.md).`,
      );
    }
    if (known.get(name) !== (FORMER_CHECKSUMS.get(checksum) ?? checksum))
      throw new IncompatibleDatabase(`Migration ${name} was changed after it was applied`);
  }
  const names = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}

/**
 * Returns the first missing file that running processes do not work with, if they have the version
 * of the last applied file. Returns undefined if there is none. Throws like `missingMigrations`.
 */
export function firstBreakingMigration(applied: readonly AppliedMigration[], migrations: readonly Migration[]): Migration | undefined {
  const newest = applied.at(-1)?.name.slice(0, 4) ?? '';
  return missingMigrations(applied, migrations).find(({ sql }) => {
    const since = compatibleSince(sql);
    return since === null || since > newest;
  });
}
