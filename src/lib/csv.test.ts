import { expect, test } from 'vitest';
import { csvText } from './csv.ts';

test('separates cells and rows, and quotes text', () => {
  expect(
    csvText([
      ['Day', 'Orders'],
      ['2026-11-22', 3],
      ['He said "no", twice', null],
      [-2.5, ''],
    ]),
  ).toBe('"Day","Orders"\r\n"2026-11-22",3\r\n"He said ""no"", twice",\r\n-2.5,""\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '\uFF1D1', '=HYPERLINK("http://x","y")'])(
  '%j is text for a spreadsheet',
  (text) => {
    const [first, ...rest] = csvText([[text]]);
    expect([first, ...rest.slice(0, 1)]).toEqual(['"', "'"]);
  },
);
