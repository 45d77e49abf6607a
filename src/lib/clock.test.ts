import { expect, test } from 'vitest';
import { addSeconds, systemClock } from './clock.ts';

test('systemClock returns the current time', () => {
  const before = Date.now();
  const time = systemClock.now().getTime();
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

test('addSeconds accepts fractions and negative numbers', () => {
  const time = new Date('2026-11-21T05:00:00Z');
  expect([90, 0.5, -1].map((seconds) => addSeconds(time, seconds).toISOString())).toEqual([
    '2026-11-21T05:01:30.000Z',
    '2026-11-21T05:00:00.500Z',
    '2026-11-21T04:59:59.000Z',
  ]);
});
