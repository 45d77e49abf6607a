import { expect, test } from 'vitest';
import { scrubText } from './scrub-text.ts';

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
  ['a userid without digits', 'customer PTJVTVKVABPJQZFCNNKZ left', 'customer [removed] left'],
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
