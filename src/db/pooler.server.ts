/** Whether a connection pooler such as PgBouncer is between this process and PostgreSQL. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { HostClient, type DatabaseConfig } from './hosts.server.ts';
import { UnusableDatabase } from './migrate.server.ts';

/** In transaction mode, each transaction of a connection may use another server connection. */
export type PoolerMode = 'none' | 'session' | 'transaction';

const TIMEOUT_MS = 5000;
/** Another process may get the server connection that the probe waits for. */
const ATTEMPTS = 5;

/**
 * Throws `UnusableDatabase` if a pooler in transaction mode does not support prepared statements,
 * as PgBouncer before 1.21: statements would fail or, worse, be those of another process.
 */
export async function detectPooler(connection: DatabaseConfig): Promise<PoolerMode> {
  return withClient(connection, async (client) => {
    // A pooler makes up the key that the server would send.
    const { processID } = client as pg.Client & { readonly processID?: number };
    if ((await backendOf(client)) === processID) return 'none';
    const keepsNames = await passesNamesThrough(client);
    if (!(await sharesServerConnections(connection, client))) return 'session';
    if (keepsNames) {
      throw new UnusableDatabase(
        `The pooler at ${client.host}:${client.port} has no prepared statements in transaction mode: PgBouncer 1.21 or newer with max_prepared_statements is required, or pool_mode = session.`,
      );
    }
    return 'transaction';
  });
}

async function withClient<Result>(connection: DatabaseConfig, work: (client: HostClient) => Promise<Result>): Promise<Result> {
  const client = new HostClient({
    ...connection,
    application_name: `dhulai pid ${process.pid} start`,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // Without a listener, a lost connection would end the process. The failed statement throws.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/**
 * A pooler with support for prepared statements gives them names of its own on the server, because
 * several clients share a server connection.
 */
async function passesNamesThrough(client: pg.Client): Promise<boolean> {
  const name = `probe_${randomUUID()}`;
  await client.query('begin');
  await client.query({ name, text: 'select 1' });
  const { rowCount } = await client.query('select 1 from pg_prepared_statements where name = $1', [name]);
  await client.query('commit');
  return rowCount !== 0;
}

/** Whether another client gets the server connection of this client between its transactions. */
async function sharesServerConnections(connection: DatabaseConfig, client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const own = await backendOf(client);
    if (await withClient(connection, async (other) => (await backendOf(other)) === own)) return true;
  }
  return false;
}
