import pg from 'pg';
import { NO_HOST, type HostClient } from './hosts.server.ts';
import { READ_ONLY_CODE } from './unavailable.server.ts';

/**
 * The operator must correct the database or its URL. The message is one line without the password.
 */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}

/**
 * Connects to the server of the setting. Throws `UnusableDatabase` with the likely cause in one
 * line.
 */
export async function connectOrExplain(client: HostClient, setting = 'DATABASE_URL'): Promise<void> {
  await client.connect().catch((error: unknown) => {
    const explained = explainDatabaseError(error);
    if (explained !== error) throw explained;
    throw new UnusableDatabase(connectionProblem(client, error as NodeJS.ErrnoException, setting), { cause: error });
  });
}

/** The problems that an operator can correct, by the beginning of the SQLSTATE. */
const CORRECTABLE: readonly (readonly [state: string, problem: string])[] = [
  [READ_ONLY_CODE, 'The database is read-only'],
  ['53100', 'The disk of the database is full'],
  ['53', 'The database has no resources left'],
  ['42501', 'The user of the database lacks a permission'],
  ['57P0', 'The database is stopping or starting'],
];

/** The owner of a database may create tables in its schema `public`. */
const MAKE_OWNER = 'To make it the owner, as a superuser of PostgreSQL: alter database … owner to …';

/**
 * Returns an `UnusableDatabase` with a message in one line if the error, or a cause of it, is one
 * that the operator must correct. Returns any other error unchanged.
 */
export function explainDatabaseError(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UnusableDatabase) return error;
    if (!(cause instanceof pg.DatabaseError)) continue;
    const { code, message } = cause;
    const problem = CORRECTABLE.find(([state]) => code?.startsWith(state))?.[1];
    if (problem === undefined) continue;
    const what = cause === error ? message : (error as Error).message;
    const remedy = message === 'permission denied for schema public' ? `. ${MAKE_OWNER}` : '';
    return new UnusableDatabase(`${problem}. ${what}${remedy}`, { cause: error });
  }
  return error;
}

/** Returns the likely cause of a failed connection, in one line without the password. */
function connectionProblem({ host, port, database, user }: pg.Client, error: NodeJS.ErrnoException, setting: string): string {
  const { code, message } = error;
  if (code === NO_HOST) return `${message}. Are the servers running, and is ${setting} correct?`;
  const server = `PostgreSQL at ${host}:${port}`;
  if (code?.startsWith('28')) return `${server} rejects the user ${user} (${message}). Check the user and password in ${setting}.`;
  if (code === '3D000') return `${server} has no database ${database}. Create it, or name another database in ${setting}.`;
  // PgBouncer reports an unknown database and errors of its settings with one code, 08P01.
  if (error instanceof pg.DatabaseError)
    return `${server} refuses the connection: ${message}. Check ${setting} and the log of that server.`;
  return `${server} does not respond (${code ?? message}). Is it running, and is ${setting} correct?`;
}
