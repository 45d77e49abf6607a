import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, serverVersionOf } from './binaries.server.ts';
import { ensureCluster } from './cluster.server.ts';
import type { DataFolder } from './data-folder.server.ts';
import { ensurePostmaster, type RunningPostmaster, stopPostmaster } from './postmaster.server.ts';
import { DATABASE_NAME, openSession, type Role, type Session, urlOf } from './session.server.ts';
import { StartupError } from './startup-error.server.ts';

/** The use of a server by one process. */
export interface Membership {
  readonly session: Session;
  readonly connectionString: string;
  readonly adopted: boolean;
}

/**
 * Starts the server or finds the running one, and opens a session. A program replaces a running
 * server of another version, unless another process uses it. Retries if the server stops first.
 * Throws `StartupError`: at once if the server cannot run or another program holds the folder,
 * otherwise after 20 s. Throws another error if `stopping` is aborted.
 */
export async function join(folder: DataFolder, binaries: Binaries, role: Role, stopping?: AbortSignal): Promise<Membership> {
  const deadline = performance.now() + JOIN_TIMEOUT_MS;
  let mayReplace = role === 'program';
  for (;;) {
    stopping?.throwIfAborted();
    await ensureCluster(folder, binaries, stopping);
    const server = await ensurePostmaster(folder, binaries, stopping);
    try {
      const member = await openMembership(folder, role, server);
      if (!server.adopted || !mayReplace || !(await isOutdated(member.session, binaries))) return member;
      // The server has another version. Leaving stops it, unless a command still uses it; the next
      // iteration then starts the installed version.
      mayReplace = false;
      await leave(folder, member.session);
    } catch (error) {
      if (error instanceof StartupError) throw error;
      if (performance.now() > deadline) {
        throw new StartupError(`PostgreSQL in ${folder.path} does not respond: ${(error as Error).message}.`);
      }
      await sleep(PAUSE_MS);
    }
  }
}

/** Opens a session and writes the server's URL to the data folder, for other tools. */
async function openMembership(folder: DataFolder, role: Role, { socketFolder, adopted }: RunningPostmaster): Promise<Membership> {
  const session = await openSession(socketFolder, role, folder);
  try {
    const connectionString = urlOf(socketFolder, DATABASE_NAME);
    await publishUrl(folder, connectionString);
    return { session, connectionString, adopted };
  } catch (error) {
    await leave(folder, session);
    throw error;
  }
}

async function isOutdated(session: Session, binaries: Binaries): Promise<boolean> {
  return session.serverVersion !== (await serverVersionOf(binaries));
}

/** Closes the session. Stops the server if no other process uses it. */
export async function leave(folder: DataFolder, session: Session): Promise<void> {
  const isLast = await session.claimExclusive().catch(() => false);
  if (isLast) {
    await rm(folder.urlFile, { force: true });
    await stopPostmaster(folder);
  }
  await session.close().catch(() => undefined);
}

const JOIN_TIMEOUT_MS = 20_000;
const PAUSE_MS = 50;

/**
 * Writes the URL of the server to `folder.urlFile`, under a temporary name first: no reader sees a
 * partial URL.
 */
async function publishUrl(folder: DataFolder, connectionString: string): Promise<void> {
  const temporary = `${folder.urlFile}.${randomUUID()}`;
  await writeFile(temporary, `${connectionString}\n`);
  await rename(temporary, folder.urlFile);
}
