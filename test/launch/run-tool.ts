import { execFile } from 'node:child_process';
import { COMPILE_CACHE } from '../support/program-process.ts';

export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a command of tools/ with these settings only. */
export const runWith = (env: Record<string, string>, [script = '', ...args]: string[]) =>
  new Promise<CommandResult>((resolve) => {
    const child = execFile(
      process.execPath,
      [`tools/${script}.ts`, ...args],
      { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env } },
      (_error, out, err) => resolve({ code: child.exitCode, out: out.trim(), err: err.trim() }),
    );
  });
