import { chown, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.server.ts';
import type { DataFolder } from './data-folder.server.ts';
import { initdbAccount, isRoot, ownAccount, runAs } from './server-account.server.ts';
import { StartRefused } from './start-refused.server.ts';

export const superuser = 'dhulai';

/** Makes PostgreSQL's folder if there is none. A half-made one is never seen: it gets its name when finished. */
export async function ensureCluster(folder: DataFolder, binaries: Binaries): Promise<void> {
  const madeBy = await readFile(join(folder.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (madeBy !== undefined) return checkMajor(folder, madeBy.trim(), binaries);
  await removeAbandoned(folder);
  const unfinished = await mkdtemp(join(folder.path, unfinishedPrefix));
  try {
    await initialise(unfinished, folder, binaries);
    await rename(unfinished, folder.cluster);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another program starting at the same moment was first; its cluster serves as well.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const unfinishedPrefix = 'postgres.new-';
const abandonedAfterMs = 10 * 60_000;

function checkMajor(folder: DataFolder, madeBy: string, binaries: Binaries): void {
  const installed = String(Number.parseInt(binaries.packageVersion, 10));
  if (madeBy === installed) return;
  throw new StartRefused(
    `The database in ${folder.cluster} was made by PostgreSQL ${madeBy}, and PostgreSQL ${installed} is installed. Dump it with ${madeBy} and restore it into a new DATA_DIR.`,
  );
}

async function initialise(unfinished: string, folder: DataFolder, binaries: Binaries): Promise<void> {
  const maker = initdbAccount(folder.account);
  if (isRoot()) await chown(unfinished, maker.uid, maker.gid);
  // Trust is safe here: there is no TCP port, and the socket lies in a folder only its owner can enter.
  const options = [
    `--pgdata=${unfinished}`,
    `--username=${superuser}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
  await runAs(maker, binaries.initdb, options).catch((error: Error & { stderr?: string }) => {
    throw new StartRefused(`PostgreSQL's data folder could not be made: ${reasonOf(error.stderr || error.message)}`);
  });
  const { uid, gid } = folder.account;
  if (isRoot()) await runAs(ownAccount(), 'chown', ['-R', `${uid}:${gid}`, unfinished]);
}

function reasonOf(output: string): string {
  if (output.includes('could not look up effective user ID')) {
    return `uid ${ownAccount().uid} has no name on this system. Add it to /etc/passwd, or set DATABASE_URL to a PostgreSQL of yours.`;
  }
  const line = output.split('\n').find((text) => text.includes('error:') || text.includes('FATAL:'));
  return line?.replace(/^.*(?:error|FATAL):\s*/, '') ?? (output.trim().split('\n').at(-1) || 'initdb gave no reason');
}

/** A kill during initdb leaves an unfinished folder behind; a young one may belong to a program at work. */
async function removeAbandoned(folder: DataFolder): Promise<void> {
  for (const name of await readdir(folder.path)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const path = join(folder.path, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => performance.timeOrigin + performance.now() - mtimeMs,
      () => 0,
    );
    if (age > abandonedAfterMs) await rm(path, { recursive: true, force: true });
  }
}
