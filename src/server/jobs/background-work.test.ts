import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBackgroundWork } from './background-work.server.ts';

test('reports a failure with its name, and resolves', async () => {
  const failed: string[] = [];
  const background = createBackgroundWork((error, name) => failed.push(`${name}: ${(error as Error).message}`));
  await background.run('checking', () => Promise.reject(new Error('no')));
  expect(failed).toEqual(['checking: no']);
});

test('stop aborts the work, waits for its end, and reports no failure', async () => {
  const order: string[] = [];
  const background = createBackgroundWork((_error, name) => order.push(`${name} failed`));
  const work = async (stopping: AbortSignal) => {
    await sleep(60_000, undefined, { signal: stopping }).catch(() => {});
    await Promise.resolve();
    order.push('ended');
    throw new Error('aborted');
  };
  const run = background.run('checking', work);
  await background.stop();
  order.push('stopped');
  await run;
  expect(order).toEqual(['ended', 'stopped']);
});
