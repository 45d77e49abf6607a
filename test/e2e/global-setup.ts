/** One PostgreSQL for the run, and a template that the built program itself has migrated and filled. Workers copy it (built-program.ts). */
import { newDatabase, startPostgres } from '../support/postgres.ts';
import { startBuiltProgram } from './built-program.ts';

export default async function globalSetup() {
  const { server, stop } = await startPostgres();
  const template = await newDatabase(server);
  const program = await startBuiltProgram(template.connection);
  await program.stop();
  // Workers are children of this process: the environment is how Playwright hands things down to them.
  process.env.BROWSER_TEST_DATABASES = JSON.stringify({ server, template: template.name });
  return async () => {
    await template.drop();
    await stop();
  };
}
