/** Whether a connection pooler such as PgBouncer is between this process and PostgreSQL. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { HostClient, type DatabaseConfig } from './hosts.server.ts';
import { connectOrExplain, UnusableDatabase } from './unusable-database.server.ts';

/** In transaction mode, each transaction of a connection may use another server connection. */
export type PoolerMode = 'none' | 'session' | 'transaction';

const TIMEOUT_MS = 5000;
/** Another process may get the server connection that the probe waits for. */
const ATTEMPTS = 5;

/**
 * Connects to the server of the setting. Throws `UnusableDatabase` if it cannot be used, or if a
 * pooler in transaction mode does not support prepared statements, as PgBouncer before 1.21:
 * statements would fail or, worse, be those of another process.
 */
export async function detectPooler(connection: DatabaseConfig, setting = 'DATABASE_URL'): Promise<PoolerMode> {
  return withClient({ connection, setting }, async (client) => {
    // A pooler makes up the key that the server would send.
    const { processID } = client as pg.Client & { readonly processID?: number };
    if ((await backendOf(client)) === processID) return 'none';
    const keepsNames = await passesNamesThrough(client);
    if (!(await sharesServerConnections({ connection, setting }, client))) return 'session';
    if (keepsNames) {
      throw new UnusableDatabase(
        `The pooler at ${client.host}:${client.port} has no prepared statements in transaction mode: PgBouncer 1.21 or newer with max_prepared_statements is required, or pool_mode = session. Commands can use DATABASE_DIRECT_URL instead.`,
      );
    }
    return 'transaction';
  });
}

interface Server {
  connection: DatabaseConfig;
  /** The setting that names it. */
  setting: string;
}

async function withClient<Result>({ connection, setting }: Server, work: (client: HostClient) => Promise<Result>): Promise<Result> {
  const client = new HostClient({
    ...connection,
    application_name: `dhulai pid ${process.pid} start`,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // Without a listener, a lost connection would end the process. The failed statement throws.
  client.on('error', () => {});
  try {
    await connectOrExplain(client, setting);
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
 * Returns true if a prepared statement has the name of the client on the server. A pooler with
 * support for them gives names of its own, because several clients share a server connection.
 */
async function passesNamesThrough(client: pg.Client): Promise<boolean> {
  const name = `probe_${randomUUID()}`;
  await client.query('begin');
  await client.query({ name, text: 'select 1' });
  const { rowCount } = await client.query('select 1 from pg_prepared_statements where name = $1', [name]);
  await client.query('commit');
  return rowCount !== 0;
}

/**
 * Returns whether another client gets the server connection of this client between its
 * transactions.
 */
async function sharesServerConnections(server: Server, client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const own = await backendOf(client);
    if (await withClient(server, async (other) => (await backendOf(other)) === own)) return true;
  }
  return false;
}
