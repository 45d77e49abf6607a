import { checkClock } from '../db/clock-check.server.ts';
import type { DatabaseConfig } from '../db/hosts.server.ts';
import { checkWritable, openDatabase } from '../db/database.server.ts';
import { migrate } from '../db/migrate.server.ts';
import { migrations } from '../db/migrations.server.ts';
import { onOneConnection } from '../db/one-connection.server.ts';
import { detectPooler } from '../db/pooler.server.ts';
import { createReadReplica, type StaleRead } from '../db/read-replica.server.ts';
import { loadSampleCatalogue } from '../domains/catalogue/service.server.ts';
import type { Clock } from '../lib/clock.ts';
import { claimDatabaseForMode } from '../server/demo/live-use.server.ts';
import type { Log } from '../server/http/log.server.ts';
import type { Settings } from '../settings.server.ts';

interface DatabaseOptions {
  settings: Settings;
  database: DatabaseConfig;
  directDatabase: DatabaseConfig | undefined;
  clock: Clock;
  /** Compare the clock with the database's. */
  checksClock: boolean;
  log: Log;
  stopping: AbortSignal | undefined;
  logStart: ((line: string) => void) | undefined;
}

export type Databases = Awaited<ReturnType<typeof openDatabases>>;

/**
 * Migrates the database and opens its pool and that of the replica, which the caller closes. A
 * demonstration gets sample rates; live mode stores its first use. Throws the errors of
 * `detectPooler`, `migrate` and `checkWritable`, `WrongClock` and `StartupError`.
 */
export async function openDatabases(options: DatabaseOptions) {
  const { settings, clock, log } = options;
  const demo = settings.mode === 'demo';
  // pg attaches the whole client with its statements and settings to this error: only the message
  // goes to the log.
  const onConnectionLost = (error: Error) => log.warn({ reason: error.message }, 'database connection lost');

  // Nothing is changed through an unusable pooler, or with a wrong clock.
  const pooler = await detectPooler(options.database);
  const signal = options.stopping ?? new AbortController().signal;
  if (options.checksClock) await onOneConnection({ connection: options.database, name: 'start', signal }, (on) => checkClock(on, clock));

  const direct = options.directDatabase ?? options.database;
  await migrate(direct, migrations, { stopping: options.stopping, log: options.logStart });

  if (pooler === 'transaction' && direct === options.database)
    log.warn('the pooler loses notifications: pages of orders follow after up to 15 s. Set DATABASE_DIRECT_URL');
  const database = openDatabase({
    connection: options.database,
    isPooled: pooler !== 'none',
    poolSize: settings.databasePool,
    onConnectionLost,
  });
  const { db } = database;

  const compareClocks = async () => {
    if (options.checksClock) await checkClock(db, clock);
  };
  try {
    await checkWritable(db);
    await claimDatabaseForMode(db, { demo, now: clock.now() });
    if (demo) await loadSampleCatalogue(db);
  } catch (error) {
    await database.close();
    throw error;
  }

  const { readDatabase, databasePool: poolSize } = settings;
  const replica = readDatabase && createReadReplica({ connection: readDatabase, primary: db, poolSize, clock });
  const readStale: StaleRead = replica?.read ?? ((work) => work(db));

  return { database, db, direct, replica, readStale, compareClocks, onConnectionLost };
}
