/**
 * One PostgreSQL for the whole test run: DATABASE_URL's where it is set, else an embedded one in a temporary folder. A migrated template is made once;
 * every test file gets a copy of it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/db/embedded.server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection settings of the server, as JSON of pg.ClientConfig, naming its maintenance database. */
    server: string;
  }
}

export default async function setup(project: TestProject) {
  const { connection, stop } = await startServer();
  project.provide('server', JSON.stringify(connection));
  return stop;
}

async function startServer(): Promise<{ connection: pg.ClientConfig; stop(): Promise<void> }> {
  const url = process.env.DATABASE_URL;
  if (url) return { connection: { connectionString: url }, stop: async () => {} };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dhulai-test-'));
  const server = await startEmbeddedPostgres({ dataDir, cloneDir: process.cwd(), log: () => {} });
  return {
    connection: { connectionString: server.connectionString },
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
