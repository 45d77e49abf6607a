import pg from 'pg';
import { SUPERUSER } from './cluster.server.ts';
import type { DataFolder } from './data-folder.server.ts';
import { PORT } from './socket-folder.server.ts';
import { DataFolderInUse } from './startup-error.server.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** At most one program and any number of commands use a data folder at the same time. */
export type Role = 'program' | 'command';

/**
 * A dedicated connection that holds the advisory locks of this process. Unlike lock files, they
 * cannot become stale: `kill -9` releases them at once.
 */
export interface Session {
  readonly serverVersion: string;
  /** Resolves to true if no other process uses the server. No other process can then join. */
  claimExclusive(): Promise<boolean>;
  close(): Promise<void>;
  /** Resolves when the connection has ended, for any reason. */
  readonly ended: Promise<void>;
}

export const DATABASE_NAME = 'dhulai';

/** Returns a URL for a database of the server behind this socket. */
export function urlOf(socketFolder: string, database: string): string {
  // Explicit port and sslmode: otherwise pg and psql read PGPORT and PGSSLMODE.
  return `postgresql://${SUPERUSER}@/${database}?host=${socketFolder}&port=${PORT}&sslmode=disable`;
}

/**
 * Connects to the server and marks the data folder as used by this process. Creates the program's
 * database if it is missing. Throws `DataFolderInUse` if `role` is 'program' and another program
 * holds the folder, and an `Error` if the server belongs to another data folder or is stopping.
 */
export async function openSession(socketFolder: string, role: Role, folder: DataFolder): Promise<Session> {
  const client = new pg.Client({
    connectionString: urlOf(socketFolder, 'postgres'),
    application_name: `dhulai ${role === 'program' ? 'pid' : role} ${process.pid}`,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // Without a listener, a lost connection would end the process.
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  await client.connect();
  try {
    await verifyDataDirectory(client, folder);
    if (role === 'program') await acquireProgramLock(client, folder);
    await acquireUseLock(client);
    await ensureDatabase(client);
    return {
      serverVersion: await readSetting(client, 'show server_version'),
      claimExclusive: () => claimExclusive(client),
      close: () => client.end(),
      ended,
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

const TIMEOUT_MS = 5_000;

/** Advisory locks belong to one database, here `postgres`, which has no other use. */
const LOCK_SPACE = 0x6468;
const PROGRAM_LOCK = 1;
const USE_LOCK = 2;

/** PostgreSQL notices the death of a client after a moment. A live holder may be about to stop. */
const DEAD_HOLDER_WAIT_MS = 1_500;
const LIVE_HOLDER_WAIT_MS = 500;

/** Retries for a moment, because the previous program may be ending. Throws `DataFolderInUse`. */
async function acquireProgramLock(client: pg.Client, folder: DataFolder): Promise<void> {
  const started = performance.now();
  while (!(await lock(client, 'pg_try_advisory_lock', PROGRAM_LOCK))) {
    const holder = await findHolder(client);
    if (performance.now() - started > (isAlive(holder) ? LIVE_HOLDER_WAIT_MS : DEAD_HOLDER_WAIT_MS)) {
      throw new DataFolderInUse(
        `Another program (${holder ?? 'unknown pid'}) is using the data folder ${folder.path}. Stop it first, or set another DATA_DIR.`,
      );
    }
    await sleep(50);
  }
}

/** Returns the application name of the lock holder, such as 'dhulai pid 123'. */
async function findHolder(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
    [LOCK_SPACE, PROGRAM_LOCK],
  );
  return rows[0]?.application_name;
}

/** Returns whether the process in the application name `holder` exists. */
function isAlive(holder = ''): boolean {
  const pid = Number(/ (\d+)$/.exec(holder)?.[1]);
  if (!pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Throws while the last user stops the server; the caller retries. */
async function acquireUseLock(client: pg.Client): Promise<void> {
  if (await lock(client, 'pg_try_advisory_lock_shared', USE_LOCK)) return;
  throw new Error('the server is stopping');
}

/**
 * Returns true if no other process uses the server. Releases the shared lock first: of two
 * processes that leave together, the second becomes the last.
 */
async function claimExclusive(client: pg.Client): Promise<boolean> {
  await lock(client, 'pg_advisory_unlock_shared', USE_LOCK);
  return await lock(client, 'pg_try_advisory_lock', USE_LOCK);
}

/** Calls a function of advisory locks. Returns false if it did not acquire or release the lock. */
async function lock(client: pg.Client, call: string, key: number): Promise<boolean> {
  const result = await client.query<{ done: boolean }>(`select ${call}($1, $2) as done`, [LOCK_SPACE, key]);
  return result.rows[0]?.done === true;
}

/** Throws an `Error` if the server belongs to another data folder. */
async function verifyDataDirectory(client: pg.Client, folder: DataFolder): Promise<void> {
  const dataDirectory = await readSetting(client, 'show data_directory');
  if (dataDirectory !== folder.cluster) throw new Error(`the server uses the data directory ${dataDirectory}`);
}

/** Creates the database of the program if it is missing. */
async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE_NAME]);
  if (found.rowCount === 1) return;
  await client.query(`create database ${DATABASE_NAME}`).catch((error: pg.DatabaseError) => {
    const existsNow = ['42P04', '23505'].includes(error.code ?? '');
    if (!existsNow) throw error;
  });
}

/** Returns the result of a statement `show`. */
async function readSetting(client: pg.Client, statement: string): Promise<string> {
  const result = await client.query<Record<string, string>>(statement);
  return Object.values(result.rows[0] ?? {})[0] ?? '';
}
