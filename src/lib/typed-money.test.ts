import { expect, test } from 'vitest';
import { parseTypedRupees, problemOfAmount } from './typed-money.ts';

test.each([
  ['42.5', 4250],
  ['1,710', 171_000],
  [' 1,23,456.5 ', 12_345_650],
  ['12,34,567', 123_456_700],
  ['1,234,567.89', 123_456_789],
])('%j is an amount that the staff types', (text, paise) => {
  expect(parseTypedRupees(text)).toBe(paise);
  expect(problemOfAmount(text)).toBeUndefined();
});

test.each(['10,5', '10,50', '1,20', '12,345,67', '1,2345', ',500', '1,,200', '1,200,', '1.200,50', '1,234,56,789', '1,000,000,000'])(
  '%j has a comma that separates no thousands, or too many',
  (text) => {
    expect(parseTypedRupees(text)).toBeNaN();
    expect(problemOfAmount(text)).toBe('misplaced-comma');
  },
);

test.each(['99.999', '200.555', '.505', '1,710.505', ' 38.5550 '])('%j has too many decimals', (text) => {
  expect(parseTypedRupees(text)).toBeNaN();
  expect(problemOfAmount(text)).toBe('too-many-decimals');
});

test.each(['', 'ten', '1.2.345', '-1.555', '1e2.555'])('%j is no amount for another reason', (text) => {
  expect(parseTypedRupees(text)).toBeNaN();
  expect(problemOfAmount(text)).toBeUndefined();
});
