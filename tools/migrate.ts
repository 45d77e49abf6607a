/** `npm run migrate`: applies the missing migrations and ends, without starting the program. */
import { migrate } from '../src/db/migrate.server.ts';
import { readMigrations } from './migration-files.ts';
import { printResult, withDatabase } from './run-command.ts';

await printResult(async (settings) => {
  const steps = await readMigrations();
  return withDatabase(settings, async ({ connection }) => {
    const applied = await migrate(connection, steps, { log: (line) => console.error(line) });
    return applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is complete: nothing was applied.';
  });
});
