/** The shape of a tool of the audit, and of what it attacks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface AuditTarget {
  /** The origin, without a trailing slash. */
  readonly url: string;
  /** The `cookie` header of a signed-in customer. */
  readonly cookie: string;
  readonly pages: readonly Page[];
  /** One response of each kind. */
  readonly responses: readonly Request[];
  /** Requests whose parameters sqlmap changes. */
  readonly injectable: readonly Request[];
  /** The path of a large file, for clients that read slowly. */
  readonly largeFile: string;
}

export interface Page {
  /** The pattern of the route: the same in every run. */
  readonly title: string;
  readonly path: string;
}

export interface Request {
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Finding {
  /** The same in every run: accepted-findings.ts lists texts. */
  readonly text: string;
  /** A page, a call or a parameter. */
  readonly place: string;
}

export interface ToolRun {
  /** For example '12 pages, 340 requests'. */
  readonly extent: string;
  readonly findings: readonly Finding[];
}

/** `demo` is a demonstration on this machine, `live` the program as it is deployed. */
export type Mode = 'demo' | 'live';

export interface AuditTool {
  readonly name: string;
  /** The command, which is also its Debian package. The other tools come from npm. */
  readonly command?: string;
  readonly modes: readonly Mode[];
  /** Attacks or reads the target. Ends in bounded time; throws if the tool did not do its work. */
  run(target: AuditTarget): Promise<ToolRun>;
}

interface ProcessOptions {
  /** The process is killed after this time, and the promise is rejected. */
  seconds: number;
  env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program and returns its output. Any exit code is a result: tools report findings with it.
 */
export async function runProcess(command: string, args: readonly string[], { seconds, env }: ProcessOptions): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  const collect = (chunk: Buffer) => void (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, seconds * 1000);
  try {
    await once(child, 'close');
  } finally {
    clearTimeout(timer);
  }
  if (isLate) throw new Error(`${command} did not end within ${seconds} s`);
  return output;
}

/**
 * Runs the work of each item, `width` at a time, and returns the results in the order of the items.
 * Throws the first error once no work is running.
 */
export async function inParallel<Item, Result>(items: readonly Item[], width: number, work: (item: Item) => Promise<Result>) {
  const results = new Map<Item, Result>();
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) results.set(item, await work(item));
  };
  const workers = await Promise.allSettled(Array.from({ length: width }, worker));
  for (const result of workers) if (result.status === 'rejected') throw result.reason;
  return items.map((item) => results.get(item) as Result);
}
