/** Serves Next.js's static hello with Next.js. Builds it on first use. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { freePort, statusOf } from '../../test/support/program-process.ts';
import { folder, node } from './packages.ts';

const hello = path.join(folder, 'hello');
const next = path.join(folder, 'node_modules/next/dist/bin/next');
const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' } as const;

export async function startHello() {
  if (!existsSync(path.join(hello, '.next/BUILD_ID'))) await node([next, 'build', hello], env);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [next, 'start', hello, '-p', String(port), '-H', '127.0.0.1'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while ((await statusOf(url)) !== 200) if (child.exitCode !== null) throw new Error("Next.js's hello did not start");
  const stop = async () => {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  };
  return { url, stop };
}
