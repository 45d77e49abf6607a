/** The built program in a separate process, which tests stop, kill and suspend. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;

/** `npm start` uses it, too. A command starts in two thirds of the processor time. */
export const COMPILE_CACHE = 'build/.compiled';

/** A program with a clock file has a different entry. */
const entryOf = ({ CLOCK_FILE }: Record<string, string>) => (CLOCK_FILE ? 'test/support/clocked-program.ts' : 'build/server/index.js');

export class ChildProgram {
  readonly url: string;
  output = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  /** Like `ended`, but before its output is read to the end. */
  readonly exited: Promise<number | null>;

  /** `folder` contains the build of the program. */
  constructor(port: number, env: Record<string, string>, folder = '.') {
    this.url = `http://127.0.0.1:${port}`;
    this.#child = spawn(process.execPath, ['--max-semi-space-size=4', '--heap-growing-percent=30', path.resolve(folder, entryOf(env))], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        PORT: String(port),
        HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
        BOT_CHECK: 'off',
        ORDERS_A_DAY: '100000',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const collect = (chunk: Buffer) => void (this.output += chunk.toString());
    this.#child.stdout?.on('data', collect);
    this.#child.stderr?.on('data', collect);
    this.exited = once(this.#child, 'exit').then(([code]) => code as number | null);
    this.#ended = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  get pid() {
    return this.#child.pid ?? -1;
  }

  signal(signal: NodeJS.Signals) {
    this.#child.kill(signal);
  }

  /** Resolves with the exit code, or null if a signal ended the process. */
  get ended() {
    return this.#ended;
  }

  /** Leaves what the program writes in its pipe. */
  stopReading() {
    this.#child.stdout?.pause();
  }

  async kill() {
    this.signal('SIGKILL');
    await this.#ended;
  }

  /**
   * Waits for the ready line. Throws with the output if the process ends or does not start in time.
   */
  async ready(): Promise<this> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    const ended = this.#ended.then(() => true);
    for (;;) {
      if (this.output.includes(' is ready: ')) return this;
      if ((await Promise.race([ended, sleep(25, false)])) || performance.now() > deadline)
        throw new Error(`The program did not start: ${this.output}`);
    }
  }
}

/** Returns the status of a GET request, or undefined if there is no response in time. */
export const statusOf = (url: string, timeoutMs = 10_000): Promise<number | undefined> =>
  fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => undefined,
  );

/**
 * Returns a free port below those that the system gives to connections: one of them could take the
 * port before the program listens.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  return (await isFree(port)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
