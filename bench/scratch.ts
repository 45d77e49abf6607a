/** The environment of a benchmark: PostgreSQL with fsync, a new database, and the built program. */
import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Db } from '../src/db/database.server.ts';
import type { DB } from '../src/db/tables.generated.ts';
import { newDatabase, startPostgres, urlOf } from '../test/support/postgres.ts';
import { parentOf } from '../test/support/process-tree.ts';
import { ChildProgram, freePort } from '../test/support/program-process.ts';
import { ownSeconds, processorSeconds, processTreeSeconds } from './processor-time.ts';

/** Processor seconds. */
export interface ProcessorUse {
  program: number;
  postgres: number;
  /** This process and the pgbench processes that it started. */
  loadGenerator: number;
}

export interface Scratch {
  databaseUrl: string;
  program: ChildProgram;
  db: Db;
  /** The statements that `db` has sent. Callers empty it to capture the next ones. */
  statements: CompiledQuery[];
  /** Processor seconds of the program, of PostgreSQL, and of this process with its pgbench. */
  processorUse(): ProcessorUse;
}

/** Runs `work` with a new PostgreSQL, database and program, and removes them afterwards. */
export async function onScratch(work: (scratch: Scratch) => Promise<void>, env: Record<string, string> = {}) {
  const { server, stop } = await startPostgres({ fsync: true });
  const { connection, drop } = await newDatabase(server);
  const program = new ChildProgram(await freePort(), {
    DATABASE_URL: urlOf(connection),
    ...env,
  });
  const statements: CompiledQuery[] = [];
  // Without the program's statement timeout: filling tables takes longer.
  const pool = new pg.Pool({ ...connection, max: 2 });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void statements.push(query) });
  try {
    await program.ready();
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    const postmaster = parentOf(rows[0]?.pid ?? 0) ?? 0;
    const processorUse = () => ({
      program: processorSeconds(program.pid),
      postgres: processTreeSeconds(postmaster),
      loadGenerator: ownSeconds(),
    });
    await work({ databaseUrl: connection.connectionString ?? '', program, db, statements, processorUse });
  } finally {
    await db.destroy();
    program.signal('SIGTERM');
    await program.ended;
    await drop();
    await stop();
  }
}
