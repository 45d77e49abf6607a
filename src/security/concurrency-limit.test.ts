import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { concurrencyLimit, QueueFull, concurrencyLimitByKey } from './concurrency-limit.server.ts';

/** Work that records how many of its calls ran at the same time. */
function recordConcurrency() {
  const calls = { running: 0, maxRunning: 0, done: 0 };
  const work = async () => {
    calls.running += 1;
    calls.maxRunning = Math.max(calls.maxRunning, calls.running);
    await sleep(1);
    calls.running -= 1;
    calls.done += 1;
  };
  return { calls, work };
}

test('runs two calls, queues three and rejects the rest', async () => {
  const { calls, work } = recordConcurrency();
  const runLimited = concurrencyLimit({ concurrent: 2, queued: 3 });
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => runLimited(work)));
  expect(calls).toEqual({ running: 0, maxRunning: 2, done: 5 });
  const rejected = results.filter((result) => result.status === 'rejected');
  expect(rejected).toHaveLength(15);
  expect(rejected.every(({ reason }) => reason instanceof QueueFull && !reason.isOfOneKey)).toBe(true);
});

test('frees the slot of a failed call', async () => {
  const runLimited = concurrencyLimit({ concurrent: 1, queued: 5 });
  const failing = Array.from({ length: 3 }, () => runLimited(() => Promise.reject(new Error('broken'))));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await runLimited(async () => 'fine')).toBe('fine');
});

test('runs calls with different keys concurrently', async () => {
  const { calls, work } = recordConcurrency();
  const runLimitedByKey = concurrencyLimitByKey({ concurrent: 1, queued: 10 });
  await Promise.all(['a', 'b', 'c', 'a', 'b', 'c'].map((key) => runLimitedByKey(key, work)));
  expect(calls).toEqual({ running: 0, maxRunning: 3, done: 6 });
});

test('distinguishes a full queue of one key', async () => {
  const { work } = recordConcurrency();
  const runLimitedByKey = concurrencyLimitByKey({ concurrent: 1, queued: 0 });
  const results = await Promise.allSettled(['a', 'a', 'b'].map((key) => runLimitedByKey(key, work)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { name: 'QueueFull', isOfOneKey: true } });
});
