import { execFile } from 'node:child_process';
import { readFile, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { PORT } from './socket-folder.server.ts';

/** The contents of postmaster.pid for a running server. */
export interface PostmasterStatus {
  readonly pid: number;
  readonly socketFolder: string;
  readonly ready: boolean;
}

/**
 * Returns the server that runs on this data directory, or undefined if its postmaster.pid is
 * missing, unreadable or stale.
 */
export async function findPostmaster(cluster: string): Promise<PostmasterStatus | undefined> {
  const lines = await readLines(join(cluster, 'postmaster.pid'));
  const pid = Number(lines[0]);
  if (!isPid(pid) || !(await isPostmasterOf(pid, cluster))) return undefined;
  return { pid, socketFolder: lines[4] ?? cluster, ready: lines[7]?.trim() === 'ready' };
}

/**
 * Removes lock files with which PostgreSQL would refuse to start although no server runs: another
 * process of the same user has the pid, or a crash left the file empty. PostgreSQL removes others.
 */
export async function removeStaleLockFiles(cluster: string, socketFolder: string): Promise<void> {
  await removeIfStale(join(cluster, 'postmaster.pid'), cluster);
  await removeIfStale(join(socketFolder, `.s.PGSQL.${PORT}.lock`), cluster);
}

/**
 * Returns true if the process is a `postgres` with this data directory. A reused pid returns false.
 */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  const args = await commandLine(pid);
  return basename(args[0] ?? '') === 'postgres' && args.includes(cluster);
}

/** A server that starts may leave its lock file empty for this long. */
const EMPTY_FILE_GRACE_MS = 2_000;

/** Removes a lock file whose process is not the server of this cluster. */
async function removeIfStale(path: string, cluster: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === undefined) return;
  const pid = Number(before.split('\n')[0]);
  const stale = isPid(pid) && before !== '' ? !(await isPostmasterOf(pid, cluster)) : await isOld(path);
  // Another program may have started a server since: do not delete a file that has changed.
  const unchanged = (await readFile(path, 'utf8').catch(() => undefined)) === before;
  if (stale && unchanged) await unlink(path).catch(() => undefined);
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return performance.timeOrigin + performance.now() - mtimeMs > EMPTY_FILE_GRACE_MS;
}

/** Returns one empty line if the file cannot be read. */
async function readLines(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8').catch(() => '')).split('\n');
}

function isPid(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/**
 * Returns the program and its arguments, but on macOS only the program and its data directory.
 * Returns only empty strings if the process does not exist.
 */
async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  const [command = '', folder = ''] = stdout.trim().split(' -D ');
  return [command, folder.split(' -c ')[0] ?? ''];
}
