import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { withEmbeddedPostgres } from '../../src/db/embedded.server.ts';
import { temporaryRoot } from '../support/temporary-root.ts';

export const cloneDir = resolve(import.meta.dirname, '../..');
export const isRoot = process.getuid?.() === 0;

/** A user without permissions, for tests that run as root. */
export const UNPRIVILEGED_UID = 65_534;

/** Milliseconds. Long, because test files share the processor. No test waits for it to elapse. */
export const TIMEOUT_MS = 30_000;

/**
 * Creates a folder that every uid can enter, like a default data folder. The test deletes it at its
 * end.
 */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(temporaryRoot, 'dhulai-test-'));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Creates a data folder with an initialised cluster. It is a copy, because initdb takes seconds on
 * a busy machine.
 */
export async function initialisedFolder(): Promise<string> {
  template ??= createTemplate();
  const folder = join(await temporaryFolder(), 'data');
  await promisify(execFile)('cp', ['-a', await template, folder]);
  return folder;
}

let template: Promise<string> | undefined;

async function createTemplate(): Promise<string> {
  const folder = await mkdtemp(join(temporaryRoot, 'dhulai-test-'));
  await chmod(folder, 0o755);
  await withEmbeddedPostgres({ cloneDir, dataDir: folder, log: () => undefined }, async () => undefined);
  return folder;
}

afterAll(async () => {
  if (template !== undefined) await rm(await template, { recursive: true, force: true });
});

export interface ExitResult {
  readonly code: number | null;
  readonly output: string;
}

/** A child process in its own process group. The test kills the group at its end. */
export class RunningProcess {
  readonly pid: number;
  output = '';
  readonly ended: Promise<ExitResult>;
  readonly #child: ChildProcess;

  constructor(command: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
    this.#child = spawn(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.pid = this.#child.pid ?? -1;
    const collect = (chunk: Buffer): void => void (this.output += chunk.toString());
    this.#child.stdout?.on('data', collect);
    this.#child.stderr?.on('data', collect);
    this.ended = new Promise((settle) => {
      this.#child.once('close', (code) => settle({ code, output: this.output }));
    });
    onTestFinished(async () => {
      // The whole group: npm's children have the same output stream open.
      if (isAlive(this.pid)) process.kill(-this.pid, 'SIGKILL');
      await this.ended;
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /**
   * Waits for a complete line with `mark` and returns its text after the mark. Throws with the
   * whole output if the process ends without such a line.
   */
  async waitForLine(mark: string): Promise<string> {
    const line = new RegExp(`${mark}(.*)\n`);
    const ended = this.ended.then(() => true);
    for (;;) {
      const text = line.exec(this.output)?.[1];
      if (text !== undefined) return text;
      const hasEnded = await Promise.race([ended, sleep(20, false)]);
      if (hasEnded && !line.test(this.output)) throw new Error(`ended without "${mark}": ${this.output}`);
    }
  }
}

export interface Ready {
  readonly connectionString: string;
  readonly dataDir: string;
  readonly adopted: boolean;
}

/**
 * Starts embedded-program.ts on a data folder. The test stops its PostgreSQL at its end, also after
 * a failure.
 */
export function startProgram(dataDir: string, { clone = cloneDir, uid = '', printStart = false } = {}): RunningProcess {
  onTestFinished(async () => {
    const pid = postmasterPid(dataDir);
    if (pid === undefined) return;
    process.kill(pid, 'SIGQUIT');
    await waitForExit(pid);
  });
  const args = [join(import.meta.dirname, 'embedded-program.ts'), clone, dataDir, uid, printStart ? '--print-start' : ''].filter(Boolean);
  return new RunningProcess(process.execPath, args);
}

/** Waits for the READY line of the program and returns its data. */
export async function ready(program: RunningProcess): Promise<Ready> {
  return JSON.parse(await program.waitForLine('READY ')) as Ready;
}

/**
 * Returns the pid of the running server of a data folder. Returns undefined if the file is missing
 * or names a dead process.
 */
export function postmasterPid(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    return isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether the process runs. Returns false for a zombie. */
export function isAlive(pid: number): boolean {
  const state = process.platform === 'linux' ? stateInProc(pid) : spawnSync('ps', ['-o', 'stat=', '-p', String(pid)]).stdout.toString();
  return state !== '' && !state.startsWith('Z');
}

function stateInProc(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '');
  } catch {
    return '';
  }
}

/** Waits until the process has ended. */
export async function waitForExit(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(20);
}

/** Executes a query and returns the column `value` of its first row. */
export async function queryValue(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ value: unknown }>(sql);
    return rows[0]?.value;
  } finally {
    await client.end();
  }
}
