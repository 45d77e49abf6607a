import { expect, test } from 'vitest';
import { asPaise } from '../../lib/money.ts';
import { GARMENTS } from './pages/garments.ts';
import { estimateAmounts } from '../orders/rules.ts';
import { downloadDestination, expectedLoad } from './rules.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15';

test.each([
  [`${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36`, 5, 'android'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 5, 'android'],
  [`${IPHONE} Version/19.0 Mobile/15E148 Safari/604.1`, 5, 'ios'],
  ['Mozilla/5.0 (iPad; CPU OS 19_1 like Mac OS X) AppleWebKit/605.1.15', 5, 'ios'],
  [MAC, 5, 'ios'],
  [MAC, 0, 'web'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36', 10, 'web'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0, 'web'],
  ['Mozilla/5.0 (X11; CrOS x86_64 16181.61.0) AppleWebKit/537.36', 0, 'web'],
  [`${IPHONE} Mobile/15E148 Instagram 350.0.0.0 (iPhone16,2; iOS 19_1)`, 5, 'choice'],
  [`${ANDROID.replace(')', '; wv)')} Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36`, 5, 'choice'],
  [`${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/500.0.0.0;]`, 5, 'choice'],
  ['Mozilla/5.0 (SMART-TV; Tizen 8.0)', 0, 'choice'],
  ['', 0, 'choice'],
])('downloadDestination(%s, %d) is %s', (userAgent, touchPoints, destination) => {
  expect(downloadDestination(userAgent, touchPoints)).toBe(destination);
});

const shirts = (count: number) => ({ count, gramsLow: 200, gramsHigh: 300 });
const jeans = (count: number) => ({ count, gramsLow: 450, gramsHigh: 700 });

test.each([
  // Without pieces the price is 0.
  [[], [3800], 0, { items: 0, gramsLow: 0, gramsHigh: 0, paiseLow: 0, paiseHigh: 0 }],
  [[shirts(5), jeans(2)], [3800], 0, { items: 7, gramsLow: 1900, gramsHigh: 2900, paiseLow: 7220, paiseHigh: 11_020 }],
  // Without an area, the range covers the rates of both areas.
  [[shirts(5), jeans(2)], [3800, 4800], 0, { items: 7, gramsLow: 1900, gramsHigh: 2900, paiseLow: 7220, paiseHigh: 13_920 }],
  // The offer is applied once, to the final amount.
  [[shirts(1)], [3333], 15, { items: 1, gramsLow: 200, gramsHigh: 300, paiseLow: 567, paiseHigh: 850 }],
])('estimates the price of %o at %o with %d %% off', (pieces, rates, offerPercent, expected) => {
  const load = expectedLoad(pieces);
  expect({ ...load, ...estimateAmounts(load, rates.map(asPaise), offerPercent) }).toEqual(expected);
});

test('there are at least twelve garments, each with a weight range', () => {
  expect(GARMENTS.length).toBeGreaterThanOrEqual(12);
  expect(new Set(GARMENTS.map(({ name }) => name)).size).toBe(GARMENTS.length);
  for (const { gramsLow, gramsHigh } of GARMENTS) {
    expect(gramsLow).toBeGreaterThan(0);
    expect(gramsHigh).toBeGreaterThan(gramsLow);
  }
});
