import { expect, test } from 'vitest';
import { retryDelayMs } from './entry-backoff.ts';

test('the waits between repeated requests double up to a minute, and follow Retry-After', () => {
  expect([1, 2, 3, 5, 6, 20].map((failures) => retryDelayMs(failures))).toEqual([2000, 4000, 8000, 32_000, 60_000, 60_000]);
  expect(retryDelayMs(1, 90)).toBe(90_000);
  expect(retryDelayMs(6, 5)).toBe(60_000);
});
