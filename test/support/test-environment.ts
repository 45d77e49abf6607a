/**
 * A database and the program in one or more processes on it. The test stops and drops them at its
 * end.
 */
import type pg from 'pg';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { openDatabase, type Db } from '../../src/db/database.server.ts';
import { systemClock, type Clock } from '../../src/lib/clock.ts';
import type { Caller } from './caller.ts';
import { httpCaller } from './http-caller.ts';
import { newDatabase, urlOf } from './postgres.ts';
import { ChildProgram, freePort } from './program-process.ts';

/** Satisfies ProgramUnderTest of seed-customers.ts. */
export interface TestEnvironment {
  readonly connection: pg.ClientConfig;
  readonly db: Db;
  readonly clock: Clock;
  /** Starts another process on the same database. */
  start(port?: number, env?: Record<string, string>): Promise<ChildProgram>;
  /** Creates a caller whose requests alternate between the processes in `programs`. */
  caller(): Caller;
  readonly programs: ChildProgram[];
}

interface GroundOptions {
  /** Default: the template with the sample data, which starting programs would write otherwise. */
  template?: string;
  /** Default: the system clock. The programs must be started with the same clock. */
  clock?: Clock;
}

/** Creates an environment that is stopped when the test has finished. */
export async function newTestEnvironment(options?: GroundOptions): Promise<TestEnvironment> {
  const { environment, stop } = await startTestEnvironment(options);
  onTestFinished(stop);
  return environment;
}

/**
 * Starts this number of processes before the tests of the file, which share them: a start takes
 * most of the processor time of a short test. For tests that stop no process and have customers of
 * their own.
 */
export function useTestEnvironment(processes: number, env: Record<string, string> = {}): () => TestEnvironment {
  let started: Awaited<ReturnType<typeof startTestEnvironment>>;
  beforeAll(async () => {
    started = await startTestEnvironment();
    await Promise.all(Array.from({ length: processes }, () => started.environment.start(undefined, env)));
  });
  afterAll(() => started.stop());
  return () => started.environment;
}

/** Creates an environment for a test file, which must call `stop`. */
export async function startTestEnvironment({ template = inject('sampleTemplate'), clock = systemClock }: GroundOptions = {}): Promise<{
  environment: TestEnvironment;
  stop(): Promise<void>;
}> {
  const { connection, drop } = await newDatabase(JSON.parse(inject('server')) as pg.ClientConfig, template);
  const database = openDatabase({ connection, poolSize: 4, onConnectionLost: () => {} });
  const programs: ChildProgram[] = [];
  let requests = 0;
  const environment: TestEnvironment = {
    connection,
    db: database.db,
    clock,
    programs,
    start: async (port, env = {}) => {
      const program = new ChildProgram(port ?? (await freePort()), { DATABASE_URL: urlOf(connection), ...env });
      programs.push(program);
      return program.ready();
    },
    caller: () => httpCaller(() => programs[requests++ % programs.length]?.url ?? ''),
  };
  const stop = async () => {
    await Promise.all(programs.map((program) => program.kill()));
    await database.close();
    await drop();
  };
  return { environment, stop };
}
