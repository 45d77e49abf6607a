/**
 * `npm run migrate [-- check | anyway]`: applies the missing migrations and ends, without starting
 * the program. Refuses migrations with which connected processes no longer work, unless the word
 * `anyway` is given. `check` prints what is missing and whether processes can keep running.
 */
import { HostClient, type DatabaseConfig } from '../src/db/hosts.server.ts';
import { firstBreakingMigration, migrate, missingMigrations, readApplied, type Migration } from '../src/db/migrate.server.ts';
import { refuseOtherProgram } from '../src/db/other-program.server.ts';
import { readMigrations } from './migration-files.ts';
import { printResult, unknownWordsError, UsageError, withDatabase } from './run-command.ts';

const USAGE = `npm run migrate             apply the missing migrations
npm run migrate -- check    print them, and whether running processes work with them; change nothing
npm run migrate -- anyway   apply them also if running processes do not work with them`;

await printResult(async (settings) => {
  const words = process.argv.slice(2);
  const [word] = words;
  const unknown = words.slice(word === 'check' || word === 'anyway' ? 1 : 0);
  if (unknown.length > 0) throw unknownWordsError(unknown, USAGE);
  const migrations = await readMigrations();
  return withDatabase(settings, async ({ connection }) => {
    if (word === 'check') return describeMissing(connection, migrations);
    if (word === undefined) await refuseForOldProcesses(connection, migrations);
    const applied = await migrate(connection, migrations, { log: (line) => console.error(line) });
    return applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is complete: nothing was applied.';
  });
});

function newClient(connection: DatabaseConfig): HostClient {
  return new HostClient({ ...connection, application_name: `dhulai pid ${process.pid} migrate` });
}

/** Returns the missing migrations, and whether running processes work with them. */
async function describeMissing(connection: DatabaseConfig, migrations: readonly Migration[]): Promise<string> {
  const client = newClient(connection);
  try {
    await client.connect();
    await refuseOtherProgram(client);
    const { rows: applied } = await readApplied(client);
    const missing = missingMigrations(applied, migrations);
    if (missing.length === 0) return 'The database is complete: nothing is missing.';
    return [
      `Missing migrations: ${missing.map(({ name }) => name).join(', ')}.`,
      describeProcesses(applied.length > 0, firstBreakingMigration(applied, migrations)),
      'Nothing was changed.',
    ].join('\n');
  } finally {
    await client.end().catch(() => {});
  }
}

function describeProcesses(isMigrated: boolean, breaking: Migration | undefined): string {
  if (!isMigrated) return 'The database is empty: no version of the program runs on it.';
  if (!breaking) return 'The processes of the version that migrated last can keep running.';
  return `Stop every process of the program before you migrate: the version that migrated last does not work with ${breaking.name}.`;
}

/**
 * Throws `UsageError` if processes are connected that a missing migration breaks, and
 * `UnusableDatabase` if the tables are those of another program.
 */
async function refuseForOldProcesses(connection: DatabaseConfig, migrations: readonly Migration[]) {
  const client = newClient(connection);
  try {
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    );
    // `migrate` explains why a database cannot be used.
    if (!isConnected) return;
    await refuseOtherProgram(client);
    const { rows: applied } = await readApplied(client);
    const breaking = firstBreakingMigration(applied, migrations);
    if (!breaking) return;
    const { rows } = await client.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
        where datname = current_database() and application_name like 'dhulai pid % pool' order by 1`,
    );
    if (rows.length > 0)
      throw new UsageError(
        `Nothing was done: processes of an older version are connected (${rows.map(({ name }) => name.replace(/ pool$/, '')).join(', ')}) and do not work with ${breaking.name}. Stop them first, or add the word 'anyway'.`,
      );
  } finally {
    await client.end().catch(() => {});
  }
}
