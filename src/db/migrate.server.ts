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

/**
 * Returns the SHA-256 of the statements, so that a comment can be rewritten after its file was
 * applied. Excludes blank lines and lines that start with `--`, also in a function body. Every
 * other line counts in full: a comment behind a statement, a block comment and a `--` in a literal.
 * A literal of several lines must not contain a line that starts with `--`.
 */
export const statementChecksum = (sql: string): string => sha256(sql.split(/\r?\n/).filter((line) => !/^\s*(?:--|$)/.test(line)));

const sha256 = (lines: string[]) => createHash('sha256').update(lines.join('\n')).digest('hex');

/**
 * The checksum of the full text of 0001 to 0007, which earlier versions recorded, and the checksum
 * of the statements in that text.
 */
export const FULL_TEXT_CHECKSUMS: ReadonlyMap<string, string> = new Map([
  ['ff8c972ed1ec8ebeb3c0cbfb70aee0d0e22ed3280eed906fdc8e7d12562b5179', '78db892cf53447b8b663db2deb0c4a0ab4a7e5aaf4fb2265b6847003d2619a91'],
  ['dc31ea6ca838f9ae0c9dc32efb9b78de8389bc065fd8a22f7e15f974d9ee2d0d', '1f43e7f2d21dc9d78b18ca348fcd03adf8d3bd1a846958f56b93b98634bfd96a'],
  ['23c8434de6a517bb1dcd099750450ca68ec6f1ee73fa7b73f2aa924e17e90b81', 'f5af0fe3fcff0cae76cebbc211d76dba62d91c7477819473fa37e19be409ec40'],
  ['6664aca067fcae58970d7de7f49fce5ab4f1e50fca08ebe1bec77c272c037246', '687e2755a91b931d475c5d3469b57f1cfe39af7d901f714f7e43daeb97531ab5'],
  ['25e2daaa0e7873c7e033adaf9c93588e2ae74877aaebf31fb1bf0e3adbffe7c1', '087157400d7cd543295da383e65341104570dbb3c397df011fe9ca1256b20994'],
  ['4d010dbd5f4611a50cf2d7472cbb482922d1909602a1530394a11e81ebddccd5', '35da1eedad4db2880ef00f7ced4f8838a7bd9b5924a30efb47cf085ff3b11ef5'],
  ['115c75860b6a3e865b7508ff9671fc4c7539390632f39e48d5d22521b6919327', 'd94f4538a77407b1f9799ba637b78c16002f0b4096d34231bb7c3af6608b294d'],
]);

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
 * file is unknown or its statements were changed since, and `UnusableDatabase` if the server cannot
 * be used. Rejects if `stopping` is aborted; a file that is being applied is then rolled back.
 */
export async function migrate(connection: pg.ClientConfig, steps: Migration[] = migrations, stopping?: AbortSignal): Promise<string[]> {
  const client = new pg.Client({
    ...connection,
    application_name: `dhulai pid ${process.pid} migrations`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // Closes the connection, also while a statement waits for a lock. The statement then rejects.
  const end = () => void client.end().catch(() => {});
  stopping?.addEventListener('abort', end);
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
    stopping?.removeEventListener('abort', end);
    await client.end().catch(() => {});
  }
}

function connectionProblem({ host, port, database, user }: pg.Client, { code, message }: NodeJS.ErrnoException): string {
  const server = `PostgreSQL at ${host}:${port}`;
  if (code?.startsWith('28')) return `${server} rejects the user ${user} (${message}). Check the user and password in DATABASE_URL.`;
  if (code === '3D000') return `${server} has no database ${database}. Create it, or name another database in DATABASE_URL.`;
  return `${server} does not respond (${code ?? message}). Is it running, and is DATABASE_URL correct?`;
}

/** Throws `UnusableDatabase` if the server is too old. */
async function checkServerVersion(client: pg.Client) {
  const { rows } = await client.query<{ number: number; name: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
  );
  for (const { number, name } of rows)
    if (isTooOld(number)) throw new UnusableDatabase(`PostgreSQL ${name} is too old: version 15 or newer is required.`);
}

export const isTooOld = (serverVersionNumber: number): boolean => serverVersionNumber < OLDEST_VERSION;

/** Applies a file in a transaction. Throws an `Error` that names the file if a statement fails. */
async function apply(client: pg.Client, { name, sql }: Migration) {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, statementChecksum(sql)]);
    await client.query('commit');
  } catch (error) {
    // The rollback fails on a lost connection. The original error is the useful one.
    await client.query('rollback').catch(() => {});
    throw new Error(`Migration ${name} failed`, { cause: error });
  }
}

/** Throws `IncompatibleDatabase` if the record of an applied file does not match the files. */
function checkApplied(applied: Map<string, string>, steps: Migration[]) {
  const known = new Map(steps.map((step) => [step.name, statementChecksum(step.sql)]));
  for (const [name, recorded] of applied) {
    if (!known.has(name))
      throw new IncompatibleDatabase(`The database has the unknown migration ${name}: a newer version of the program migrated it`);
    if (known.get(name) !== (FULL_TEXT_CHECKSUMS.get(recorded) ?? recorded))
      throw new IncompatibleDatabase(`Migration ${name} was changed after it was applied`);
  }
}
