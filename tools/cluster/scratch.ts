/** The folder of a rehearsal and its child processes. Both are gone when the rehearsal ends. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** PostgreSQL and PgBouncer refuse to run as root. */
interface User {
  uid: number;
  gid: number;
}

/** A process that a rehearsal can signal and wait for. */
export interface Running {
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<unknown>;
}

interface StartOptions {
  asRoot?: boolean;
  stopSignal?: NodeJS.Signals;
}

const STOP_TIMEOUT_MS = 10_000;

export class Scratch {
  readonly folder: string;
  /** Undefined if this process does not run as root: the servers then run as its user. */
  readonly #user: User | undefined;
  readonly #running = new Set<{ process: Running; stopSignal: NodeJS.Signals }>();
  #ending: Promise<void> | undefined;

  constructor(user: User | undefined) {
    this.#user = user;
    this.folder = mkdtempSync(path.join(tmpdir(), 'dhulai-cluster-'));
    chmodSync(this.folder, 0o755);
  }

  /** Creates a folder that the servers can write. */
  serverFolder(name: string): string {
    const folder = path.join(this.folder, name);
    mkdirSync(folder, { mode: 0o700 });
    if (this.#user) chownSync(folder, this.#user.uid, this.#user.gid);
    return folder;
  }

  /** Runs a command of a server to its end. Throws with its output if it fails. */
  async run(command: string, args: string[]): Promise<void> {
    await promisify(execFile)(command, args, { ...this.#user, cwd: this.folder });
  }

  /** Starts a server that ends with the rehearsal. Its output is in the file `<name>.log`. */
  start(name: string, command: string, args: string[], { asRoot = false, stopSignal = 'SIGTERM' }: StartOptions = {}): ChildProcess {
    const log = openSync(path.join(this.folder, `${name}.log`), 'a');
    const child = spawn(command, args, { ...(asRoot ? {} : this.#user), cwd: this.folder, stdio: ['ignore', log, log] });
    closeSync(log);
    const ended = once(child, 'exit');
    ended.catch(() => {});
    this.endLater({ signal: (signal) => void child.kill(signal), ended }, stopSignal);
    return child;
  }

  /** The output of a server. */
  logOf = (name: string): string => readFileSync(path.join(this.folder, `${name}.log`), 'utf8');

  /** Ends a process with the rehearsal, unless it has ended before. */
  endLater(process: Running, stopSignal: NodeJS.Signals) {
    const entry = { process, stopSignal };
    this.#running.add(entry);
    const forget = () => void this.#running.delete(entry);
    process.ended.then(forget, forget);
    // A signal came between two steps.
    if (this.#ending) process.signal('SIGKILL');
  }

  /** Ends the processes, the last one first, and deletes the folder. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end() {
    for (const { process, stopSignal } of [...this.#running].toReversed()) {
      process.signal(stopSignal);
      const hasEnded = await Promise.race([process.ended.then(() => true), sleep(STOP_TIMEOUT_MS, false, { ref: false })]).catch(
        () => true,
      );
      if (!hasEnded) process.signal('SIGKILL');
      await process.ended.catch(() => {});
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
