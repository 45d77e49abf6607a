/**
 * Runs the maintenance commands on the database of the program, whether the program runs or not.
 */
import { sql } from 'kysely';
import { parseSettings, type Settings } from '../src/settings.server.ts';
import { openDatabase, type Db } from '../src/db/database.server.ts';
import type { DatabaseConfig } from '../src/db/hosts.server.ts';
import { checkClock } from '../src/db/clock-check.server.ts';
import { withEmbeddedPostgres } from '../src/db/embedded.server.ts';
import { missingMigrations, type AppliedMigration } from '../src/db/migrate.server.ts';
import { onOneConnection } from '../src/db/one-connection.server.ts';
import { detectPooler } from '../src/db/pooler.server.ts';
import { explainDatabaseError } from '../src/db/unusable-database.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { printableText } from '../src/lib/printable-text.ts';
import { readMigrations } from './migration-files.ts';

/** Invalid arguments. The command prints the message and exits with 1. */
export class UsageError extends Error {}

const UNDEFINED_TABLE = '42P01';

interface CommandOptions {
  /** Deadline of one statement, instead of the default for pages. */
  statementMs?: number;
}

interface Command {
  /** The names of the required arguments. */
  parameters: readonly string[];
  /** Accepts further words after them. */
  acceptsMore?: true;
  /** Receives the arguments and returns the text to print. */
  run(db: Db, ...args: string[]): Promise<string | void>;
}

/** The commands of a tool by name. */
export type Commands = Readonly<Record<string, Command>>;

/**
 * Runs the command that the first argument of the process names, with the other arguments. Never
 * rejects: prints an error and sets the exit code 1. The error of an unknown command, of a missing
 * argument and of further words ends with `usage`.
 */
export function runCommand(commands: Commands, usage: string, options: CommandOptions = {}): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2);
  return printResult((settings) => {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw unknownCommandError(name, usage);
    const missing = command.parameters[args.length];
    if (missing !== undefined) throw missingArgumentError(name, missing, usage);
    const extra = args.slice(command.parameters.length);
    if (extra.length > 0 && !command.acceptsMore) throw unknownWordsError(extra, usage);
    return withDatabase(settings, ({ connection }) =>
      onConnection({ connection, ...options }, async (db) => {
        await requireSchema(db);
        return command.run(db, ...args);
      }),
    );
  });
}

/**
 * Throws if the schema of the database is not that of this version: the rules of another version
 * may be others.
 */
export async function requireSchema(db: Db) {
  // Versions before the column `compatible_since` exist.
  const { rows } = await sql<AppliedMigration>`
    select name, checksum, to_jsonb(applied) ->> 'compatible_since' as "compatibleSince"
      from schema_migrations applied order by name`.execute(db);
  const [missing] = missingMigrations(rows, await readMigrations());
  if (missing)
    throw new UsageError(
      `The database lacks ${missing.name}: use the version of the program that runs, or run 'npm run migrate' first. Nothing was done.`,
    );
}

/** Without a name, the error is the usage alone. */
export const unknownCommandError = (name: string, usage: string) =>
  new UsageError(name === '' ? usage : `There is no command '${name}'. Nothing was done.\n${usage}`);

export const missingArgumentError = (command: string, parameter: string, usage: string) =>
  new UsageError(`${command} needs a <${parameter}>. Nothing was done.\n${usage}`);

export const unknownWordsError = (words: readonly string[], usage: string) =>
  new UsageError(`'${words.join(' ')}' is not understood. Nothing was done.\n${usage}`);

/** Prints the result of the work, or its error and sets the exit code 1. Never rejects. */
export async function printResult(work: (settings: Settings) => Promise<string | void>): Promise<void> {
  try {
    const output = await work(parseSettings(process.env));
    if (output !== undefined) console.log(printableText(output));
  } catch (error) {
    console.error(printableText(explain(explainDatabaseError(error) as Error)));
    process.exitCode = 1;
  }
}

function explain({ code, name, message }: Error & { code?: string }): string {
  if (code === UNDEFINED_TABLE)
    return 'The database has no tables: set DATABASE_URL to the database of the program, or start the program once to create them.';
  // The words of PgBouncer.
  if (message.startsWith('unsupported startup parameter'))
    return 'A pooler refuses the timeouts of this command: set DATABASE_DIRECT_URL to the same database without a pooler.';
  // An error of a host name with several addresses has no message.
  return message || `${name} ${code ?? ''}`;
}

/**
 * Runs work on the server of DATABASE_DIRECT_URL or DATABASE_URL, or on the embedded server, which
 * it starts if no program runs. Throws `UnusableDatabase`, `WrongClock` and `StartupError` before
 * the work. Only a command that fills an empty database has `createsDatabase`: any other would
 * report success about nothing (docs/decisions/0128).
 */
export async function withDatabase<Result>(
  { database, directDatabase, dataDir }: Settings,
  work: (database: { connection: DatabaseConfig; dataDir: string }) => Promise<Result>,
  { createsDatabase = false } = {},
): Promise<Result> {
  if (directDatabase) {
    await checkServer(directDatabase, directDatabase === database ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL');
    return work({ connection: directDatabase, dataDir: dataDir ?? '.data' });
  }
  const options = { dataDir, cloneDir: process.cwd(), log, needsDatabase: !createsDatabase };
  return withEmbeddedPostgres(options, (connectionString, folder, isStarted) => {
    const server = isStarted ? 'the embedded database' : 'the database of the program that runs';
    log(`DATABASE_URL is not set: this command uses ${server} in ${folder}.`);
    return work({ connection: { connectionString }, dataDir: folder });
  });
}

/** Throws `UnusableDatabase` or `WrongClock`. The embedded server has the clock of this machine. */
async function checkServer(connection: DatabaseConfig, setting: string) {
  await detectPooler(connection, setting);
  const { signal } = new AbortController();
  await onOneConnection({ connection, name: 'start', signal }, (db) => checkClock(db, systemClock));
}

const log = (line: string) => console.error(line);

/** Closes the connections after the command, also if it throws. */
export async function onConnection(
  options: CommandOptions & { connection: DatabaseConfig },
  command: (db: Db) => Promise<string | void>,
): Promise<string | void> {
  const { db, close } = openDatabase({ ...options, poolSize: 2, onConnectionLost: () => {} });
  try {
    return await command(db);
  } finally {
    await close();
  }
}
