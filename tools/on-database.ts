/** What maintenance commands stand on: the program's own database, whether the program runs or not. */
import type pg from 'pg';
import { parseSettings } from '../src/settings.server.ts';
import { openDatabase, type Db } from '../src/db/database.server.ts';
import { withEmbeddedPostgres } from '../src/db/embedded.server.ts';

/** Something the operator typed or left out: one line, and exit code 1. */
export class Misused extends Error {}

const UNDEFINED_TABLE = '42P01';

interface CommandOptions {
  /** How long one statement may take, where a page's deadline is too short. */
  statementMs?: number;
}

/** What a tool can be told to do, by the word that names it. An answer is printed; a command that has written all of it itself has none. */
export type Commands = Readonly<Record<string, (db: Db, ...words: string[]) => Promise<string | void>>>;

/** Runs the command that the first word names, with the words after it. */
export function runOneOf(commands: Commands, usage: string, options: CommandOptions = {}): Promise<void> {
  const [name = '', ...words] = process.argv.slice(2);
  return run(async (db) => {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new Misused(usage);
    return command(db, ...words);
  }, options);
}

/** With DATABASE_URL on that server; else on the embedded one, started for it where no program runs. */
async function run(work: (db: Db) => Promise<string | void>, options: CommandOptions): Promise<void> {
  const on = (connectionString: string) => onConnection({ connection: { connectionString }, ...options }, work);
  try {
    const { databaseUrl, dataDir } = parseSettings(process.env);
    const answer = databaseUrl
      ? await on(databaseUrl)
      : await withEmbeddedPostgres({ dataDir, cloneDir: process.cwd(), log: (line) => console.error(line) }, on);
    if (answer !== undefined) console.log(answer);
  } catch (error) {
    const isNew = (error as { code?: unknown }).code === UNDEFINED_TABLE;
    console.error(isNew ? 'The database is new: start the program once, it makes the tables.' : (error as Error).message);
    process.exitCode = 1;
  }
}

async function onConnection(
  options: CommandOptions & { connection: pg.ClientConfig },
  work: (db: Db) => Promise<string | void>,
): Promise<string | void> {
  const { db, close } = openDatabase({ ...options, poolSize: 2, onConnectionLost: () => {} });
  try {
    return await work(db);
  } finally {
    await close();
  }
}
