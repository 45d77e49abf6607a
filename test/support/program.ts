/** The whole program for a test file: a fresh copy of the migrated template database, a clock that stands still, and callers with cookie jars. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { buildProgram } from '../../src/api/program.server.ts';
import { parseSettings } from '../../src/api/settings.server.ts';
import { migrate } from '../../src/db/migrate.server.ts';
import { createCaller, type Caller } from './caller.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';

const TEMPLATE = 'dhulai_template';
export const TEST_SECRET = 'a secret of the tests, 32 bytes or more';

export interface TestProgram {
  readonly app: Awaited<ReturnType<typeof buildProgram>>['app'];
  readonly db: Awaited<ReturnType<typeof buildProgram>>['database']['db'];
  readonly clock: FakeClock;
  readonly connection: pg.ClientConfig;
  /** Every log line of the program, as written. */
  readonly log: string[];
  /** A browser without a page: it keeps cookies and makes calls. */
  caller(options?: { ip?: string }): Caller;
}

/** Starts the program before the file's tests and stops it afterwards. `settings` are environment variables. */
export function useProgram(settings: Record<string, string> = {}): TestProgram {
  const clock = fakeClock();
  const log: string[] = [];
  let started: Awaited<ReturnType<typeof buildProgram>>;
  let connection: pg.ClientConfig;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ connection, drop } = await copyDatabase(JSON.parse(inject('server')) as pg.ClientConfig));
    started = await buildProgram({
      settings: parseSettings({ LOG_LEVEL: 'info', ...settings }),
      database: connection,
      secret: TEST_SECRET,
      build: undefined,
      clock,
      logStream: { write: (line) => void log.push(line) },
    });
    await started.app.ready();
  });
  afterAll(async () => {
    await started.app.close();
    await drop();
  });

  return {
    get app() {
      return started.app;
    },
    get db() {
      return started.database.db;
    },
    get connection() {
      return connection;
    },
    clock,
    log,
    caller: (options) => createCaller(() => started.app, options),
  };
}

/** A new database, copied from the migrated template. */
export async function copyDatabase(server: pg.ClientConfig): Promise<{ connection: pg.ClientConfig; drop(): Promise<void> }> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await onServer(server, async (client) => {
    // Test files run in several processes: one makes the template, the others wait for it.
    await client.query('select pg_advisory_lock(7421999)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE]);
    if (!rowCount) await client.query(`create database ${TEMPLATE}`);
    await migrate(inDatabase(server, TEMPLATE));
    await client.query(`create database ${name} template ${TEMPLATE}`);
    await client.query('select pg_advisory_unlock(7421999)');
  });
  const drop = () => onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`).then(() => {}));
  return { connection: inDatabase(server, name), drop };
}

function inDatabase(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!server.connectionString) return { ...server, database };
  // A socket's URL has no host, so it is no URL that the platform could parse.
  return { ...server, connectionString: server.connectionString.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`) };
}

async function onServer(server: pg.ClientConfig, work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
