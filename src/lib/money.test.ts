import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  asPaise,
  costPaise,
  discountedRatePaise,
  excessPaise,
  finalAmountPaise,
  formatKilograms,
  formatRupees,
  formatRupeesAndPaise,
  parseRupees,
  walletPartPaise,
} from './money.ts';

test('rounds half a paisa up, and rounds an amount once', () => {
  expect(costPaise(asPaise(4505), 10)).toBe(45);
  expect(costPaise(asPaise(4550), 10)).toBe(46);
  expect(costPaise(asPaise(4549), 10)).toBe(45);
  expect(discountedRatePaise(asPaise(4505), 10)).toBe(4055);
  // Rounding the rate first would return 10,138.
  expect(finalAmountPaise(asPaise(4505), 2500, 10)).toBe(10_136);
});

test('the wallet part is half of the amount, rounded down', () => {
  expect([walletPartPaise(asPaise(101)), walletPartPaise(asPaise(100)), walletPartPaise(asPaise(1))]).toEqual([50, 50, 0]);
});

test('excessPaise is the part of an amount above another one', () => {
  expect([excessPaise(120, 100), excessPaise(100, 100), excessPaise(60, 100)]).toEqual([20, 0, 0]);
});

test('throws for an amount that is not a whole number of paise, or too large to round exactly', () => {
  for (const amount of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    expect(() => asPaise(amount)).toThrow('paise are whole numbers');
  expect(() => costPaise(asPaise(2 ** 52), 1000)).toThrow('paise fit in 53 bits');
  expect(() => costPaise(asPaise(-1), 1000)).toThrow('paise fit in 53 bits and are at least 0');
  expect(costPaise(asPaise(0), 1000)).toBe(0);
});

test('formats rupees and kilograms', () => {
  expect([123_400, 123_450, 5, 10_000_000].map(formatRupees)).toEqual(['₹1,234', '₹1,234.50', '₹0.05', '₹1,00,000']);
  expect([7500, 7505, 10, 12_340].map(formatKilograms)).toEqual(['7.5', '7.51', '0.01', '12.34']);
});

test('formats every amount like Intl for India', () => {
  const rupees = (minimumFractionDigits: number) => new Intl.NumberFormat('en-IN', { minimumFractionDigits, maximumFractionDigits: 2 });
  const [short, exact] = [rupees(0), rupees(2)];
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 14), max: 10 ** 14 }), (paise) => {
      expect(formatRupees(paise)).toBe(`₹${(paise % 100 === 0 ? short : exact).format(paise / 100)}`);
      expect(formatRupeesAndPaise(paise)).toBe(`₹${exact.format(paise / 100)}`);
    }),
    { examples: [[0], [1], [99_999], [100_000], [9_999_900], [-123_456_789], [10 ** 14]] },
  );
});

test.each([
  ['0', 0],
  ['42', 4200],
  [' 42.5 ', 4250],
  ['42.50', 4250],
  ['42.', 4200],
  ['.5', 50],
  ['1234567.89', 123_456_789],
])('%j is an amount of rupees that a person types', (text, paise) => {
  expect(parseRupees(text)).toBe(paise);
});

test.each([
  '',
  ' ',
  '.',
  '42.505',
  '-1',
  '1e3',
  '0x10',
  '10,5',
  '10,50',
  '1,20',
  '12,345,67',
  '1,2345',
  ',500',
  '1,,200',
  '1,200,',
  '1.200,50',
  '1,234,56,789',
  '4 2',
  '₹42',
  'NaN',
])('%j is no amount of rupees', (text) => {
  expect(parseRupees(text)).toBeNaN();
});
