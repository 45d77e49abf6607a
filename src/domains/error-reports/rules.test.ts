import { describe, expect, test } from 'vitest';
import { MAX_MESSAGE_LENGTH, MAX_REPORT_BYTES, scrubReport, scrubText } from './rules.ts';

test.each([
  ['a mobile', 'no user 9876501234 here', 'no user [removed] here'],
  ['a mobile with its country code', '+91 98765 01234', '+[removed]'],
  ['a mobile with dashes and dots', '98765-01234 or 98765.01234', '[removed] or [removed]'],
  ['a mobile in another script', '९८७६५०१२३४', '[removed]'],
  ['a percent-encoded mobile', 'next=%2B919876501234', 'next=%2B[removed]'],
  ['a mobile with escapes', String.raw`\u0039876501234`, '[removed]'],
  ['a referral code', 'https://site.example/XBYODLAUNR', 'https://site.example/[removed]'],
  ['a code', 'code 012345 is wrong', 'code [removed] is wrong'],
  ['a code in two halves', 'code 012 345', 'code [removed]'],
  ['a labelled password', 'password=a b,c&d "e"', 'password[removed]'],
  ['a password in truncated JSON', '{"newPassword":"dhobi gh', '{"newPassword[removed]'],
  ['a password in markup', '<input name="password" value="hunter2">', '<input name="password[removed]'],
  ['a password in a sentence', 'Wrong password hunter2', 'Wrong password[removed]'],
  ['a session token', 'session=Zk3-_9QmLw_x0Vb7cYd1', 'session=[removed]'],
  ['a token of letters alone', `x ${'aBcDeFgH'.repeat(5)} y`, 'x [removed] y'],
  ['a userid', 'customer 7ZK3M9QWX0VB7CYD1TRE left', 'customer [removed] left'],
  ['a signed token', 'got eyJhbGciOiJIUzI1NiJ9.eyJtb2JpbGUiOjF9Zz.c2lnbmF0dXJlLTE2', 'got [removed].[removed].[removed]'],
  ['a bearer token', 'Bearer abc.def', 'Bearer [removed]'],
  ['an authorization', 'authorization: abc', 'authorization:[removed]'],
  ['an authorisation', 'authorisation: abc', 'authorisation:[removed]'],
  ['a secret before an encoded equals sign', 'otp%3Dabc', 'otp%3D[removed]'],
  ['a secret after quotes and spaces', String.raw`token" \ ': abc`, String.raw`token" \ ':[removed]`],
  ['32 letters', `x ${'abcdefgh'.repeat(4)} y`, 'x [removed] y'],
  ['a referral code before a digit', 'XBYODLAUNR1', '[removed]1'],
  ['control characters', 'a\u0007b', 'a b'],
  ['an e-mail address', 'for meera.nair@post.example.in now', 'for [removed] now'],
])('removes %s', (_what, text, kept) => {
  expect(scrubText(text)).toBe(kept);
});

const stack = `TypeError: Cannot read properties of undefined (reading 'addressid')
    at onSelect (https://site.example/assets/address-picker-B2kd93sX.js:1:123456)
    at validatePassword (https://site.example/assets/new-password-Q9dK3.js:12:3456)
    at useSyncExternalStore (https://site.example/assets/index.js:41:1029384)`;

test.each([
  'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
  'Minified React error #418; visit https://react.dev/errors/418',
  'Request took 30000 ms, order stage 3 of 5, rate 38.50',
  'मोबाइल नंबर गलत है',
  'Loading chunk failed',
])('keeps %j', (text) => {
  expect(scrubText(text)).toBe(text);
});

test.each(['app.tsx:1:2', 'app.ts', 'app.mjs:12', 'app.css'])('keeps the source position %s after a secret word', (position) => {
  expect(scrubText(`password ${position}`)).toBe(`password[removed]${position}`);
});

test('keeps source positions, even next to a secret word', () => {
  expect(scrubText(stack)).toBe(stack.replace('validatePassword (https://site.example/assets/', 'validatePassword[removed]'));
});

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
