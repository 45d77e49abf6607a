/**
 * Requests that the protocol rejects: the exact envelope on both spellings of each path, with the
 * headers of every response (design section 5; S3).
 */
import { describe, expect, test } from 'vitest';
import { useProgram } from '../support/program.ts';
import { rows } from './rows.ts';

const program = useProgram({ BOT_CHECK: 'off' });

const calls = [...new Set(rows.map(({ call }) => call))];
const posts = calls.filter(({ method }) => method === 'POST');
/** The body of an upload is a file of any content (claims/photos.test.ts). */
const jsonCalls = posts.filter(({ upload }) => !upload);
const spellings = (path: string) => [path.replace(/\.php$/, ''), `${path.replace(/\.php$/, '')}.php`];

const KILOBYTE = 'x'.repeat(1024);

const REJECTIONS: { what: string; payload: string; headers?: Record<string, string>; status: number; message: string; code: string }[] = [
  {
    what: 'a body over 64 KB',
    payload: JSON.stringify({ filler: KILOBYTE.repeat(64) }),
    status: 413,
    message: 'The request is too large',
    code: 'request-too-large',
  },
  {
    what: 'a form',
    payload: 'a=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    message: 'The request must be application/json',
    code: 'unsupported-media-type',
  },
  {
    what: 'plain text',
    payload: '{}',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    message: 'The request must be application/json',
    code: 'unsupported-media-type',
  },
  { what: 'no body', payload: '', status: 400, message: 'The request has no body', code: 'missing-body' },
  { what: 'broken JSON', payload: '{"a":', status: 400, message: 'The request is not valid JSON', code: 'invalid-json' },
  {
    what: 'NUL in a text',
    payload: '{"a":"\\u0000"}',
    status: 400,
    message: 'The request holds text that is not valid',
    code: 'invalid-text',
  },
  {
    what: 'half a surrogate pair',
    payload: '{"a":"\\ud800"}',
    status: 400,
    message: 'The request holds text that is not valid',
    code: 'invalid-text',
  },
  {
    what: 'deep nesting',
    payload: `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
    status: 400,
    message: 'The request is nested too deeply',
    code: 'nested-too-deeply',
  },
  {
    what: '__proto__',
    payload: '{"__proto__":{"userid":"x"}}',
    status: 400,
    message: 'The request is not valid JSON',
    code: 'invalid-json',
  },
];

describe.each(jsonCalls)('$path', ({ path, failure }) => {
  test.each(REJECTIONS)('rejects $what with the specified envelope', async ({ payload, headers, status, message, code }) => {
    for (const spelling of spellings(path)) {
      const response = await program.caller().post(spelling, payload, headers);
      expect(response.statusCode).toBe(status);
      expect(response.body).toBe(JSON.stringify({ response: failure, message, code, params: {}, data: null }));
    }
  });
});

describe.each(posts)('$path', ({ path }) => {
  test('responds to GET, PUT and DELETE with 404 in an envelope', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const response = await program.caller().request(method, path);
      expect(response.statusCode).toBe(404);
      expect(response.body).toBe(
        JSON.stringify({ response: 'error', message: `There is no ${method} here`, code: 'no-such-call', params: { method }, data: null }),
      );
    }
  });
});

test.each(calls)('$path returns the same response for both spellings', async ({ path, method }) => {
  const [bare, php] = await Promise.all(
    spellings(path).map((spelling) => program.caller().request(method, spelling, method === 'POST' ? '{}' : undefined)),
  );
  expect(bare?.statusCode).not.toBe(404);
  const untimed = (text = '') =>
    text.replaceAll(/\\?"(?:salt|nonce|challenge|signature|expires\w*|keySignature|keyPrefix)\\?":\\?"?[^,"}]*/gi, '');
  expect([bare?.statusCode, untimed(bare?.body)]).toEqual([php?.statusCode, untimed(php?.body)]);
});

const folders = [...new Set(calls.map(({ path }) => path.split('/')[0]))];

test.each(folders)('an unknown call in %s returns an envelope with 404', async (folder) => {
  const response = await program.caller().post(`${folder}/nowhere.php`, {});
  expect(response.statusCode).toBe(404);
  expect(response.body).toBe(
    '{"response":"error","message":"There is no POST here","code":"no-such-call","params":{"method":"POST"},"data":null}',
  );
});

test('every response of a call has the security headers', async () => {
  const caller = program.caller();
  for (const { path, method } of calls) {
    const responses = [
      await caller.request(method, path, method === 'POST' ? '{}' : undefined),
      await caller.request('PUT', path),
      await caller.post(path, '{"a":'),
    ];
    for (const { headers } of responses) {
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      });
    }
  }
});
