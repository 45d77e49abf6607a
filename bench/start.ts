/**
 * Time from `npm start` to the first home document, with a built program and an initialised
 * database. Target: a median of 1.5 s.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, statusOf } from '../test/support/program-process.ts';
import { median } from './median.ts';

const TARGET_SECONDS = 1.5;
const ROUNDS = 7;

export const run = async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'bench-start-'));
  try {
    const first = await startOnce(dataDir);
    console.log(`first start, which initialises the database: ${first.toFixed(2)} s`);
    const seconds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      seconds.push(await startOnce(dataDir));
      console.log(`start ${round + 1}: ${seconds.at(-1)?.toFixed(2)} s`);
    }
    const result = median(seconds);
    console.log(`npm start to the first response: ${result.toFixed(2)} s (median of ${ROUNDS}; target: ${TARGET_SECONDS} s)`);
    if (result > TARGET_SECONDS) process.exitCode = 1;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  while ((await statusOf(`http://127.0.0.1:${port}/`)) !== 200) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
    await sleep(5);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  child.kill('SIGTERM');
  await ended;
  return seconds;
}
