/** Malformed requests (docs/security.md, S4), derived from valid ones. */
import type { Random } from '../support/random.ts';
import type { Row } from './rows.ts';
import type { Party } from './parties.ts';

export interface MalformedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  path: string;
  headers: Record<string, string>;
  payload: string;
}

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

const TEXTS = [
  '',
  ' ',
  '\0',
  '\uD800',
  'x\uDFFFy',
  '‮evil',
  '😀'.repeat(300),
  'a'.repeat(5000),
  "'; drop table orders; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00%ff',
  '9'.repeat(400),
  '-0',
  'null',
  '٠١٢٣٤٥٦٧٨٩',
  '__proto__',
  '2026-02-30',
  '99999-99-99',
];
const VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  -1e308,
  0.1 + 0.2,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [[]],
  ['a', 1, null],
  { a: { b: {} } },
  ...TEXTS,
];
const RAW = [
  '',
  '{',
  '}',
  'null',
  'true',
  '"text"',
  '[]',
  '[1,2,3]',
  '1e999',
  'NaN',
  'undefined',
  '{"a":1,}',
  "{'a':1}",
  '﻿{}',
  '{"__proto__":{"userid":"x"}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '\0',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  deep('[', ']', 10_000),
  `{"a":${deep('[', ']', 10_000)}}`,
  `{"a":${deep('{"a":', '}', 3000).replace('}', '1}')}`,
];
const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json;charset=',
  'application/json; boundary="',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
  'APPLICATION/JSON',
  'application/json, text/plain',
  '*/*',
  ';',
];
const HEADERS: Record<string, string>[] = [
  {},
  {},
  {},
  { 'idempotency-key': 'a'.repeat(64) },
  { 'idempotency-key': '"\'; --' },
  { cookie: 'session=; session=x; session' },
  { cookie: `session=${'A'.repeat(4000)}` },
  { cookie: 'session=%00%E0%A4%A' },
  { 'content-length': '5' },
  { origin: 'null' },
  { origin: 'not an origin' },
  { host: 'evil.example' },
  { 'x-forwarded-for': "1.2.3.4, ' or 1=1" },
  { 'accept-encoding': 'br;q=nonsense' },
  { 'transfer-encoding': 'identity' },
];

export function malformedRequest(random: Random, row: Row, own: Party): MalformedRequest {
  const path = random.oneIn(4) ? respelled(random, row.call.path) : row.call.path;
  const method = random.oneIn(15) ? random.pick(['GET', 'PUT', 'DELETE', 'OPTIONS', 'POST'] as const) : row.call.method;
  const headers = {
    ...(random.oneIn(8) ? { 'content-type': random.pick(CONTENT_TYPES) } : { 'content-type': 'application/json' }),
    ...random.pick(HEADERS),
  };
  return { method, path, headers, payload: malformedPayload(random, row.body(own)) };
}

const respelled = (random: Random, path: string) => {
  const bare = path.replace(/\.php$/, '');
  return random.pick([
    bare,
    `${bare}.php`,
    `${path}/`,
    `${path}?a=b&a[]=c`,
    `${path}?${'q'.repeat(3000)}`,
    `${bare}%00`,
    `${bare}%zz`,
    path.toUpperCase(),
    `./${path}`,
    `${bare}/../${bare}`,
  ]);
};

function malformedPayload(random: Random, body: Record<string, unknown>): string {
  if (random.oneIn(8)) return random.pick(RAW);
  if (random.oneIn(60)) return JSON.stringify({ ...body, filler: 'x'.repeat(random.pick([64 * 1024 - 200, 64 * 1024, 1024 * 1024])) });
  const changed: Record<string, unknown> = { ...body };
  const names = Object.keys(body);
  for (let changes = 1 + random.below(3); changes > 0 && names.length > 0; changes -= 1) {
    const name = random.pick(names);
    if (random.oneIn(4)) delete changed[name];
    else changed[name] = random.pick(VALUES);
  }
  const text = JSON.stringify(changed);
  const first = names[0];
  // A duplicate key must not cause a server error, regardless of which value is used.
  return random.oneIn(10) && first ? text.replace('{', `{${JSON.stringify(first)}:${JSON.stringify(random.pick(VALUES))},`) : text;
}
