import { expect, test } from 'vitest';
import { hasMisplacedComma, parseTypedRupees } from './typed-money.ts';

test.each([
  ['42.5', 4250],
  ['1,710', 171_000],
  [' 1,23,456.5 ', 12_345_650],
  ['12,34,567', 123_456_700],
  ['1,234,567.89', 123_456_789],
])('%j is an amount that the staff types', (text, paise) => {
  expect(parseTypedRupees(text)).toBe(paise);
  expect(hasMisplacedComma(text)).toBe(false);
});

test.each(['10,5', '10,50', '1,20', '12,345,67', '1,2345', ',500', '1,,200', '1,200,', '1.200,50', '1,234,56,789', '1,000,000,000'])(
  '%j has a comma that separates no thousands, or too many',
  (text) => {
    expect(parseTypedRupees(text)).toBeNaN();
    expect(hasMisplacedComma(text)).toBe(true);
  },
);

test.each(['', 'ten', '10.505'])('%j is no amount for another reason', (text) => {
  expect(parseTypedRupees(text)).toBeNaN();
  expect(hasMisplacedComma(text)).toBe(false);
});
