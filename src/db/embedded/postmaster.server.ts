import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.server.ts';
import type { DataFolder } from './data-folder.server.ts';
import { findPostmaster, isPostmasterOf, type LivingPostmaster, removeStaleLockFiles } from './postmaster-file.server.ts';
import { serverEnvironment, spawnAs } from './server-account.server.ts';
import { port, socketFolderFor } from './socket-folder.server.ts';
import { StartRefused } from './start-refused.server.ts';

export interface RunningPostmaster extends LivingPostmaster {
  /** It was running already: left over by a killed program, or in use by somebody else. */
  readonly adopted: boolean;
}

/** Finds the server that runs on the folder, or starts one. Returns when it takes connections. */
export async function ensurePostmaster(folder: DataFolder, binaries: Binaries): Promise<RunningPostmaster> {
  const deadline = performance.now() + startWithinMs;
  let starting: Attempt | undefined;
  for (;;) {
    const found = await findPostmaster(folder.cluster);
    // An attempt of ours that lost the race must be over: let loose, it might win when the winner stops.
    const settled = starting === undefined || starting.ended || starting.child.pid === found?.pid;
    if (found?.ready && settled) return { ...found, adopted: found.pid !== starting?.child.pid };
    if (found === undefined && settled) {
      if (starting !== undefined) await judgeFailure(starting, folder);
      if (performance.now() < deadline) starting = await launch(folder, binaries);
    }
    if (performance.now() > deadline) {
      throw new StartRefused(`PostgreSQL did not become ready in ${startWithinMs / 1000} s. Its log is ${folder.serverLog}.`);
    }
    await sleep(pollEveryMs);
  }
}

/** Fast shutdown: sessions are cut, what was committed stays. Where that hangs, recovery at the next start does the rest. */
export async function stopPostmaster(folder: DataFolder): Promise<void> {
  const found = await findPostmaster(folder.cluster);
  if (found === undefined) return;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    signalIfAlive(found.pid, signal);
    const deadline = performance.now() + stopWithinMs[signal];
    while (performance.now() < deadline) {
      if (!(await isPostmasterOf(found.pid, folder.cluster))) return;
      await sleep(pollEveryMs);
    }
  }
}

/** Recovery after a crash under load reads up to a gigabyte of log. */
const startWithinMs = 60_000;
const stopWithinMs = { SIGINT: 6_000, SIGQUIT: 2_000 };
const pollEveryMs = 10;
const logLimitBytes = 1_000_000;

interface Attempt {
  readonly child: ChildProcess;
  readonly logStart: number;
  ended: boolean;
}

async function launch(folder: DataFolder, binaries: Binaries): Promise<Attempt> {
  const socketFolder = await socketFolderFor(folder);
  await removeStaleLockFiles(folder.cluster, socketFolder);
  const size = await stat(folder.serverLog).then(
    (file) => file.size,
    () => 0,
  );
  if (size > logLimitBytes) await rename(folder.serverLog, `${folder.serverLog}.1`);
  const log = await open(folder.serverLog, 'a', 0o640);
  // Not through pg_ctl: it hands its options to a shell. A session of its own keeps Ctrl-C away from the server.
  const child = spawn(binaries.postgres, ['-D', folder.cluster, ...settings(socketFolder)], {
    ...spawnAs(folder.account),
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const attempt = { child, logStart: size > logLimitBytes ? 0 : size, ended: false };
  child.once('exit', () => (attempt.ended = true));
  child.unref();
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new StartRefused(`PostgreSQL cannot run here: ${(error as Error).message}. Set DATABASE_URL to a PostgreSQL of yours.`);
  } finally {
    await log.close();
  }
  return attempt;
}

function settings(socketFolder: string): string[] {
  return [
    'listen_addresses=',
    `port=${port}`,
    `unix_socket_directories=${socketFolder}`,
    'unix_socket_permissions=0700',
    'fsync=on',
    // After a crash: one call for the file system instead of one per file, seconds less on a busy disk. Linux alone has it.
    ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
    'timezone=UTC',
    // A failed statement is the program's to report, scrubbed; the server's own words would quote customers' data.
    'log_min_messages=log',
    'log_error_verbosity=terse',
    'log_checkpoints=off',
  ].flatMap((setting) => ['-c', setting]);
}

/** The two ways a start can fail that pass by themselves: a dead server's backends leave late; another program was first. */
const passingFailures = /pre-existing shared memory block|lock file .* (?:already exists|is empty)/;

async function judgeFailure({ child, logStart }: Attempt, folder: DataFolder): Promise<void> {
  const written = (await readFile(folder.serverLog)).subarray(logStart).toString();
  const lines = written.trim().split('\n');
  const own = lines.find((line) => line.includes(`[${child.pid}]`) && line.includes('FATAL:'));
  const reason = (own ?? lines.at(-1) ?? '').replace(/^.*FATAL:\s*/, '');
  if (passingFailures.test(reason)) return;
  throw new StartRefused(`PostgreSQL did not start: ${reason || 'it gave no reason'}. Its log is ${folder.serverLog}.`);
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It left in this very moment, which is what the signal was for.
  }
}
