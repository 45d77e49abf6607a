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
 * statements would fail or, worse, be those of another process. Also throws if the settings of the
 * role or the database would change results in transaction mode.
 */
export async function detectPooler(connection: DatabaseConfig, setting = 'DATABASE_URL'): Promise<PoolerMode> {
  return withClient({ connection, setting }, async (client) => {
    // A pooler makes up the key that the server would send.
    const { processID } = client as pg.Client & { readonly processID?: number };
    if ((await backendOf(client)) === processID) return 'none';
    const keepsNames = await passesNamesThrough(client);
    if (!(await sharesServerConnections({ connection, setting }, client))) return 'session';
    await refuseForeignDefaults(client);
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

/** Runs `work` on a new connection. Throws `UnusableDatabase` if the server cannot be used. */
async function withClient<Result>({ connection, setting }: Server, work: (client: HostClient) => Promise<Result>): Promise<Result> {
  const client = new HostClient({
    ...connection,
    application_name: `dhulai pid ${process.pid} start`,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  try {
    await connectOrExplain(client, setting);
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the process id of the server's end of the connection. */
async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/**
 * The settings of SESSION_SETTINGS in database.server.ts that PgBouncer does not carry to another
 * server connection. It does so with the others.
 */
const UNTRACKED_SETTINGS = { bytea_output: 'hex', default_transaction_isolation: 'read committed' } as const;

/** Throws `UnusableDatabase` if a server connection begins with another value. */
async function refuseForeignDefaults(client: HostClient) {
  const { rows } = await client.query<{ name: string; reset_val: string }>(
    'select name, reset_val from pg_settings where name = any($1) order by name',
    [Object.keys(UNTRACKED_SETTINGS)],
  );
  for (const { name, reset_val: value } of rows) {
    const required = UNTRACKED_SETTINGS[name as keyof typeof UNTRACKED_SETTINGS];
    if (value === required) continue;
    throw new UnusableDatabase(
      `The pooler at ${client.host}:${client.port} is in transaction mode, and its connections begin with ${name} = '${value}': alter the role to set ${name} = '${required}', or use pool_mode = session.`,
    );
  }
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
