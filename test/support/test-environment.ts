/** TestEnvironment for programs that are processes of their own: one database, as many of them as a test starts on it. All is gone after the test. */
import type pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/db/database.server.ts';
import { systemClock, type Clock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/db/database.server.ts';
import type { Caller } from './caller.ts';
import { httpCaller } from './http-caller.ts';
import { newDatabase, urlOf } from './postgres.ts';
import { ChildProgram, freePort } from './program-process.ts';

/** A database of the test's own, programs on it, and what test/support/seed-customers.ts needs to write people into it. */
export interface TestEnvironment {
  readonly connection: pg.ClientConfig;
  readonly db: Db;
  readonly clock: Clock;
  /** Starts another process on the same database. */
  start(port?: number, env?: Record<string, string>): Promise<ChildProgram>;
  /** A browser without a page; each request goes to the next of the processes that were started and still stand on the list. */
  caller(): Caller;
  readonly programs: ChildProgram[];
}

interface GroundOptions {
  template?: string;
  /** Where it is not the system's, the programs have to be started with it, too. */
  clock?: Clock;
}

/** For one test: gone when it has finished. */
export async function newTestEnvironment(options?: GroundOptions): Promise<TestEnvironment> {
  const { environment, stop } = await startTestEnvironment(options);
  onTestFinished(stop);
  return environment;
}

/** For a whole file, which stops it. */
export async function startTestEnvironment({ template = inject('template'), clock = systemClock }: GroundOptions = {}): Promise<{
  environment: TestEnvironment;
  stop(): Promise<void>;
}> {
  const { connection, drop } = await newDatabase(JSON.parse(inject('server')) as pg.ClientConfig, template);
  const database = openDatabase({ connection, poolSize: 4, onConnectionLost: () => {} });
  const programs: ChildProgram[] = [];
  let turn = 0;
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
    caller: () => httpCaller(() => programs[turn++ % programs.length]?.url ?? ''),
  };
  const stop = async () => {
    await Promise.all(programs.map((program) => program.kill()));
    await database.close();
    await drop();
  };
  return { environment, stop };
}
