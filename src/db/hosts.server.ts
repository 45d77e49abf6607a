/**
 * DATABASE_URL with several hosts, as libpq reads it. The package pg connects to one host; here a
 * connection goes to the first of the hosts that accepts writes.
 */
import { callbackify } from 'node:util';
import pg from 'pg';

/** Settings of a connection. All hosts have the same user, password and database. */
export interface DatabaseConfig extends pg.ClientConfig {
  /** One URL for each of several hosts. Undefined for a single host. */
  hostUrls?: readonly string[];
  /** Whether a server that accepts no writes is good enough. */
  acceptsReadOnly?: boolean;
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?(.*))?$/;
const TARGETS = ['any', 'read-write', 'primary'] as const;
export type Target = (typeof TARGETS)[number];

/**
 * Returns the settings of a URL. `defaultTarget` is for a URL without `target_session_attrs`.
 * Throws an `Error` with the reason if the URL is invalid.
 */
export function parseDatabaseUrl(url: string, defaultTarget: Target = 'read-write'): DatabaseConfig {
  const [, scheme = '', authority = '', path = '', query = ''] = PARTS.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const target = parameters.get('target_session_attrs');
  parameters.delete('target_session_attrs');
  const suffix = path + (parameters.size > 0 ? `?${parameters}` : '');
  const urls = authority.split(',').map((host) => `${scheme}${host}${suffix}`);
  if (scheme === '' || !urls.every((one) => URL.canParse(one)))
    throw new Error('must be postgres://user:password@host:port/database, with several hosts separated by commas');
  const known = TARGETS.find((name) => name === target);
  if (target !== null && known === undefined) throw new Error(`target_session_attrs must be ${TARGETS.join(', ')}`);
  const [connectionString = ''] = urls;
  // With one host, the program has no choice: it serves 503 while that host is read-only.
  return urls.length === 1
    ? { connectionString }
    : { connectionString, hostUrls: urls, acceptsReadOnly: (known ?? defaultTarget) === 'any' };
}

/**
 * A client that connects to one of several hosts. `connect` without a callback also rejects when
 * `end` is called first; with `pg.Client` it would never settle.
 */
export class HostClient extends pg.Client {
  readonly #config: DatabaseConfig;

  constructor(config: DatabaseConfig = {}) {
    super(config);
    this.#config = config;
    // Without a listener, a lost connection would end the process. The failed statement throws.
    this.on('error', () => {});
  }

  override connect = ((callback?: (error: Error | null, client: pg.Client) => void) => {
    const { hostUrls } = this.#config;
    if (!hostUrls) return callback ? super.connect(callback as (error: Error | null) => void) : this.#connectUnlessEnded();
    return callback ? callbackify(() => this.#connectToHost(hostUrls))(callback) : this.#connectToHost(hostUrls);
  }) as pg.Client['connect'];

  async #connectToHost(urls: readonly string[]): Promise<pg.Client> {
    const { host, port } = await findHost(urls, this.#config);
    this.host = host;
    this.port = port;
    return this.#connectUnlessEnded();
  }

  #connectUnlessEnded(): Promise<pg.Client> {
    const ended = new Promise<never>((_, reject) => {
      this.once('end', () => reject(new Error('The connection was closed before it was made')));
    });
    return Promise.race([super.connect(), ended]);
  }
}

/** A SQLSTATE of connections: the database is unavailable, not the program faulty. */
export const NO_HOST = '08001';

const PROBE_TIMEOUT_MS = 2000;

/**
 * Resolves to the first host that responds and, unless `acceptsReadOnly`, accepts writes. Throws an
 * error with the code `NO_HOST` if there is none.
 */
async function findHost(urls: readonly string[], config: DatabaseConfig): Promise<{ host: string; port: number }> {
  try {
    return await Promise.any(urls.map((url) => probe(url, config)));
  } catch (error) {
    const [first] = (error as AggregateError).errors as Error[];
    throw Object.assign(
      new Error(`No host of DATABASE_URL accepts ${config.acceptsReadOnly ? 'connections' : 'writes'}`, { cause: first }),
      { code: NO_HOST },
    );
  }
}

/** Returns the host and port of the URL. Throws if it does not respond, or may not be used. */
async function probe(url: string, { acceptsReadOnly, ...config }: DatabaseConfig): Promise<{ host: string; port: number }> {
  const client = new pg.Client({
    ...config,
    connectionString: url,
    application_name: `dhulai pid ${process.pid} probe`,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  // As in `HostClient`.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ mode: string }>("select current_setting('transaction_read_only') as mode");
    if (rows[0]?.mode !== 'off' && !acceptsReadOnly) throw new Error(`${client.host}:${client.port} is read-only`);
    return { host: client.host, port: client.port };
  } finally {
    await client.end().catch(() => {});
  }
}
