/** Which incoming messages a page inside the native app accepts (docs/security.md, S7). */
import { describe, expect, test } from 'vitest';
import { MAX_MESSAGE_LENGTH } from './contract.ts';
import { readPushedUser } from './rules.ts';

const page = { origin: 'https://dhulai.example', window: { page: 'ours' } };
const payload = { mobile: '9876543210' };
const message = { v: 1, type: 'userdata', payload };
const text = JSON.stringify(message);
const pad = (length: number) => JSON.stringify({ ...message, padding: 'x'.repeat(length - text.length - ',"padding":""'.length) });

describe('readPushedUser', () => {
  test.each([
    ['the app’s script in the page', page.origin, page.window],
    ['the web view itself', '', null],
  ])('accepts a message of %s', (_sender, origin, source) => {
    expect(readPushedUser({ data: text, origin, source }, page)).toEqual(payload);
  });

  test('accepts the complete userdata of the specification, and returns only the displayed fields', () => {
    const data = JSON.stringify({ ...message, payload: { loggedin: true, name: 'Asha', email: '', userid: 'x', wallet: 7, ...payload } });
    expect(readPushedUser({ data, origin: '', source: null }, page)).toEqual(payload);
  });

  test('accepts a message of the maximum length', () => {
    expect(readPushedUser({ data: pad(MAX_MESSAGE_LENGTH), origin: '', source: null }, page)).toEqual(payload);
  });
});

describe('a message of another sender', () => {
  test.each([
    ['another origin', 'https://evil.example', {}],
    ['another origin with our window', 'https://evil.example', page.window],
    ['another window of our origin', page.origin, { page: 'another' }],
    ['our origin without a window', page.origin, null],
    ['no origin, but a window', '', {}],
    ['an opaque origin', 'null', null],
    ['an origin that starts with our origin', `${page.origin}.evil.example`, page.window],
    ['our host without https', 'http://dhulai.example', page.window],
  ])('is ignored: %s', (_sender, origin, source) => {
    expect(readPushedUser({ data: text, origin, source }, page)).toBeUndefined();
  });
});

describe('an invalid message', () => {
  test.each<[string, unknown]>([
    ['a message that is no text', message],
    ['no JSON', `${text}}`],
    ['an empty text', ''],
    ['null', 'null'],
    ['a list', `[${text}]`],
    ['another version', JSON.stringify({ ...message, v: 2 })],
    ['a version as text', JSON.stringify({ ...message, v: '1' })],
    ['an unknown type', JSON.stringify({ ...message, type: 'token' })],
    ['a type of outgoing message', JSON.stringify({ ...message, type: 'open-login' })],
    ['no payload', JSON.stringify({ v: 1, type: 'userdata' })],
    ['a mobile too short', JSON.stringify({ ...message, payload: { mobile: '987654321' } })],
    ['a mobile as a number', JSON.stringify({ ...message, payload: { mobile: 9_876_543_210 } })],
    ['a script as the mobile', JSON.stringify({ ...message, payload: { mobile: '<script>alert(1)</script>' } })],
    ['a mobile in __proto__', '{"v":1,"type":"userdata","payload":{"__proto__":{"mobile":"9876543210"}}}'],
    ['a message of one character more than the maximum', pad(MAX_MESSAGE_LENGTH + 1)],
    ['a megabyte', pad(1024 * 1024)],
  ])('is ignored: %s', (_what, data) => {
    expect(readPushedUser({ data, origin: '', source: null }, page)).toBeUndefined();
  });
});
