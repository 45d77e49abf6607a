import { createHash } from 'node:crypto';
import { chown, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.server.ts';
import { isRoot, ownAccount } from './server-account.server.ts';
import { StartupError } from './startup-error.server.ts';

/** Part of the name of the socket file; there is no TCP port. */
export const PORT = 5432;

/** A socket path has at most 103 bytes on macOS and 107 on Linux, including `/.s.PGSQL.5432`. */
const MAX_FOLDER_BYTES = 103 - `/.s.PGSQL.${PORT}`.length;

/** Excludes the separators of `unix_socket_directories` and the reserved characters of a URL. */
const PLAIN_PATH = /^[\w./-]+$/;

/**
 * Returns the cluster folder if its path is short and plain. Otherwise creates a private folder in
 * the temporary directory, named by a hash of the cluster path. Throws `StartupError` if it cannot
 * create that folder or another user owns it.
 */
export async function socketFolderFor(folder: DataFolder): Promise<string> {
  if (isUsable(folder.cluster)) return folder.cluster;
  const temporary = [tmpdir(), '/tmp'].find((path) => isUsable(join(path, 'x'.repeat(hashedName(folder).length))));
  const privateFolder = join(temporary ?? '/tmp', hashedName(folder));
  await createPrivateFolder(privateFolder, folder);
  return privateFolder;
}

function isUsable(path: string): boolean {
  return PLAIN_PATH.test(path) && Buffer.byteLength(path) <= MAX_FOLDER_BYTES;
}

function hashedName({ cluster, account }: DataFolder): string {
  return `dhulai-${createHash('sha256').update(`${account.uid} ${cluster}`).digest('hex').slice(0, 16)}`;
}

/**
 * Creates the folder, or accepts an existing one with the right owner and mode. Throws
 * `StartupError` for any other.
 */
async function createPrivateFolder(privateFolder: string, { account }: DataFolder): Promise<void> {
  await mkdir(privateFolder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw new StartupError(`The folder of the PostgreSQL socket cannot be created: ${error.message}`);
  });
  // Every user can write to the temporary directory and may have created this name.
  const found = await lstat(privateFolder);
  const isOwn = found.uid === account.uid || found.uid === ownAccount().uid;
  if (!found.isDirectory() || !isOwn || (found.mode & 0o077) !== 0) {
    throw new StartupError(
      `${privateFolder}, the folder of the PostgreSQL socket, exists but is not a private folder of uid ${account.uid}. Remove it, or choose a DATA_DIR with a short plain path.`,
    );
  }
  if (isRoot()) await chown(privateFolder, account.uid, account.gid);
}
