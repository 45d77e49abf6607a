/** What maintenance commands stand on: the program's own database, whether the program runs or not. */
import type pg from 'pg';
import { parseSettings } from '../src/api/settings.server.ts';
import { openDatabase, type Db } from '../src/db/database.server.ts';
import { withEmbeddedPostgres } from '../src/db/embedded.server.ts';

/** Something the operator typed or left out: one line, and exit code 1. */
export class Misused extends Error {}

const UNDEFINED_TABLE = '42P01';

/** Runs a command and prints its answer. With DATABASE_URL on that server; else on the embedded one, started for it where no program runs. */
export async function runCommand(work: (db: Db) => Promise<string>): Promise<void> {
  try {
    const { databaseUrl, dataDir } = parseSettings(process.env);
    const answer = databaseUrl
      ? await onConnection({ connectionString: databaseUrl }, work)
      : await withEmbeddedPostgres({ dataDir, cloneDir: process.cwd(), log: (line) => console.error(line) }, (connectionString) =>
          onConnection({ connectionString }, work),
        );
    console.log(answer);
  } catch (error) {
    const isNew = (error as { code?: unknown }).code === UNDEFINED_TABLE;
    console.error(isNew ? 'The database is new: start the program once, it makes the tables.' : (error as Error).message);
    process.exitCode = 1;
  }
}

async function onConnection(connection: pg.ClientConfig, work: (db: Db) => Promise<string>): Promise<string> {
  const { db, close } = openDatabase({ connection, poolSize: 2, onConnectionLost: () => {} });
  try {
    return await work(db);
  } finally {
    await close();
  }
}
