import pg from 'pg';
import { superuser } from './cluster.server.ts';
import type { DataFolder } from './data-folder.server.ts';
import { port } from './socket-folder.server.ts';
import { FolderTaken } from './start-refused.server.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** One program may use a data folder; any number of commands may join it. */
export type Role = 'program' | 'command';

/**
 * A dedicated connection whose advisory locks say who uses the server. Locks of the server, not a file:
 * a kill -9 frees them at once and nothing can go stale.
 */
export interface Session {
  readonly serverVersion: string;
  /** True when nobody else uses the server; then nobody can join any more. */
  claimAlone(): Promise<boolean>;
  close(): Promise<void>;
  /** Settles when the connection is gone, for whatever reason. */
  readonly ended: Promise<void>;
}

export const databaseName = 'dhulai';

export function urlOf(socketFolder: string, database: string): string {
  // Port and sslmode are spelled out because both pg and psql would take them from PGPORT and PGSSLMODE.
  return `postgresql://${superuser}@/${database}?host=${socketFolder}&port=${port}&sslmode=disable`;
}

export async function openSession(socketFolder: string, role: Role, folder: DataFolder): Promise<Session> {
  const client = new pg.Client({
    connectionString: urlOf(socketFolder, 'postgres'),
    application_name: `dhulai ${role === 'program' ? 'pid' : role} ${process.pid}`,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  // Without a listener the end of the server would end the program.
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  await client.connect();
  try {
    await proveFolder(client, folder);
    if (role === 'program') await takeProgramLock(client, folder);
    await takeUseLock(client);
    await ensureDatabase(client);
    return {
      serverVersion: await ask(client, 'show server_version'),
      claimAlone: () => claimAlone(client),
      close: () => client.end(),
      ended,
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

const patienceMs = 5_000;

/** Advisory locks belong to one database, here `postgres`, which holds nothing else. */
const lockSpace = 0x6468;
const programLock = 1;
const useLock = 2;

/** A killed program's connection takes a moment to be noticed. One that lives is perhaps about to end, and is given less: whoever waits wants to know. */
const waitForDeadMs = 1_500;
const waitForLivingMs = 500;

async function takeProgramLock(client: pg.Client, folder: DataFolder): Promise<void> {
  const started = performance.now();
  while (!(await lock(client, 'pg_try_advisory_lock', programLock))) {
    const holder = await findHolder(client);
    if (performance.now() - started > (isAlive(holder) ? waitForLivingMs : waitForDeadMs)) {
      throw new FolderTaken(
        `Another program (${holder ?? 'unknown pid'}) is using the data folder ${folder.path}. Stop it first, or give this one its own DATA_DIR.`,
      );
    }
    await sleep(50);
  }
}

/** As it named itself when it opened its session: 'dhulai pid 123'. */
async function findHolder(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
    [lockSpace, programLock],
  );
  return rows[0]?.application_name;
}

function isAlive(holder = ''): boolean {
  const pid = Number(/ (\d+)$/.exec(holder)?.[1]);
  if (!pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Refused only while the last user is stopping the server; the caller then starts over. */
async function takeUseLock(client: pg.Client): Promise<void> {
  if (await lock(client, 'pg_try_advisory_lock_shared', useLock)) return;
  throw new Error('the server is being stopped');
}

/** Given back first, then claimed: of two that leave together, the later one finds itself alone. */
async function claimAlone(client: pg.Client): Promise<boolean> {
  await lock(client, 'pg_advisory_unlock_shared', useLock);
  return await lock(client, 'pg_try_advisory_lock', useLock);
}

async function lock(client: pg.Client, call: string, key: number): Promise<boolean> {
  const answer = await client.query<{ done: boolean }>(`select ${call}($1, $2) as done`, [lockSpace, key]);
  return answer.rows[0]?.done === true;
}

async function proveFolder(client: pg.Client, folder: DataFolder): Promise<void> {
  const serves = await ask(client, 'show data_directory');
  if (serves !== folder.cluster) throw new Error(`the server found serves ${serves}`);
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
  if (found.rowCount === 1) return;
  await client.query(`create database ${databaseName}`).catch((error: pg.DatabaseError) => {
    const madeMeanwhile = ['42P04', '23505'].includes(error.code ?? '');
    if (!madeMeanwhile) throw error;
  });
}

async function ask(client: pg.Client, show: string): Promise<string> {
  const answer = await client.query<Record<string, string>>(show);
  return Object.values(answer.rows[0] ?? {})[0] ?? '';
}
