/**
 * The program for a test file: a copy of the template database, a fake clock, and callers with
 * cookie jars.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { composeProgram } from '../../src/compose.server.ts';
import type { ServiceTimeouts } from '../../src/compose/services.server.ts';
import { parseSettings } from '../../src/settings.server.ts';
import type { SiteConfig } from '../../src/shared/site-config.ts';
import { createCaller, type Caller } from './caller.ts';
import { startTestEnvironment } from './test-environment.ts';
import { fakeClock, fileClock, type FakeClock } from './fake-clock.ts';
import { newDatabase } from './postgres.ts';

export const TEST_SECRET = 'a secret for tests, at least 32 bytes';

export interface TestProgram {
  readonly app: Awaited<ReturnType<typeof composeProgram>>['app'];
  readonly db: Awaited<ReturnType<typeof composeProgram>>['database']['db'];
  readonly site: SiteConfig;
  readonly clock: FakeClock;
  readonly connection: pg.ClientConfig;
  /** All log lines of the program. */
  readonly log: string[];
  /** Creates a caller with a cookie jar. */
  caller(options?: { ip?: string }): Caller;
}

interface UseProgramOptions {
  /** Timeouts of external services. */
  timeouts?: ServiceTimeouts;
  clock?: FakeClock;
}

/** The processes of each program of an imported test file, during its import. */
let importedProcesses: number | undefined;

/**
 * Imports a test file, whose `useProgram` starts this number of processes of the built program
 * instead of one program in this process.
 */
export async function importWithProcesses(processes: number, importFile: () => Promise<unknown>): Promise<void> {
  importedProcesses = processes;
  try {
    await importFile();
  } finally {
    importedProcesses = undefined;
  }
}

/**
 * Starts the program before the file's tests and stops it afterwards. `settings` are environment
 * variables.
 */
export const useProgram = (settings: Record<string, string> = {}, options: UseProgramOptions = {}): TestProgram =>
  importedProcesses === undefined ? oneProgram(settings, options) : severalPrograms(importedProcesses, settings, options);

function oneProgram(settings: Record<string, string>, { timeouts, clock = fakeClock() }: UseProgramOptions): TestProgram {
  const log: string[] = [];
  let started: Awaited<ReturnType<typeof composeProgram>>;
  let connection: pg.ClientConfig;
  let drop: () => Promise<void>;
  const photos = path.join(tmpdir(), `dhulai-photos-${randomUUID()}`);

  beforeAll(async () => {
    ({ connection, drop } = await newDatabase(JSON.parse(inject('server')) as pg.ClientConfig, inject('template')));
    started = await composeProgram({
      settings: parseSettings({ LOG_LEVEL: 'info', PHOTO_DIR: photos, ...settings }),
      database: connection,
      secret: TEST_SECRET,
      build: undefined,
      clock,
      ...(timeouts && { timeouts }),
      logStream: { write: (line) => void log.push(line) },
    });
    await started.app.ready();
  });
  afterAll(async () => {
    const closed = started.app.close();
    // A connection of `fetch` that has sent no request would hold the server open for 30 s.
    started.app.server.closeAllConnections();
    started.app.server.on('connection', (socket) => socket.destroy());
    await closed;
    await drop();
    rmSync(photos, { recursive: true, force: true });
  });

  return {
    get app() {
      return started.app;
    },
    get db() {
      return started.database.db;
    },
    get site() {
      return started.site;
    },
    get connection() {
      return connection;
    },
    clock,
    log,
    caller: (options) => createCaller(() => started.app, options),
  };
}

/** Like `useProgram` with several processes of the built program. */
export const useProcesses = (processes: number, settings: Record<string, string> = {}): TestProgram =>
  severalPrograms(processes, settings, {});

/**
 * Starts several processes on one database with one clock. Requests alternate between them. Members
 * that need a single process throw, so that no test passes without a check.
 */
function severalPrograms(processes: number, settings: Record<string, string>, options: UseProgramOptions): TestProgram {
  const throwUnsupported = (): never => {
    throw new Error('the program runs in other processes');
  };
  if (Object.keys(options).length > 0) throwUnsupported();
  const folder = mkdtempSync(path.join(tmpdir(), 'dhulai-clock-'));
  const file = path.join(folder, 'clock');
  const clock = fileClock(file);
  let started: Awaited<ReturnType<typeof startTestEnvironment>>;

  beforeAll(async () => {
    started = await startTestEnvironment({ clock, template: inject('template') });
    const env = { SECRET: TEST_SECRET, CLOCK_FILE: file, PHOTO_DIR: path.join(folder, 'photos'), ...settings };
    await Promise.all(Array.from({ length: processes }, () => started.environment.start(undefined, env)));
  });
  afterAll(async () => {
    await started.stop();
    rmSync(folder, { recursive: true });
  });

  return {
    get app() {
      return throwUnsupported();
    },
    get site() {
      return throwUnsupported();
    },
    get log() {
      return throwUnsupported();
    },
    get db() {
      return started.environment.db;
    },
    get connection() {
      return started.environment.connection;
    },
    clock,
    caller: ({ ip } = {}) => (ip ? throwUnsupported() : started.environment.caller()),
  };
}
