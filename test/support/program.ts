/** The whole program for a test file: a fresh copy of the migrated template database, a clock that stands still, and callers with cookie jars. */
import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { buildProgram } from '../../src/api/program.server.ts';
import { parseSettings } from '../../src/api/settings.server.ts';
import type { Waits } from '../../src/web/outside.server.ts';
import { createCaller, type Caller } from './caller.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import { newDatabase } from './postgres.ts';

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

interface UseProgramOptions {
  /** How long pages wait for services outside. */
  waits?: Waits;
  clock?: FakeClock;
}

/** Starts the program before the file's tests and stops it afterwards. `settings` are environment variables. */
export function useProgram(settings: Record<string, string> = {}, { waits, clock = fakeClock() }: UseProgramOptions = {}): TestProgram {
  const log: string[] = [];
  let started: Awaited<ReturnType<typeof buildProgram>>;
  let connection: pg.ClientConfig;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ connection, drop } = await newDatabase(JSON.parse(inject('server')) as pg.ClientConfig, inject('template')));
    started = await buildProgram({
      settings: parseSettings({ LOG_LEVEL: 'info', ...settings }),
      database: connection,
      secret: TEST_SECRET,
      build: undefined,
      clock,
      ...(waits && { waits }),
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
