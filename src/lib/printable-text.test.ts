import { expect, test } from 'vitest';
import { printableLine, printableText } from './printable-text.ts';

test.each([
  ['a bidirectional override', 'abc\u202Edef', String.raw`abc\u202edef`],
  ['an isolate', '\u2066x\u2069', String.raw`\u2066x\u2069`],
  ['an escape sequence', '\u001B[31mred', String.raw`\u001b[31mred`],
  ['a carriage return', 'Paid\rNot paid', String.raw`Paid\u000dNot paid`],
  ['a line separator', 'a\u2028b\u0085c', String.raw`a\u2028b\u0085c`],
  ['a character beyond 16 bits', '\u{E0041}', String.raw`\udb40\udc41`],
  ['a lone surrogate', 'a\uD800', String.raw`a\ud800`],
])('escapes %s', (_, text, printed) => {
  expect([printableText(text), printableLine(text)]).toEqual([printed, printed]);
  expect(JSON.parse(`"${printed}"`)).toBe(text);
});

test('keeps words in Hindi with their joiners, and emoji', () => {
  const text = 'क्‍षमा 👕';
  expect([printableText(text), printableLine(text)]).toEqual([text, text]);
});

test('keeps the lines of an output, and prints the words of a person on one line', () => {
  expect(printableText('a\n\tb')).toBe('a\n\tb');
  expect(printableLine('a\r\nb\nc')).toBe(String.raw`a\nb\nc`);
});
