import { createHash } from 'node:crypto';
import { chown, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.server.ts';
import { isRoot, ownAccount } from './server-account.server.ts';
import { StartRefused } from './start-refused.server.ts';

/** Only names the file; there is no TCP port. */
export const port = 5432;

/** macOS allows 103 bytes for the path of a socket, Linux 107; the rest is `/.s.PGSQL.5432`. */
const longestFolder = 103 - `/.s.PGSQL.${port}`.length;

/** `unix_socket_directories` reads quotes and commas as a list, and a URL has characters of its own. */
const plainPath = /^[\w./-]+$/;

/** The data folder itself where its path can serve, else a short closed folder named by its hash. */
export async function socketFolderFor(folder: DataFolder): Promise<string> {
  if (isUsable(folder.cluster)) return folder.cluster;
  const temporary = [tmpdir(), '/tmp'].find((path) => isUsable(join(path, 'x'.repeat(hashedName(folder).length))));
  const short = join(temporary ?? '/tmp', hashedName(folder));
  await makeClosed(short, folder);
  return short;
}

function isUsable(path: string): boolean {
  return plainPath.test(path) && Buffer.byteLength(path) <= longestFolder;
}

function hashedName({ cluster, account }: DataFolder): string {
  return `dhulai-${createHash('sha256').update(`${account.uid} ${cluster}`).digest('hex').slice(0, 16)}`;
}

async function makeClosed(short: string, { account }: DataFolder): Promise<void> {
  await mkdir(short, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw new StartRefused(`PostgreSQL's socket cannot be placed: ${error.message}`);
  });
  // Anybody may have put something under this name in a folder everybody writes to.
  const found = await lstat(short);
  const ours = found.uid === account.uid || found.uid === ownAccount().uid;
  if (!found.isDirectory() || !ours || (found.mode & 0o077) !== 0) {
    throw new StartRefused(
      `${short}, the folder for PostgreSQL's socket, exists and is not a closed folder of uid ${account.uid}. Remove it, or choose a DATA_DIR with a short plain path.`,
    );
  }
  if (isRoot()) await chown(short, account.uid, account.gid);
}
