import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, chown, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sharedFolder } from './binaries.server.ts';
import { canEnter, isRoot, ownAccount, privateUid, type ServerAccount } from './server-account.server.ts';
import { StartRefused } from './start-refused.server.ts';

export interface DataFolder {
  readonly path: string;
  /** PostgreSQL's own folder (its PGDATA). */
  readonly cluster: string;
  /** Holds the URL of the running server, for commands and further processes. */
  readonly urlFile: string;
  readonly serverLog: string;
  readonly account: ServerAccount;
}

/** Makes and proves the folder: whoever PostgreSQL will run as can really reach it. */
export async function openDataFolder(cloneDir: string, dataDir: string | undefined): Promise<DataFolder> {
  const wanted = dataDir === undefined ? await defaultFolder(cloneDir) : resolve(cloneDir, dataDir);
  const path = await makeFolder(wanted);
  const cluster = join(path, 'postgres');
  const account = await accountFor(cluster);
  if (isRoot()) await letEnter(account, path);
  return {
    path,
    cluster,
    urlFile: join(path, 'url'),
    serverLog: join(path, 'postgres.log'),
    account,
  };
}

/** Root's data must not lie below a home that PostgreSQL's uid cannot enter, so it gets a place per clone. */
async function defaultFolder(cloneDir: string): Promise<string> {
  if (!isRoot()) return join(cloneDir, '.data');
  const name = createHash('sha256')
    .update(await realpath(cloneDir))
    .digest('hex')
    .slice(0, 16);
  return join(sharedFolder, name);
}

async function makeFolder(wanted: string): Promise<string> {
  try {
    const firstMade = await mkdir(wanted, { recursive: true });
    if (isRoot() && firstMade !== undefined) await undoUmask(wanted, firstMade);
    await access(wanted, constants.W_OK | constants.X_OK);
    return await realpath(wanted);
  } catch (error) {
    throw new StartRefused(`The data folder ${wanted} cannot be used: ${(error as Error).message}. Choose another DATA_DIR.`);
  }
}

async function undoUmask(wanted: string, firstMade: string): Promise<void> {
  for (let folder = wanted; folder.length >= firstMade.length; folder = dirname(folder)) await chmod(folder, 0o755);
}

/** A folder first used by an ordinary user stays theirs, also when root starts the program once. */
async function accountFor(cluster: string): Promise<ServerAccount> {
  const owner = await stat(cluster).catch(() => undefined);
  if (!isRoot()) {
    if (owner === undefined || owner.uid === ownAccount().uid) return ownAccount();
    throw new StartRefused(
      `The database in ${cluster} belongs to uid ${owner.uid}, and this is uid ${ownAccount().uid}. Start as its owner, or choose another DATA_DIR.`,
    );
  }
  const foreign = owner !== undefined && owner.uid !== 0;
  return foreign ? { uid: owner.uid, gid: owner.gid } : { uid: privateUid, gid: privateUid };
}

async function letEnter(account: ServerAccount, path: string): Promise<void> {
  if (await canEnter(account, path)) return;
  if (await canEnter(account, dirname(path))) {
    // Only the given folder itself is closed, as `mktemp -d` leaves it: admit PostgreSQL's private group.
    const { uid, mode } = await stat(path);
    await chown(path, uid, account.gid);
    await chmod(path, (mode & 0o7777) | 0o010);
    if (await canEnter(account, path)) return;
  }
  throw new StartRefused(
    `The data folder ${path} cannot be used: run as root, PostgreSQL runs as uid ${account.uid}, which may not enter ${await firstClosed(account, path)}. Choose another DATA_DIR, or open that folder (chmod o+x).`,
  );
}

async function firstClosed(account: ServerAccount, path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await canEnter(account, parent)) ? path : await firstClosed(account, parent);
}
