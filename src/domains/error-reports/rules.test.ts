import { describe, expect, test } from 'vitest';
import { MAX_MESSAGE_LENGTH, MAX_REPORT_BYTES, scrubReport } from './rules.ts';

const stack = `TypeError: Cannot read properties of undefined (reading 'addressid')
    at onSelect (https://site.example/assets/address-picker-B2kd93sX.js:1:123456)
    at validatePassword (https://site.example/assets/new-password-Q9dK3.js:12:3456)
    at useSyncExternalStore (https://site.example/assets/index.js:41:1029384)`;

describe('a report', () => {
  test('keeps message, stack and context and removes secrets by name and by format', () => {
    const kept = scrubReport(
      JSON.stringify({
        message: 'Wrong answer for 9876501234',
        stack,
        context: {
          doing: 'logging in',
          attempts: 2,
          mobile: 9_876_501_234,
          password: { typed: 'hunter2' },
          code: 12_345,
          answered: 123_456,
          body: '{"mobile":"9876501234","password":"hun\\"ter 2","area":"vatika"}',
          seen: [{ token: 'x' }, '98765 01234', true, null],
          9876501234: 'by key',
        },
      }),
    );
    expect(kept.message).toBe('Wrong answer for [removed]');
    expect(JSON.parse(kept.report)).toMatchObject({
      message: 'Wrong answer for [removed]',
      context: {
        doing: 'logging in',
        attempts: 2,
        mobile: '[removed]',
        password: '[removed]',
        answered: '[removed]',
        body: '{"mobile":"[removed]","password":"[removed]","area":"vatika"}',
        seen: [{ token: '[removed]' }, '[removed]', true, null],
        '[removed]': 'by key',
      },
    });
  });

  test.each([
    ['text', 'fell over at 9876501234', 'fell over at [removed]'],
    ['truncated JSON', '{"message":"fell over", "context":{"otp":"01234', '{"message":"fell over", "context":{"otp":[removed]'],
    ['a number', '9876501234', '[removed]'],
    ['a list', '["9876501234"]', '["[removed]"]'],
    ['null', 'null', 'null'],
    ['an empty text', '', ''],
    ['an object without a message', '{"stack":"x"}', '""'],
    ['a message that is no text', '{"message":{"mobile":"9876501234"}}', '{"mobile":"[removed]"}'],
  ])('that is %s keeps everything but secrets', (_what, error, message) => {
    expect(scrubReport(error).message).toBe(message);
  });

  test('fits its columns for any input, in whole characters that PostgreSQL accepts', () => {
    for (const filler of [
      'x',
      'अ',
      '🧺',
      '"',
      '\\',
      ' ',
      '1',
      String.raw`\u0000`,
      String.raw`\ud800`,
      '[',
      '{"a":',
      '@',
      'a@',
      'passw',
      '.js',
    ]) {
      const text = filler.repeat(Math.floor(60_000 / filler.length));
      for (const error of [text, `{"message":"${text}`, JSON.stringify({ message: text, stack: text, context: { a: [text] } })]) {
        const { message, report } = scrubReport(error.slice(0, 64_000));
        expect(Buffer.byteLength(report)).toBeLessThanOrEqual(MAX_REPORT_BYTES);
        expect(Array.from(message).length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
        for (const kept of [message, report]) expect([kept.isWellFormed(), kept.includes('\0')]).toEqual([true, false]);
      }
    }
  });

  test('keeps five levels of nesting and removes deeper ones', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'kept' : { in: nested(levels - 1) });
    const listed = (levels: number): unknown => (levels === 0 ? 'kept' : [listed(levels - 1)]);
    const report = (context: unknown) => scrubReport(JSON.stringify({ context })).report;
    expect(report(nested(5))).toBe(JSON.stringify({ context: nested(5) }));
    expect(report(nested(6))).toBe(JSON.stringify({ context: nested(6) }).replace('kept', '[removed]'));
    expect(report(listed(5))).toBe(JSON.stringify({ context: listed(5) }));
    expect(report(listed(6))).toBe(JSON.stringify({ context: listed(6) }).replace('kept', '[removed]'));
  });

  test('parses JSON after leading white space', () => {
    expect(scrubReport(' \n{"message":"m","password":"x"} ').report).toBe('{"message":"m","password":"[removed]"}');
  });

  test('does not change prototypes', () => {
    expect(scrubReport('{"__proto__":{"polluted":"yes"},"message":"m"}')).toEqual({
      message: 'm',
      report: '{"__proto__":{"polluted":"yes"},"message":"m"}',
    });
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});
