import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { withEmbeddedPostgres } from '../../src/db/embedded.server.ts';

export const cloneDir = resolve(import.meta.dirname, '../..');
export const isRoot = process.getuid?.() === 0;

/** Generous, because two cores may be shared by many test files; nothing here waits for it to pass. */
export const patience = 30_000;

/** A folder every uid may enter, as a default data folder would be; gone with everything in it afterwards. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dhulai-test-'));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A data folder with a cluster as initdb leaves it. Copied, because initdb takes seconds on a busy machine. */
export async function initialisedFolder(): Promise<string> {
  template ??= makeTemplate();
  const folder = join(await temporaryFolder(), 'data');
  await promisify(execFile)('cp', ['-a', await template, folder]);
  return folder;
}

let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dhulai-test-'));
  await chmod(folder, 0o755);
  await withEmbeddedPostgres({ cloneDir, dataDir: folder, log: () => undefined }, async () => undefined);
  return folder;
}

afterAll(async () => {
  if (template !== undefined) await rm(await template, { recursive: true, force: true });
});

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export class Running {
  readonly pid: number;
  output = '';
  readonly ended: Promise<Ended>;
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
      // Its whole group: npm's children hold the same output open.
      if (isAlive(this.pid)) process.kill(-this.pid, 'SIGKILL');
      await this.ended;
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** What the program wrote after `mark`, once that line is complete. Fails with its whole output when it ends before. */
  async says(mark: string): Promise<string> {
    const line = new RegExp(`${mark}(.*)\n`);
    const ended = this.ended.then(() => true);
    for (;;) {
      const found = line.exec(this.output)?.[1];
      if (found !== undefined) return found;
      const over = await Promise.race([ended, sleep(20, false)]);
      if (over && !line.test(this.output)) throw new Error(`ended without "${mark}": ${this.output}`);
    }
  }
}

export interface Ready {
  readonly connectionString: string;
  readonly dataDir: string;
  readonly adopted: boolean;
}

/** The fixture program on that data folder. Its PostgreSQL is ended with the test, whatever happens. */
export function startProgram(dataDir: string, { clone = cloneDir, uid = '' } = {}): Running {
  onTestFinished(async () => {
    const pid = postmasterPid(dataDir);
    if (pid === undefined) return;
    process.kill(pid, 'SIGQUIT');
    await gone(pid);
  });
  const args = [join(import.meta.dirname, 'embedded-program.ts'), clone, dataDir, uid].filter(Boolean);
  return new Running(process.execPath, args);
}

export async function ready(program: Running): Promise<Ready> {
  return JSON.parse(await program.says('READY ')) as Ready;
}

/** The living server of a data folder; nothing when its file is missing or names a dead process. */
export function postmasterPid(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    return isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** A process that ended but was not fetched by its parent yet (a zombie) is not alive. */
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

export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(20);
}

export async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ value: unknown }>(sql);
    return rows[0]?.value;
  } finally {
    await client.end();
  }
}
