/**
 * Global setup of Vitest: one PostgreSQL and two template databases, which tests copy: a migrated
 * one (program.ts), and one with the sample data of a demonstration (test-environment.ts).
 */
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/migrate.server.ts';
import { migrations } from '../../src/db/migrations.server.ts';
import { openDatabase } from '../../src/db/database.server.ts';
import { loadSampleCatalogue } from '../../src/domains/catalogue/service.server.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { loadSamples } from '../../src/server/demo/demo.server.ts';
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
    /** The name of a copy in which a program has nothing to create when it starts. */
    sampleTemplate: string;
  }
}

export default async function setup(project: TestProject) {
  const { server, stop } = await startPostgres();
  const template = await newDatabase(server);
  await migrate(template.connection, migrations);
  project.provide('server', JSON.stringify(server));
  project.provide('template', template.name);
  const samples = await newDatabase(server, template.name);
  await writeSamples(samples.connection);
  project.provide('sampleTemplate', samples.name);
  return async () => {
    await samples.drop();
    await template.drop();
    await stop();
  };
}

/** Writes the sample data as a starting demonstration does. */
async function writeSamples(connection: pg.ClientConfig) {
  const { db, close } = openDatabase({ connection, poolSize: 1, onConnectionLost: () => {} });
  await loadSampleCatalogue(db);
  await loadSamples({ db, clock: systemClock });
  // A template has no connections when it is copied.
  await close();
}
