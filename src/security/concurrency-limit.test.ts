import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { concurrencyLimit, QueueFull, concurrencyLimitByKey } from './concurrency-limit.server.ts';

/** Work that counts how many calls run at the same time. */
function counted() {
  const seen = { now: 0, most: 0, done: 0 };
  const work = async () => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await sleep(1);
    seen.now -= 1;
    seen.done += 1;
  };
  return { seen, work };
}

test('runs two calls, queues three and rejects the rest', async () => {
  const { seen, work } = counted();
  const runLimited = concurrencyLimit({ concurrent: 2, queued: 3 });
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => runLimited(work)));
  expect(seen).toEqual({ now: 0, most: 2, done: 5 });
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(15);
  expect(refused.every(({ reason }) => reason instanceof QueueFull)).toBe(true);
});

test('a call that fails frees its slot', async () => {
  const runLimited = concurrencyLimit({ concurrent: 1, queued: 5 });
  const failing = Array.from({ length: 3 }, () => runLimited(() => Promise.reject(new Error('broken'))));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await runLimited(async () => 'fine')).toBe('fine');
});

test('calls with different keys do not wait for each other', async () => {
  const { seen, work } = counted();
  const runLimitedByKey = concurrencyLimitByKey({ concurrent: 1, queued: 10 });
  await Promise.all(['a', 'b', 'c', 'a', 'b', 'c'].map((key) => runLimitedByKey(key, work)));
  expect(seen).toEqual({ now: 0, most: 3, done: 6 });
});
