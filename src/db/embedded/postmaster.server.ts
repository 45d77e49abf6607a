import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.server.ts';
import type { DataFolder } from './data-folder.server.ts';
import { findPostmaster, isPostmasterOf, type PostmasterStatus, removeStaleLockFiles } from './postmaster-file.server.ts';
import { SERVER_ENVIRONMENT, spawnAs } from './server-account.server.ts';
import { PORT, socketFolderFor } from './socket-folder.server.ts';
import { StartupError } from './startup-error.server.ts';

export interface RunningPostmaster extends PostmasterStatus {
  /**
   * True if the server was already running: left by a killed program, or used by another process.
   */
  readonly adopted: boolean;
}

/**
 * Finds the server that runs on the folder, or starts one. Resolves when it accepts connections.
 * Throws `StartupError` if the server does not start within a minute, and at once if the binary
 * cannot run or the server ends with a permanent fault. If `stopping` is aborted, stops the server
 * that it started and throws.
 */
export async function ensurePostmaster(folder: DataFolder, binaries: Binaries, stopping?: AbortSignal): Promise<RunningPostmaster> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  let starting: Attempt | undefined;
  for (;;) {
    const found = await findPostmaster(folder.cluster);
    // Wait until an attempt that lost the race has ended. It could otherwise start when the winner
    // stops.
    const settled = starting === undefined || starting.ended || starting.child.pid === found?.pid;
    if (found?.ready && settled) return { ...found, adopted: found.pid !== starting?.child.pid };
    if (found === undefined && settled) {
      if (starting !== undefined) await throwUnlessTemporary(starting, folder);
      if (performance.now() < deadline) starting = await startServer(folder, binaries);
    }
    if (performance.now() > deadline) {
      throw new StartupError(`PostgreSQL did not become ready in ${START_TIMEOUT_MS / 1000} s. Its log is ${folder.serverLog}.`);
    }
    if (stopping?.aborted) {
      if (starting?.child.pid !== undefined) await stopServer(starting.child.pid, folder);
      stopping.throwIfAborted();
    }
    await sleep(POLL_MS);
  }
}

/**
 * Stops the server of the folder. Returns after eight seconds even if it still runs. Does nothing
 * if none runs.
 */
export async function stopPostmaster(folder: DataFolder): Promise<void> {
  const found = await findPostmaster(folder.cluster);
  if (found !== undefined) await stopServer(found.pid, folder);
}

/**
 * Stops the server with a fast shutdown (SIGINT): PostgreSQL ends all sessions and keeps committed
 * data. If that takes too long, with an immediate one (SIGQUIT): the next start then recovers.
 * Returns after eight seconds also if the server still runs.
 */
async function stopServer(pid: number, folder: DataFolder): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    signalIfAlive(pid, signal);
    const deadline = performance.now() + STOP_TIMEOUT_MS[signal];
    while (performance.now() < deadline) {
      if (!(await isPostmasterOf(pid, folder.cluster))) return;
      await sleep(POLL_MS);
    }
  }
}

/** Recovery after a crash reads up to a gigabyte of write-ahead log. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = { SIGINT: 6_000, SIGQUIT: 2_000 };
const POLL_MS = 10;
const LOG_LIMIT_BYTES = 1_000_000;

interface Attempt {
  readonly child: ChildProcess;
  readonly logStart: number;
  ended: boolean;
}

/**
 * Starts the process without waiting until it accepts connections. Rotates a long log. Throws
 * `StartupError` if the binary cannot run.
 */
async function startServer(folder: DataFolder, binaries: Binaries): Promise<Attempt> {
  const socketFolder = await socketFolderFor(folder);
  await removeStaleLockFiles(folder.cluster, socketFolder);
  const size = await stat(folder.serverLog).then(
    (file) => file.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(folder.serverLog, `${folder.serverLog}.1`);
  const log = await open(folder.serverLog, 'a', 0o640);
  // pg_ctl would pass the options to a shell. `detached` keeps Ctrl-C from reaching the server.
  const child = spawn(binaries.postgres, ['-D', folder.cluster, ...settings(socketFolder)], {
    ...spawnAs(folder.account),
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const attempt = { child, logStart: size > LOG_LIMIT_BYTES ? 0 : size, ended: false };
  child.once('exit', () => (attempt.ended = true));
  child.unref();
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new StartupError(
      `PostgreSQL cannot run on this system: ${(error as Error).message}. Set DATABASE_URL to another PostgreSQL server.`,
    );
  } finally {
    await log.close();
  }
  return attempt;
}

/**
 * Returns the size of `shared_buffers`: a quarter of the machine's or the container's memory, as
 * PostgreSQL's manual recommends, from its default to what a laundry of many years needs.
 */
function sharedBuffersMegabytes(): number {
  const quarter = Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 4 / 1024 ** 2);
  return Math.min(Math.max(quarter, 128), 1024);
}

/** Returns the settings of the server, as arguments of its command. */
function settings(socketFolder: string): string[] {
  return [
    'listen_addresses=',
    `port=${PORT}`,
    `unix_socket_directories=${socketFolder}`,
    'unix_socket_permissions=0700',
    'fsync=on',
    `shared_buffers=${sharedBuffersMegabytes()}MB`,
    // Crash recovery syncs the file system once instead of each file, which saves seconds. Linux
    // only.
    ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
    'timezone=UTC',
    // The program logs failed statements without personal data. The server log would quote their
    // values.
    'log_min_messages=log',
    'log_error_verbosity=terse',
    'log_checkpoints=off',
  ].flatMap((setting) => ['-c', setting]);
}

/**
 * Temporary start failures: the backends of a killed server have not ended yet, or another program
 * started the server first.
 */
const TEMPORARY_FAILURES = /pre-existing shared memory block|lock file .* (?:already exists|is empty)/;

/** Throws `StartupError` with the reason in the log, unless another attempt can succeed. */
async function throwUnlessTemporary({ child, logStart }: Attempt, folder: DataFolder): Promise<void> {
  const written = (await readFile(folder.serverLog)).subarray(logStart).toString();
  const lines = written.trim().split('\n');
  const own = lines.find((line) => line.includes(`[${child.pid}]`) && line.includes('FATAL:'));
  const reason = (own ?? lines.at(-1) ?? '').replace(/^.*FATAL:\s*/, '');
  if (TEMPORARY_FAILURES.test(reason)) return;
  throw new StartupError(`PostgreSQL did not start: ${reason || 'no reason in its log'}. Its log is ${folder.serverLog}.`);
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
