import { expect, test, vi } from 'vitest';
import { withTimeout } from './with-timeout.ts';

const late = () => new Error('Too late');

test('returns the result, or throws the error of the work, and clears its timer', async () => {
  vi.useFakeTimers();
  expect(await withTimeout(Promise.resolve('done'), 1000, late)).toBe('done');
  await expect(withTimeout(Promise.reject(new Error('Broken')), 1000, late)).rejects.toThrow('Broken');
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('throws the error of the caller after the timeout, and ignores a later error of the work', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  await expect(withTimeout(promise, 1, late)).rejects.toThrow('Too late');
  reject(new Error('Later'));
  await new Promise((resolve) => setTimeout(resolve, 1));
});
