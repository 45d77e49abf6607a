import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY_FOLDER = '/dev/shm';
/** More than the databases and the write-ahead log of a test run. */
const NEEDED_BYTES = 2 * 2 ** 30;

/**
 * The folder of PostgreSQL's data folders: in memory, if there is enough. Each test file creates
 * and deletes the 600 files of a database. For each new file ext4 looks at every file that was
 * deleted in the last minute, which took half of PostgreSQL's processor time.
 */
export const temporaryRoot = hasEnoughMemory() ? MEMORY_FOLDER : tmpdir();

function hasEnoughMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return Math.min(bavail * bsize, process.availableMemory()) > NEEDED_BYTES;
}
