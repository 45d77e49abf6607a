/**
 * Global setup of Vitest: one PostgreSQL and a migrated template database, which each test file
 * copies (program.ts).
 */
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/migrate.server.ts';
import { migrations } from '../../src/db/migrations.server.ts';
import { newDatabase, startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Connection settings of the server, as JSON of pg.ClientConfig, naming its maintenance
     * database.
     */
    server: string;
    /** The name of the migrated template database. */
    template: string;
  }
}

export default async function setup(project: TestProject) {
  const { server, stop } = await startPostgres();
  const template = await newDatabase(server);
  await migrate(template.connection, migrations);
  project.provide('server', JSON.stringify(server));
  project.provide('template', template.name);
  return async () => {
    await template.drop();
    await stop();
  };
}
