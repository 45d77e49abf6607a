import { expect, test } from 'vitest';
import { createCallerSlots } from './caller-slots.server.ts';
import { QueueFull } from './concurrency-limit.server.ts';

const settled = async (promise: Promise<void>) => {
  let isSettled = false;
  void promise.then(() => (isSettled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return isSettled;
};

test('a request waits for an earlier one of its caller, and of no other caller', async () => {
  const createSlot = createCallerSlots({ concurrent: 1, queued: 1 });
  const [first, second, other] = [createSlot(), createSlot(), createSlot()];
  await first.acquire('asha');
  // A request authenticates its caller more than once.
  await first.acquire('asha');
  const waiting = second.acquire('asha');
  await other.acquire('ravi');
  expect(await settled(waiting)).toBe(false);
  await expect(createSlot().acquire('asha')).rejects.toThrow(QueueFull);
  first.release();
  await waiting;
  second.release();
  await createSlot().acquire('asha');
});
