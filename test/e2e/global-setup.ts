/**
 * Starts one PostgreSQL for the run and a template database that the built program has migrated and
 * filled. Workers copy the template (built-program.ts).
 */
import { newDatabase, startPostgres } from '../support/postgres.ts';
import { startBuiltProgram } from './built-program.ts';

export default async function globalSetup() {
  const { server, stop } = await startPostgres();
  const template = await newDatabase(server);
  const program = await startBuiltProgram(template.connection);
  await program.stop();
  // Workers are child processes and read these values from the environment.
  process.env.BROWSER_TEST_DATABASES = JSON.stringify({ server, template: template.name });
  return async () => {
    await template.drop();
    await stop();
  };
}
