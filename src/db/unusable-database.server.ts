import type pg from 'pg';
import { NO_HOST, type HostClient } from './hosts.server.ts';

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
    throw new UnusableDatabase(connectionProblem(client, error as NodeJS.ErrnoException, setting), { cause: error });
  });
}

function connectionProblem({ host, port, database, user }: pg.Client, { code, message }: NodeJS.ErrnoException, setting: string): string {
  if (code === NO_HOST) return `${message}. Are the servers running, and is ${setting} correct?`;
  const server = `PostgreSQL at ${host}:${port}`;
  if (code?.startsWith('28')) return `${server} rejects the user ${user} (${message}). Check the user and password in ${setting}.`;
  if (code === '3D000') return `${server} has no database ${database}. Create it, or name another database in ${setting}.`;
  return `${server} does not respond (${code ?? message}). Is it running, and is ${setting} correct?`;
}
