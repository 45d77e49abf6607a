/**
 * Starts the built program (build/server/index.js) in this process, with a database and a clock of
 * the test.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import type * as main from '../../src/main.ts';
import { runningClock, type FakeClock } from '../support/fake-clock.ts';
import { newDatabase, type NewDatabase } from '../support/postgres.ts';

type Built = typeof main;

const SECRET = 'a secret for tests, at least 32 bytes';

export interface BrowserTestProgram {
  /** The origin, without a trailing slash. */
  url: string;
  /** Advances in real time from a fixed instant. Pages use the same time (fixtures.ts). */
  clock: FakeClock;
  db: Awaited<ReturnType<Built['startProgram']>>['database']['db'];
  /** Log lines of level warn and above. */
  log: string[];
  stop(): Promise<void>;
}

export async function startBuiltProgram(
  database: pg.ClientConfig,
  settings: Record<string, string> = {},
  clock = runningClock(),
): Promise<BrowserTestProgram> {
  const file = pathToFileURL(path.resolve('build/server/index.js')).href;
  const { startProgram, parseSettings, build } = (await import(file)) as Built;
  const log: string[] = [];
  const photos = path.join(tmpdir(), `dhulai-photos-${randomUUID()}`);
  const program = await startProgram({
    settings: parseSettings({
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      BOT_CHECK: 'off',
      ORDERS_A_DAY: '30',
      PHOTO_DIR: photos,
      ...settings,
    }),
    database,
    secret: SECRET,
    build,
    clientDir: 'build/client',
    consoleDir: 'build/console',
    clock,
    logStream: { write: (line) => void log.push(line) },
  });
  const stop = async () => {
    await program.stop();
    await rm(photos, { recursive: true, force: true });
  };
  return { url: program.url, clock, db: program.database.db, log, stop };
}

/** Creates a copy of the template database (global-setup.ts). */
export async function copyTemplate(): Promise<NewDatabase> {
  const { server, template } = JSON.parse(process.env.BROWSER_TEST_DATABASES ?? '') as { server: pg.ClientConfig; template: string };
  return newDatabase(server, template);
}

/** Starts the program of a worker on a copy of the template database. */
export async function startWorkerProgram(): Promise<BrowserTestProgram> {
  const database = await copyTemplate();
  const program = await startBuiltProgram(database.connection);
  return {
    ...program,
    stop: async () => {
      await program.stop();
      await database.drop();
    },
  };
}
