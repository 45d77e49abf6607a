import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { createCleanupJobs } from './cleanup-jobs.server.ts';

test('every sweep runs at the start, one that fails is told and does not keep the others from running', async () => {
  const clock = fakeClock();
  const done: string[] = [];
  const failed: string[] = [];
  const cleanupJobs = createCleanupJobs({
    clock,
    jobs: [
      { name: 'broken', run: () => Promise.reject(new Error('no')) },
      { name: 'sound', run: async (now) => done.push(now.toISOString()) },
    ],
    onFailure: (_error, name) => failed.push(name),
  });
  cleanupJobs.start();
  await cleanupJobs.stop();
  expect(done).toEqual([clock.now().toISOString()]);
  expect(failed).toEqual(['broken']);
});

test('stopping waits for the sweep that is under way', async () => {
  const order: string[] = [];
  const swept = Promise.withResolvers<void>();
  const run = () => swept.promise.then(() => order.push('swept'));
  const cleanupJobs = createCleanupJobs({ clock: fakeClock(), jobs: [{ name: 'slow', run }], onFailure: () => {} });
  cleanupJobs.start();
  const stopped = cleanupJobs.stop().then(() => order.push('stopped'));
  swept.resolve();
  await stopped;
  expect(order).toEqual(['swept', 'stopped']);
});
