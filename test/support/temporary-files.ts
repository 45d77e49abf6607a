/**
 * Puts the temporary files of a test run into memory: databases that exist for one test file, and
 * profiles of browsers. Imported by the configurations of Vitest and Playwright.
 */
import { statfsSync } from 'node:fs';
import process from 'node:process';

/** The file system in memory of Linux. Containers often limit it to 64 MB. */
const MEMORY = '/dev/shm';
/** A whole run needs less than a tenth. */
const NEEDED_BYTES = 8 * 1024 ** 3;

/** Sets TMPDIR for this process and those that it starts, unless it is set or memory is short. */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR === undefined && freeBytes(MEMORY) >= NEEDED_BYTES) process.env.TMPDIR = MEMORY;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
