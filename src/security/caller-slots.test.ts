import { expect, test } from 'vitest';
import { createCallerSlots } from './caller-slots.server.ts';
import { QueueFull } from './concurrency-limit.server.ts';

const settled = async (promise: Promise<boolean>) => {
  let isSettled = false;
  void promise.then(() => (isSettled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return isSettled;
};

test('a request waits for an earlier one of its caller, and of no other caller', async () => {
  const createSlot = createCallerSlots({ concurrent: 1, queued: 1 });
  const [first, second, other] = [createSlot(), createSlot(), createSlot()];
  expect(await first.acquire('asha')).toBe(false);
  // A request authenticates its caller more than once.
  expect(await first.acquire('asha')).toBe(false);
  const waiting = second.acquire('asha');
  expect(await other.acquire('ravi')).toBe(false);
  expect(await settled(waiting)).toBe(false);
  await expect(createSlot().acquire('asha')).rejects.toThrow(QueueFull);
  first.release();
  expect(await waiting).toBe(true);
  second.release();
  await createSlot().acquire('asha');
});
