/**
 * `npm run migrate [-- anyway]`: applies the missing migrations and ends, without starting the
 * program. Refuses migrations with which connected processes no longer work, unless the word
 * `anyway` is given.
 */
import { HostClient, type DatabaseConfig } from '../src/db/hosts.server.ts';
import { firstBreakingMigration, migrate, readApplied, type Migration } from '../src/db/migrate.server.ts';
import { readMigrations } from './migration-files.ts';
import { printResult, unknownWordsError, UsageError, withDatabase } from './run-command.ts';

const USAGE = 'npm run migrate [-- anyway]';

await printResult(async (settings) => {
  const words = process.argv.slice(2);
  const isForced = words.length === 1 && words[0] === 'anyway';
  if (words.length > 0 && !isForced) throw unknownWordsError(words, USAGE);
  const migrations = await readMigrations();
  return withDatabase(settings, async ({ connection }) => {
    if (!isForced) await refuseForOldProcesses(connection, migrations);
    const applied = await migrate(connection, migrations, { log: (line) => console.error(line) });
    return applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is complete: nothing was applied.';
  });
});

/** Throws `UsageError` if processes are connected that a missing migration breaks. */
async function refuseForOldProcesses(connection: DatabaseConfig, migrations: readonly Migration[]) {
  const client = new HostClient({ ...connection, application_name: `dhulai pid ${process.pid} migrate` });
  // Without a listener, a lost connection would end the process. The failed statement throws.
  client.on('error', () => {});
  try {
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    );
    // `migrate` explains why a database cannot be used.
    if (!isConnected) return;
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
