import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, chown, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { SHARED_FOLDER } from './binaries.server.ts';
import { canEnter, isRoot, ownAccount, PRIVATE_UID, type ServerAccount } from './server-account.server.ts';
import { StartupError } from './startup-error.server.ts';

export interface DataFolder {
  readonly path: string;
  /** The data directory of PostgreSQL (PGDATA). */
  readonly cluster: string;
  /** Contains the URL of the running server, for commands and other processes. */
  readonly urlFile: string;
  readonly serverLog: string;
  readonly account: ServerAccount;
}

/**
 * Creates the folder and lets the account of PostgreSQL enter it. Throws `StartupError` if this
 * process or that account cannot use the folder.
 */
export async function prepareDataFolder(cloneDir: string, dataDir: string | undefined): Promise<DataFolder> {
  const path = await createFolder(await wantedFolder(cloneDir, dataDir));
  const cluster = clusterIn(path);
  const account = await accountFor(cluster);
  if (isRoot()) await grantAccess(account, path);
  return {
    path,
    cluster,
    urlFile: join(path, 'url'),
    serverLog: join(path, 'postgres.log'),
    account,
  };
}

const clusterIn = (path: string): string => join(path, 'postgres');

const wantedFolder = async (cloneDir: string, dataDir: string | undefined): Promise<string> =>
  dataDir === undefined ? defaultFolder(cloneDir) : resolve(cloneDir, dataDir);

/**
 * Throws `StartupError` if the folder has no database. A database that this process cannot read
 * exists: `prepareDataFolder` gives the reason.
 */
export async function requireCluster(cloneDir: string, dataDir: string | undefined): Promise<void> {
  const wanted = await wantedFolder(cloneDir, dataDir);
  const { code } = await access(join(clusterIn(wanted), 'PG_VERSION')).then(
    () => ({ code: undefined }),
    (error: NodeJS.ErrnoException) => error,
  );
  if (code === 'ENOENT')
    throw new StartupError(
      `There is no database in ${wanted}: set DATABASE_URL, or set DATA_DIR to the folder of the database. Nothing was done.`,
    );
}

/**
 * Returns a folder in the clone, for root one outside it: the uid of PostgreSQL may not be able to
 * enter the clone.
 */
async function defaultFolder(cloneDir: string): Promise<string> {
  if (!isRoot()) return join(cloneDir, '.data');
  const name = createHash('sha256')
    .update(await realpath(cloneDir))
    .digest('hex')
    .slice(0, 16);
  return join(SHARED_FOLDER, name);
}

/**
 * Returns the real path of the folder, which is created if necessary. Throws `StartupError` if this
 * process cannot write to it.
 */
async function createFolder(wanted: string): Promise<string> {
  try {
    const firstCreated = await mkdir(wanted, { recursive: true });
    if (isRoot() && firstCreated !== undefined) await setModes(wanted, firstCreated);
    await access(wanted, constants.W_OK | constants.X_OK);
    return await realpath(wanted);
  } catch (error) {
    throw new StartupError(`The data folder ${wanted} cannot be used: ${(error as Error).message}. Choose another DATA_DIR.`);
  }
}

/** Lets every account enter the folders that were created, from `firstCreated` to `wanted`. */
async function setModes(wanted: string, firstCreated: string): Promise<void> {
  for (let folder = wanted; folder.length >= firstCreated.length; folder = dirname(folder)) await chmod(folder, 0o755);
}

/**
 * Returns the account that runs the server: the owner of an existing cluster, also when root starts
 * the program later. Throws `StartupError` if this process is not root and has another uid than the
 * owner.
 */
async function accountFor(cluster: string): Promise<ServerAccount> {
  const owner = await stat(cluster).catch(() => undefined);
  if (!isRoot()) {
    if (owner === undefined || owner.uid === ownAccount().uid) return ownAccount();
    throw new StartupError(
      `The database in ${cluster} belongs to uid ${owner.uid}, but this process has uid ${ownAccount().uid}. Start as its owner, or choose another DATA_DIR.`,
    );
  }
  const ownedByUser = owner !== undefined && owner.uid !== 0;
  return ownedByUser ? { uid: owner.uid, gid: owner.gid } : { uid: PRIVATE_UID, gid: PRIVATE_UID };
}

/**
 * Makes the folder accessible to the account of PostgreSQL. Throws `StartupError` if a folder above
 * denies access.
 */
async function grantAccess(account: ServerAccount, path: string): Promise<void> {
  if (await canEnter(account, path)) return;
  if (await canEnter(account, dirname(path))) {
    // Only this folder denies access, as after `mktemp -d`: grant it to the private group of
    // PostgreSQL.
    const { uid, mode } = await stat(path);
    await chown(path, uid, account.gid);
    await chmod(path, (mode & 0o7777) | 0o010);
    if (await canEnter(account, path)) return;
  }
  throw new StartupError(
    `The data folder ${path} cannot be used: started by root, PostgreSQL runs as uid ${account.uid}, which cannot enter ${await firstInaccessible(account, path)}. Choose another DATA_DIR, or open that folder (chmod o+x).`,
  );
}

async function firstInaccessible(account: ServerAccount, path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await canEnter(account, parent)) ? path : await firstInaccessible(account, parent);
}
