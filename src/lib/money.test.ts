import { expect, test } from 'vitest';
import { asPaise, costPaise, discountedRatePaise, finalAmountPaise, formatKilograms, formatRupees, walletPartPaise } from './money.ts';

test('half a paisa is rounded up, once', () => {
  expect(costPaise(asPaise(4505), 10)).toBe(45);
  expect(costPaise(asPaise(4550), 10)).toBe(46);
  expect(costPaise(asPaise(4549), 10)).toBe(45);
  expect(discountedRatePaise(asPaise(4505), 10)).toBe(4055);
  // Rounded twice, by the rate and then by the weight, it would be 10,138.
  expect(finalAmountPaise(asPaise(4505), 2500, 10)).toBe(10_136);
});

test('the wallet pays at most half: an odd paisa stays with the rest', () => {
  expect([walletPartPaise(asPaise(101)), walletPartPaise(asPaise(100)), walletPartPaise(asPaise(1))]).toEqual([50, 50, 0]);
});

test('what is no whole number of paise is no amount, and what would be rounded wrong is refused', () => {
  for (const amount of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    expect(() => asPaise(amount)).toThrow('an amount is a whole number');
  expect(() => costPaise(asPaise(2 ** 52), 1000)).toThrow('an amount fits in 53 bits');
  expect(() => costPaise(asPaise(-1), 1000)).toThrow('an amount fits in 53 bits and is not negative');
  expect(costPaise(asPaise(0), 1000)).toBe(0);
});

test('rupees and kilograms as people read them', () => {
  expect([123_400, 123_450, 5, 10_000_000].map(formatRupees)).toEqual(['₹1,234', '₹1,234.50', '₹0.05', '₹1,00,000']);
  expect([7500, 7505, 10, 12_340].map(formatKilograms)).toEqual(['7.5', '7.51', '0.01', '12.34']);
});
