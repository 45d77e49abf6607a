import { expect, test } from 'vitest';
import { percentOf, summarizeStars } from './rules.ts';

const counts = (five: number, four: number, three: number, two: number, one: number) =>
  new Map([
    [5, five],
    [4, four],
    [3, three],
    [2, two],
    [1, one],
  ]);

test.each([
  [counts(0, 0, 0, 0, 0), 0, [0, 0, 0, 0, 0]],
  [counts(1, 0, 0, 0, 0), 5, [100, 0, 0, 0, 0]],
  [counts(0, 0, 0, 0, 3), 1, [0, 0, 0, 0, 100]],
  [counts(1, 1, 0, 0, 0), 4.5, [50, 50, 0, 0, 0]],
  [counts(2, 0, 0, 0, 1), 3.7, [67, 0, 0, 0, 33]],
  // 4.25 and 4.35: halves round up, although their binary fractions are not exact.
  [counts(1, 3, 0, 0, 0), 4.3, [25, 75, 0, 0, 0]],
  [counts(7, 13, 0, 0, 0), 4.4, [35, 65, 0, 0, 0]],
  [counts(61_000, 22_000, 9000, 5000, 3000), 4.3, [61, 22, 9, 5, 3]],
])('%o has an average of %d and percentages %o', (byStar, average, percentages) => {
  const summary = summarizeStars(byStar);
  expect(summary.average).toBe(average);
  expect(summary.counts.map(({ star }) => percentOf(summary, star))).toEqual(percentages);
});

test('a star level without a row has no reviews', () => {
  expect(summarizeStars(new Map([[4, 2]])).counts).toEqual([5, 4, 3, 2, 1].map((star) => ({ star, reviews: star === 4 ? 2 : 0 })));
});
