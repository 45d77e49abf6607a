/**
 * Installs Lighthouse and Next.js from a separate package.json, because they are ten times the size
 * of the program's dependencies.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

export const folder = import.meta.dirname;

export async function installPackages() {
  if (existsSync(path.join(folder, 'node_modules/lighthouse/package.json'))) return;
  console.log('Installing Lighthouse and Next.js (needed once) …');
  await run('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {});
}

/** Runs a script with this version of Node and returns its output. */
export const node = (args: string[], env: Readonly<Record<string, string>>) => run(process.execPath, args, env);

async function run(program: string, args: string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const output = Buffer.concat((await child.stdout.toArray()) as Buffer[]).toString();
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${path.basename(program)} ${args.slice(0, 2).join(' ')} ended with ${code}:\n${output}`);
  return output;
}
