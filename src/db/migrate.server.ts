/**
 * Applies numbered SQL files once and in order, each in one transaction with its record. Processes
 * that start together wait for each other on an advisory lock. A process that is killed leaves each
 * file applied or not at all. Decision 27 compares this with libraries.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';

const files = import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true });

/** The key of the advisory lock. It is arbitrary, but must be unique in the database. */
const MIGRATION_LOCK = 7_421_001;

export interface Migration {
  name: string;
  sql: string;
}

export const migrations: Migration[] = Object.entries(files)
  .map(([path, sql]) => ({ name: path.replace(/^.*\//, ''), sql }))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));

const checksum = (sql: string) => createHash('sha256').update(sql.replace(/\r\n/g, '\n')).digest('hex');

/** A different version of the program migrated the database. Using it could damage data. */
export class IncompatibleDatabase extends Error {
  override name = 'IncompatibleDatabase';
}

/**
 * The operator must correct the database or its URL. The message is one line without the password.
 */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}

const CONNECT_TIMEOUT_MS = 5000;
const OLDEST_VERSION = 150_000;

/**
 * Applies the missing files and returns their names. Throws `IncompatibleDatabase` if an applied
 * file is unknown or was changed since, and `UnusableDatabase` if the server cannot be used.
 */
export async function migrate(connection: pg.ClientConfig, steps: Migration[] = migrations): Promise<string[]> {
  const client = new pg.Client({
    ...connection,
    application_name: `dhulai pid ${process.pid} migrations`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // Without a listener, a broken connection would end the process. The failed statement throws.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw new UnusableDatabase(connectionProblem(client, error as NodeJS.ErrnoException), { cause: error });
  });
  try {
    await checkServerVersion(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations');
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    checkApplied(applied, steps);
    const missing = steps.filter((step) => !applied.has(step.name));
    for (const step of missing) await apply(client, step);
    return missing.map((step) => step.name);
  } finally {
    await client.end().catch(() => {});
  }
}

function connectionProblem({ host, port, database, user }: pg.Client, { code, message }: NodeJS.ErrnoException): string {
  const server = `PostgreSQL at ${host}:${port}`;
  if (code?.startsWith('28')) return `${server} rejects the user ${user} (${message}). Check the user and password in DATABASE_URL.`;
  if (code === '3D000') return `${server} has no database ${database}. Create it, or name another database in DATABASE_URL.`;
  return `${server} does not respond (${code ?? message}). Is it running, and is DATABASE_URL correct?`;
}

async function checkServerVersion(client: pg.Client) {
  const { rows } = await client.query<{ number: number; name: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
  );
  for (const { number, name } of rows)
    if (isTooOld(number)) throw new UnusableDatabase(`PostgreSQL ${name} is too old: version 15 or newer is required.`);
}

export const isTooOld = (serverVersionNumber: number): boolean => serverVersionNumber < OLDEST_VERSION;

async function apply(client: pg.Client, { name, sql }: Migration) {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum(sql)]);
    await client.query('commit');
  } catch (error) {
    // The rollback fails on a lost connection. The original error is the useful one.
    await client.query('rollback').catch(() => {});
    throw new Error(`Migration ${name} failed`, { cause: error });
  }
}

function checkApplied(applied: Map<string, string>, steps: Migration[]) {
  const known = new Map(steps.map((step) => [step.name, checksum(step.sql)]));
  for (const [name, sum] of applied) {
    if (!known.has(name))
      throw new IncompatibleDatabase(`The database has the unknown migration ${name}: a newer version of the program migrated it`);
    if (known.get(name) !== sum) throw new IncompatibleDatabase(`Migration ${name} was changed after it was applied`);
  }
}
