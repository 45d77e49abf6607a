import { type ChildProcess, execFile, fork } from 'node:child_process';
import { join } from 'node:path';
import { COMPILE_CACHE } from '../support/program-process.ts';

export interface Command {
  env: NodeJS.ProcessEnv;
  /** The name of a file in tools/. */
  script: string;
  args: string[];
}

export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

/** The environment of every command. */
const ENVIRONMENT = { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE };

/** Runs a command of tools/ with these settings only. */
export const runWith = (env: Record<string, string>, [script = '', ...args]: string[]) =>
  new Promise<CommandResult>((resolve) => {
    const child = execFile(process.execPath, [`tools/${script}.ts`, ...args], { env: { ...ENVIRONMENT, ...env } }, (_error, out, err) =>
      resolve({ code: child.exitCode, out: out.trim(), err: err.trim() }),
    );
  });

const idle: ChildProcess[] = [];

/**
 * Like `runWith`, but in a process that runs many commands: the start of a process takes most of
 * the processor time of a command. Concurrent commands have processes of their own. They end with
 * the process of the tests, which may run several test files.
 */
export function runShared(env: Record<string, string>, [script = '', ...args]: string[]): Promise<CommandResult> {
  const child = idle.pop() ?? startProcess();
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`The process of ${script} ${args.join(' ')} ended.`));
    child.once('exit', fail);
    child.once('message', (result) => {
      child.off('exit', fail);
      idle.push(child);
      resolve(result as CommandResult);
    });
    child.send({ env: { ...ENVIRONMENT, ...env }, script, args } satisfies Command, (error) => error && reject(error));
  });
}

function startProcess(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'tool-process.ts'), { execArgv: [], env: ENVIRONMENT });
  child.unref();
  child.channel?.unref();
  return child;
}
