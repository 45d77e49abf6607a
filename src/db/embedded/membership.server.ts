import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, serverVersionOf } from './binaries.server.ts';
import { ensureCluster } from './cluster.server.ts';
import type { DataFolder } from './data-folder.server.ts';
import { ensurePostmaster, type RunningPostmaster, stopPostmaster } from './postmaster.server.ts';
import { databaseName, openSession, type Role, type Session, urlOf } from './session.server.ts';
import { StartRefused } from './start-refused.server.ts';

/** One process's use of the server of a folder. */
export interface Membership {
  readonly session: Session;
  readonly connectionString: string;
  readonly adopted: boolean;
}

/** Starts the server or finds it running, and enters it. Starts over when it goes away in between. */
export async function join(folder: DataFolder, binaries: Binaries, role: Role): Promise<Membership> {
  const deadline = performance.now() + joinWithinMs;
  let mayReplace = role === 'program';
  for (;;) {
    await ensureCluster(folder, binaries);
    const server = await ensurePostmaster(folder, binaries);
    try {
      const member = await enter(folder, role, server);
      if (!server.adopted || !mayReplace || !(await isOutdated(member.session, binaries))) return member;
      // Of another version: leaving stops it, unless a command still uses it. The next round starts ours.
      mayReplace = false;
      await leave(folder, member.session);
    } catch (error) {
      if (error instanceof StartRefused) throw error;
      if (performance.now() > deadline) {
        throw new StartRefused(`PostgreSQL on ${folder.path} does not answer: ${(error as Error).message}.`);
      }
      await sleep(pauseMs);
    }
  }
}

async function enter(folder: DataFolder, role: Role, { socketFolder, adopted }: RunningPostmaster): Promise<Membership> {
  const session = await openSession(socketFolder, role, folder);
  try {
    const connectionString = urlOf(socketFolder, databaseName);
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

/** Whoever leaves last stops the server. */
export async function leave(folder: DataFolder, session: Session): Promise<void> {
  const alone = await session.claimAlone().catch(() => false);
  if (alone) {
    await rm(folder.urlFile, { force: true });
    await stopPostmaster(folder);
  }
  await session.close().catch(() => undefined);
}

const joinWithinMs = 20_000;
const pauseMs = 50;

/** Renamed into place, so that nobody reads half a URL. */
async function publishUrl(folder: DataFolder, connectionString: string): Promise<void> {
  const unfinished = `${folder.urlFile}.${randomUUID()}`;
  await writeFile(unfinished, `${connectionString}\n`);
  await rename(unfinished, folder.urlFile);
}
