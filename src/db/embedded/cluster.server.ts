import { chown, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.server.ts';
import type { DataFolder } from './data-folder.server.ts';
import { initdbAccount, isRoot, ownAccount, runAs } from './server-account.server.ts';
import { StartupError } from './startup-error.server.ts';

export const SUPERUSER = 'dhulai';

/**
 * Creates the cluster if it does not exist. Initialises it under a temporary name and renames it,
 * so that no other process sees an incomplete cluster. Throws `StartupError` if initdb fails or
 * another major version of PostgreSQL created the cluster.
 */
export async function ensureCluster(folder: DataFolder, binaries: Binaries, stopping?: AbortSignal): Promise<void> {
  const clusterVersion = await readFile(join(folder.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (clusterVersion !== undefined) return checkMajorVersion(folder, clusterVersion.trim(), binaries);
  await deleteAbandonedFolders(folder);
  const temporary = await mkdtemp(join(folder.path, TEMPORARY_PREFIX));
  try {
    await initialise(temporary, folder, binaries, stopping);
    await rename(temporary, folder.cluster);
  } catch (error) {
    // Retries while a terminated initdb still writes.
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
    // Another program may have created the cluster at the same time; use that cluster.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const TEMPORARY_PREFIX = 'postgres.new-';
const ABANDONED_AFTER_MS = 10 * 60_000;

/** Throws `StartupError` if another major version of PostgreSQL created the cluster. */
function checkMajorVersion(folder: DataFolder, clusterVersion: string, binaries: Binaries): void {
  const installed = String(Number.parseInt(binaries.packageVersion, 10));
  if (clusterVersion === installed) return;
  throw new StartupError(
    `The database in ${folder.cluster} was created by PostgreSQL ${clusterVersion}, and PostgreSQL ${installed} is installed. Dump it with ${clusterVersion} and restore it into a new DATA_DIR.`,
  );
}

/**
 * Runs initdb in the temporary folder and gives the result to the account of the server. Throws
 * `StartupError` with the reason of initdb.
 */
async function initialise(temporary: string, folder: DataFolder, binaries: Binaries, stopping?: AbortSignal): Promise<void> {
  const account = initdbAccount(folder.account);
  if (isRoot()) await chown(temporary, account.uid, account.gid);
  // Trust authentication is safe: there is no TCP port, and only the owner can enter the folder of
  // the socket.
  const options = [
    `--pgdata=${temporary}`,
    `--username=${SUPERUSER}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
  await runAs(account, binaries.initdb, options, stopping).catch((error: Error & { stderr?: string }) => {
    throw new StartupError(`The PostgreSQL data folder could not be created: ${failureReason(error.stderr || error.message)}`);
  });
  const { uid, gid } = folder.account;
  if (isRoot()) await runAs(ownAccount(), 'chown', ['-R', `${uid}:${gid}`, temporary]);
}

/** Returns the reason in the output of initdb, in one line. */
function failureReason(output: string): string {
  if (output.includes('could not look up effective user ID')) {
    return `uid ${ownAccount().uid} has no name on this system. Add it to /etc/passwd, or set DATABASE_URL to another PostgreSQL server.`;
  }
  const line = output.split('\n').find((text) => text.includes('error:') || text.includes('FATAL:'));
  return line?.replace(/^.*(?:error|FATAL):\s*/, '') ?? (output.trim().split('\n').at(-1) || 'initdb gave no reason');
}

/**
 * Deletes old temporary folders that a killed initdb left behind. A recent one may belong to a
 * program that is still initialising it.
 */
async function deleteAbandonedFolders(folder: DataFolder): Promise<void> {
  for (const name of await readdir(folder.path)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    const path = join(folder.path, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => performance.timeOrigin + performance.now() - mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}
