import { expect, test } from 'vitest';
import { asPaise } from '../../../lib/money.ts';
import type { DayFigures } from './contract.ts';
import { daysBetween, groupByPeriod, onTimeShare, startOfPeriod, totalOf, type Period } from './rules.ts';

/** Returns figures in which no two sums of a period are equal. */
const figuresOf = (day: string, factor: number): DayFigures => ({
  day,
  orders: factor,
  weight: 20 * factor,
  revenue: asPaise(300 * factor),
  received: { cash: asPaise(4 * factor), upi: asPaise(50 * factor), gateway: asPaise(600 * factor), wallet: asPaise(7000 * factor) },
  wallet_liability: asPaise(90_000 * factor),
  bonuses: asPaise(11 * factor),
  compensation: asPaise(19 * factor),
  delivered: 4 * factor,
  on_time: 3 * factor,
  on_time_share: 0.75,
  cancellations: 13 * factor,
  claims: 17 * factor,
});

test.each([
  ['2026-11-21', '2026-11-21', 1],
  ['2026-11-21', '2026-11-22', 2],
  ['2026-02-28', '2026-03-01', 2],
  ['2028-02-28', '2028-03-01', 3],
  ['2026-11-22', '2026-11-21', 0],
])('from %s to %s are %i days', (from, to, days) => {
  expect(daysBetween(from, to)).toBe(days);
});

test.each<[day: string, period: Period, start: string]>([
  ['2026-11-21', 'day', '2026-11-21'],
  // A Monday, a Saturday, a Sunday.
  ['2026-11-16', 'week', '2026-11-16'],
  ['2026-11-21', 'week', '2026-11-16'],
  ['2026-11-22', 'week', '2026-11-16'],
  ['2026-11-01', 'week', '2026-10-26'],
  ['2026-11-01', 'month', '2026-11-01'],
  ['2026-11-30', 'month', '2026-11-01'],
])('%s belongs to the %s that begins on %s', (day, period, start) => {
  expect(startOfPeriod(day, period)).toBe(start);
});

test.each([
  [0, 0, null],
  [-1, 0, null],
  [4, 3, 0.75],
  [1, 1, 1],
  // A delivery of another day was taken back.
  [1, 2, 1],
  [1, -1, 0],
])('of %i deliveries, %i were on time: %s', (delivered, onTime, share) => {
  expect(onTimeShare({ delivered, on_time: onTime })).toBe(share);
});

test('a period has the sums of its days, and the wallets of its last day', () => {
  const [saturday, sunday, monday] = [figuresOf('2026-11-21', 1), figuresOf('2026-11-22', 2), figuresOf('2026-11-23', 4)];
  const week = { ...figuresOf('2026-11-21', 3), wallet_liability: sunday.wallet_liability };
  expect(groupByPeriod([saturday, sunday, monday], 'week')).toEqual([week, monday]);
  expect(groupByPeriod([saturday, sunday], 'day')).toEqual([saturday, sunday]);
  expect(totalOf([saturday, sunday, monday])).toEqual({ ...figuresOf('2026-11-21', 7), wallet_liability: monday.wallet_liability });
});

test('the share of a period is that of its deliveries, not the mean of its days', () => {
  const late = { ...figuresOf('2026-11-21', 1), delivered: 1, on_time: 0, on_time_share: 0 };
  const inTime = { ...figuresOf('2026-11-22', 1), delivered: 3, on_time: 3, on_time_share: 1 };
  expect(totalOf([late, inTime])?.on_time_share).toBe(0.75);
});

test('no days have no sums', () => {
  expect(totalOf([])).toBeUndefined();
  expect(groupByPeriod([], 'month')).toEqual([]);
});
