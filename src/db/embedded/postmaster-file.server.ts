import { execFile } from 'node:child_process';
import { readFile, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { port } from './socket-folder.server.ts';

/** What postmaster.pid says about a server that lives. */
export interface LivingPostmaster {
  readonly pid: number;
  readonly socketFolder: string;
  readonly ready: boolean;
}

/** The server that runs on this cluster, whoever started it; nothing when the file is stale or missing. */
export async function findPostmaster(cluster: string): Promise<LivingPostmaster | undefined> {
  const lines = await readLines(join(cluster, 'postmaster.pid'));
  const pid = Number(lines[0]);
  if (!isPid(pid) || !(await isPostmasterOf(pid, cluster))) return undefined;
  return { pid, socketFolder: lines[4] ?? cluster, ready: lines[7]?.trim() === 'ready' };
}

/**
 * PostgreSQL clears a lock file whose process is gone, but refuses for ever when the number meanwhile
 * belongs to another process of the same user, or when a crash left the file empty.
 */
export async function removeStaleLockFiles(cluster: string, socketFolder: string): Promise<void> {
  await removeIfStale(join(cluster, 'postmaster.pid'), cluster);
  await removeIfStale(join(socketFolder, `.s.PGSQL.${port}.lock`), cluster);
}

export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  const words = await commandLine(pid);
  return basename(words[0] ?? '') === 'postgres' && words.includes(cluster);
}

/** How long a lock file may be empty while its server is about to write it. */
const graceForEmptyMs = 2_000;

async function removeIfStale(path: string, cluster: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === undefined) return;
  const pid = Number(before.split('\n')[0]);
  const stale = isPid(pid) && before !== '' ? !(await isPostmasterOf(pid, cluster)) : await isOld(path);
  // Another program may have started a server since: never take away a file that changed under our eyes.
  const unchanged = (await readFile(path, 'utf8').catch(() => undefined)) === before;
  if (stale && unchanged) await unlink(path).catch(() => undefined);
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return performance.timeOrigin + performance.now() - mtimeMs > graceForEmptyMs;
}

async function readLines(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8').catch(() => '')).split('\n');
}

function isPid(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  const [command = '', folder = ''] = stdout.trim().split(' -D ');
  return [command, folder.split(' -c ')[0] ?? ''];
}
