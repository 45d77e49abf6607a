/**
 * Everything the program serves besides calls: documents, static files, probes. No document depends
 * on the visitor (docs/security.md, I1), every response has the security headers (S3), and none
 * contains a secret (S9). The tests use the built program over real connections.
 */
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '../../src/routes.ts';
import { startTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import type { Mobile } from '../../src/lib/mobile.ts';
import { encodeReferralCode } from '../../src/lib/referral-code.ts';
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { hashToken } from '../../src/security/tokens.server.ts';
import type { Caller } from '../support/caller.ts';
import { home, newOrderingCustomer, place, type OrderingCustomer } from '../support/ordering.ts';
import { newSession } from '../support/seed-customers.ts';

const NAME = 'Vasundhara Raghunathan';
const LANDMARK = 'Behind the yellow temple';
const METRICS_TOKEN = 'a token of the tests, long enough';

let environment: TestEnvironment;
let stop: () => Promise<void>;
let own: OrderingCustomer;
let orderid: string;
let ended: Caller;

beforeAll(async () => {
  ({ environment, stop } = await startTestEnvironment());
  await environment.start(undefined, { METRICS_TOKEN });
  await environment.start();
  own = await newOrderingCustomer(environment);
  await environment.db.updateTable('customers').set({ name: NAME }).where('id', '=', own.userid).execute();
  await own.caller.send(addAddress, { ...home, landmark: LANDMARK, userid: own.userid });
  ({ orderid } = await place(own));
  ended = await newSession(environment, own.userid, 'customer');
  await environment.db
    .deleteFrom('sessions')
    .where('token_hash', '=', hashToken(ended.cookies.get('session') ?? ''))
    .execute();
});
afterAll(() => stop());

/** Every path of src/routes.ts; `:parameters` are replaced by values of an existing customer. */
const patterns = (entries: readonly RouteConfigEntry[], above = ''): string[] =>
  entries.flatMap(({ path: own = '', children }) => {
    const here = [above, own].filter(Boolean).join('/');
    return children ? patterns(children, here) : [`/${here}`];
  });

const pages = [...new Set(patterns(routes))];
const filled = (pattern: string) =>
  pattern
    .replace(':orderid', orderid)
    .replace(/:\w*address\w*/, own.order.addressid ?? '')
    .replace(/:\w+/g, 'LAUNDRYBOX')
    .replace('*', 'nowhere/at/all/of/it');

const get = async (address: string, headers: Record<string, string> = {}, program = 0) => {
  const response = await fetch(`${environment.programs[program]?.url}${address}`, { redirect: 'manual', headers });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
    cookies: response.headers.getSetCookie(),
  };
};

/** The time and the id of the request differ for every response. */
const comparable = (headers: Record<string, string>) => ({ ...headers, date: '', 'x-request-id': '' });

describe.each(pages)('%s', (pattern) => {
  test.each(['', '.data'])('is the same for every visitor%s', async (ending) => {
    const address = `${filled(pattern).replace(/\/$/, ending ? '/_root' : '/')}${ending}`;
    const stranger = await get(address);
    const cookies = [
      `session=${own.caller.cookies.get('session')}; signed_in=1`,
      `session=${ended.cookies.get('session')}; signed_in=1`,
      `session=forged; signed_in=1; userid=${own.userid}`,
    ];
    for (const program of [0, 1]) {
      for (const cookie of cookies) {
        const { status, headers, body, cookies } = await get(address, { cookie }, program);
        expect(status).toBe(stranger.status);
        expect(body).toBe(stranger.body);
        expect(comparable(headers)).toEqual(comparable(stranger.headers));
        expect(cookies).toEqual([]);
      }
    }
    for (const secret of [own.userid, own.mobile, NAME, LANDMARK]) expect(stranger.body).not.toContain(secret);
  });

  test('has the security headers and a policy that allows only the program’s own scripts', async () => {
    const { status, headers, body } = await get(filled(pattern));
    // No customer has the mobile of this referral code, and the last pattern is the page of unknown
    // addresses.
    expect(status).toBe(['/:referralcode', '/*'].includes(pattern) ? 404 : 200);
    expect(headers).toMatchObject(SAFE_HEADERS);
    // Paths with parameters are not looked up in the cache, whose documents have no id.
    const id: unknown = /[:*]/.test(pattern) ? expect.stringMatching(/^[0-9a-f-]{36}$/) : undefined;
    // A document is in the cache for a second.
    await expect.poll(async () => (await get(filled(pattern))).headers['x-request-id'], { timeout: 20_000 }).toEqual(id);
    const { headers: named } = await get(filled(pattern), { 'x-request-id': 'proxy-0001', 'if-none-match': headers.etag ?? '' });
    expect(named['x-request-id']).toBe('proxy-0001');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).not.toMatch(/unsafe-|\*|https?:|strict-dynamic/);
    expect(policy).toContain("default-src 'none'");
    expect(body).not.toMatch(/<[^>]*\sstyle=|<[^>]*\son\w+=| nonce=/);
  });

  test('loads nothing that delays the first paint', async () => {
    const { body } = await get(filled(pattern));
    const immediate = body.replace(/<template id="deferred">.*?<\/template>/s, '').replaceAll(/<noscript>.*?<\/noscript>/gs, '');
    expect(immediate).not.toBe(body);
    expect(immediate).not.toMatch(/<link rel="(?:stylesheet|modulepreload|preload|manifest)"|<script[^>]*type="module"|<script[^>]*\ssrc=/);
  });
});

const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()') as string,
};

test('probes, the outbox, the API reference, static files and errors have the security headers', async () => {
  const asset = (await builtFiles()).find((file) => file.endsWith('.js')) ?? '';
  const addresses = [
    '/livez',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/docs/api',
    '/outbox',
    '/outbox.json',
    asset,
    '/assets/nothing.js',
    '/%zz',
    '/a/b/c/d',
  ];
  for (const address of addresses) {
    const { headers } = await get(address);
    expect(headers, address).toMatchObject(SAFE_HEADERS);
    expect(headers['content-security-policy'] ?? '', address).not.toMatch(/unsafe-/);
  }
});

test.each([
  ['//', 308],
  ['///', 200],
  ['/?', 200],
  ['/%5c', 404],
  ['//elsewhere.example/', 404],
  ['http://elsewhere.example/staff/', 400],
  ['http://elsewhere.example/home/', 400],
  ['http://elsewhere.example/home', 400],
  ['http://elsewhere.example/reviews/getreviews.php?offset=0', 400],
  ['*', 400],
])('%s leads to no other host: %d', async (address, expected) => {
  // fetch would normalise the path.
  const { status, location, body } = await new Promise<{ status: number | undefined; location: string | undefined; body: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(environment.programs[0]?.url ?? '');
      const sent = request({ hostname, port, path: address }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, location: response.headers.location, body }), reject);
      });
      sent.once('error', reject).end();
    },
  );
  expect(status, body.slice(0, 200)).toBe(expected);
  expect(location ?? '/').toMatch(/^\/(?!\/)/);
});

test('the address of a page with a trailing slash redirects to the page and keeps the query, a typed one to its screen', async () => {
  for (const [address, location] of [
    ['/home/', '/home'],
    // The folder of the calls has the same name.
    ['/reviews/', '/reviews'],
    ['/reviews/?page=2&next=/?', '/reviews?page=2&next=/?'],
    ['/webview/refer/', '/webview/refer'],
    [`/auth/orders/vieworder/${orderid}/`, `/auth/orders/vieworder/${orderid}`],
    [`/auth/orders/bill/${orderid}/?from=sms`, `/auth/orders/bill/${orderid}?from=sms`],
    ['/XXOUXURXDA/', '/XXOUXURXDA'],
    ['/pay/oNlY-a-TiD-oF-22-chars/286.14/', '/pay/oNlY-a-TiD-oF-22-chars/286.14'],
  ] as const) {
    const { status, headers } = await get(address);
    expect([status, headers.location], address).toEqual([308, location]);
    expect(headers).toMatchObject(SAFE_HEADERS);
  }
  for (const [typed, screen] of [
    ['/staff/login', '/staff'],
    ['/staff/login/', '/staff'],
    ['/staff/board', '/staff/orders'],
  ] as const) {
    const { status, headers } = await get(typed);
    expect([status, headers.location], typed).toEqual([308, screen]);
    expect(headers).toMatchObject(SAFE_HEADERS);
  }
  expect((await get('/nowhere/at/all/now/')).status).toBe(404);
  // A browser would read these as the address of another host.
  for (const address of ['//elsewhere.example/', '//elsewhere.example/a/b/', '/\\elsewhere.example/']) {
    expect((await get(address)).headers.location, address).toBeUndefined();
  }
});

test('an address of the console with a trailing slash redirects to its page, and an unknown one does not', async () => {
  for (const [address, expected] of [
    ['/staff/', '/staff'],
    ['/staff/orders/?stage=queue', '/staff/orders'],
    ['/staff/orders/1234567/', '/staff/orders/1234567'],
    ['/staff//', undefined],
    ['/staff///a/', undefined],
  ] as const) {
    const { status, headers } = await get(address);
    expect([status, headers.location], address).toEqual([expected ? 308 : 404, expected]);
    expect(headers, address).toMatchObject(SAFE_HEADERS);
  }
});

test.each([
  ['slashes in the console', `/staff/${'/'.repeat(15_000)}a/`],
  ['a console page', `/staff/${'a'.repeat(7000)}/`],
  ['an unknown file of the console', `/staff/assets/${'a'.repeat(7000)}`],
  ['a redirected page', `/home/?${'a'.repeat(7000)}`],
  ['a cached page', `/home?${'a'.repeat(2043)}`],
  ['slashes', `/${'/'.repeat(15_000)}a/`],
  ['a call', `/reviews/getreviews.php?offset=0&${'a'.repeat(7000)}`],
  ['another route', `/outbox.json?mobile=${'9'.repeat(7000)}`],
])('an address of more than 2048 characters is refused: %s', async (_what, address) => {
  const { status, headers, body } = await get(address);
  expect([status, headers.location], body.slice(0, 200)).toEqual([414, undefined]);
  expect(headers).toMatchObject(SAFE_HEADERS);
  expect(body).toContain('The address is too long');
});

test('an address of 2048 characters is served', async () => {
  expect((await get(`/home?${'a'.repeat(2042)}`)).status).toBe(200);
});

test('all codings of a document share one entity tag, which is weak, and are revalidated by it', async () => {
  const codings = ['br', 'gzip', 'identity'];
  const etags = await Promise.all(codings.map(async (coding) => (await get('/', { 'accept-encoding': coding })).headers.etag ?? ''));
  expect(etags).toEqual([expect.stringMatching(/^W\/"/), etags[0], etags[0]]);
  for (const [index, coding] of codings.entries()) {
    const { status } = await get('/', { 'accept-encoding': coding, 'if-none-match': `"other", ${etags[index]}` });
    expect(status, coding).toBe(304);
  }
});

test('a page is found in any case and encoding of its path', async () => {
  for (const [address, page] of [
    ['/Contact', '/contact'],
    ['/auth/%6Cogin', '/auth/login'],
    ['/AUTH/Orders/VIEWORDER/abc', '/auth/orders/vieworder/abc'],
  ] as const)
    expect((await get(address)).body, address).toBe((await get(page)).body);
  expect((await get('/contact.')).status).toBe(404);
});

test('unknown paths share one document, and those inside the native app another without the site layout', async () => {
  const [site, other, embedded] = [await get('/nowhere/at/all/now'), await get('/auth/nowhere'), await get('/webview/nowhere')];
  expect([site.status, other.status, embedded.status]).toEqual([404, 404, 404]);
  expect(other.body).toBe(site.body);
  expect(site.body).toContain('<nav');
  expect(embedded.body).not.toContain('<nav');
});

test('a document has the language of the cookie, and only the English one is cacheable by shared caches', async () => {
  const landing = `/${encodeReferralCode(own.mobile as Mobile)}`;
  for (const path of ['/', '/reviews', '/nowhere/at/all/now', landing]) {
    const cookies = ['', 'lang=hi', 'lang=en', 'a=b; lang=hi; signed_in=1', 'lang=xx', 'lang=hindi'];
    const responses = await Promise.all(cookies.map((cookie) => get(path, { cookie })));
    const [english, hindi] = responses;
    const inHindi = cookies.map((cookie) => /lang=hi(?:;|$)/.test(cookie));
    expect(responses.map(({ body }) => /<html lang="(\w+)"/.exec(body)?.[1])).toEqual(inHindi.map((is) => (is ? 'hi' : 'en')));
    expect(responses.map(({ body }) => body)).toEqual(inHindi.map((is) => (is ? hindi : english)?.body));
    expect(hindi?.body).toMatch(/होम/);
    expect(english?.body.replaceAll('हिन्दी', '')).not.toMatch(/\p{Script=Devanagari}|\/assets\/hi-[\w-]+\.json" as|rel="preload"/u);
    expect(responses.map(({ headers }) => headers['content-language'])).toEqual(inHindi.map((is) => (is ? 'hi' : undefined)));
    for (const { status, headers } of responses) {
      const mayBeShared = headers['content-language'] ? 'private, no-cache' : expect.stringContaining('public');
      expect(headers['cache-control']).toEqual(status === 200 ? mayBeShared : 'no-store');
      expect(headers['vary']).toBe('accept-encoding');
    }
  }
});

test('a cached document is rendered again: it shows a changed rate', async () => {
  expect((await get('/')).body).toContain('₹38');
  await environment.db.updateTable('programs').set({ rate_paise: 3900 }).where('id', '=', 'wash').execute();
  await expect.poll(async () => (await get('/')).body.includes('₹39'), { timeout: 20_000 }).toBe(true);
  await environment.db.updateTable('programs').set({ rate_paise: 3800 }).where('id', '=', 'wash').execute();
});

test('a content coding that the client rejects is not used', async () => {
  const codingOf = async (accepted: string) => (await get('/', { 'accept-encoding': accepted })).headers['content-encoding'];
  expect(await codingOf('gzip, br')).toBe('br');
  expect(await codingOf('br;q=0, gzip')).toBe('gzip');
  expect(await codingOf('gzip; q=0.0, br; q=0')).toBeUndefined();
  expect(await codingOf('br;q=0.5')).toBe('br');
});

/** The only uncached page. No customer has this code. */
const UNKNOWN_REFERRAL = '/LAUNDRYBOX';

test('many requests of one network for uncached pages are rejected with 429 while cached documents are served', async () => {
  const uncached = Promise.all(Array.from({ length: 300 }, async () => (await get(UNKNOWN_REFERRAL)).status));
  expect((await get('/')).status).toBe(200);
  expect((await get('/nowhere/at/all/now')).status).toBe(404);
  // How many of them are rendered depends on the time of a rendering.
  expect(new Set(await uncached)).toEqual(new Set([404, 429]));
  expect((await get(UNKNOWN_REFERRAL)).status).toBe(404);
});

test.each(['/auth/orders/vieworder/', '/auth/orders/bill/', '/auth/orders/payment/', '/auth/address/editaddress/', '/pay/tid/'])(
  'all addresses below %s share one cached document, which does not contain the parameter',
  async (parent) => {
    const [own, other] = [await get(`${parent}${orderid}`), await get(`${parent}another`)];
    expect(own.status).toBe(200);
    expect(own.body).toBe(other.body);
    expect(own.body).not.toContain(orderid);
    const statuses = await Promise.all(Array.from({ length: 300 }, async (_, index) => (await get(`${parent}${index}`)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  },
);

test.each<[string, (index: number) => string]>([
  ['/64', (index) => `2001:db8:1:2::${index.toString(16)}`],
  ['/48', (index) => `2001:db8:3:${index.toString(16)}::1`],
  ['/24', (index) => `198.18.7.${index % 256}`],
])('a crowd in one %s does not deny an uncached page to other networks', { timeout: 120_000 }, async (_size, address) => {
  const program = await environment.start(undefined, { TRUST_PROXY: '1' });
  const statusFor = async (ip: string) => {
    const response = await fetch(program.url + UNKNOWN_REFERRAL, { headers: { 'x-forwarded-for': ip } });
    await response.arrayBuffer();
    return response.status;
  };
  const refused = Promise.withResolvers<void>();
  const over = new AbortController();
  // The clients that the limits admit ask again at once, so that their queue stays full. The
  // others have shown that it is full, and would only use up the processor.
  const crowd = Array.from({ length: 300 }, async (_, index) => {
    while (!over.signal.aborted) {
      if ((await statusFor(address(index))) === 429) return refused.resolve();
    }
  });
  try {
    // From here on, more of the crowd wait than the limit admits.
    await refused.promise;
    const others = ['203.0.113.5', '192.0.2.9', '2001:db8:9:9::1', '2001:db8:8::1'].map(statusFor);
    expect(await Promise.all(others)).toEqual([404, 404, 404, 404]);
  } finally {
    over.abort();
    await Promise.all(crowd);
  }
});

test('a refused visitor of referral pages gets one cached document, for which nothing is looked up or rendered', async () => {
  const program = await environment.start(undefined, { TRUST_PROXY: '1', METRICS_TOKEN });
  const landing = `/${encodeReferralCode(own.mobile as Mobile)}`;
  const getFrom = async (ip: string, path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(program.url + path, { headers: { 'x-forwarded-for': ip, ...headers } });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const counted = async () => {
    const { body } = await getFrom('203.0.113.1', '/metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
    const sumOf = (pattern: RegExp) => [...body.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
    return {
      lookUps: sumOf(/^http_request_duration_seconds_count\{route="\/getters\/getsingle(?:\.php)?",[^}]*\} (\d+)$/gm),
      renderings: sumOf(/^documents_rendered_total\{route="\/:\w+"\} (\d+)$/gm),
    };
  };
  const visitor = '198.51.100.78';
  for (let count = 0; count < 30; count += 1) expect((await getFrom(visitor, landing)).status).toBe(200);
  const refused = await getFrom(visitor, landing);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('cache-control')).toBe('no-store');
  expect(refused.body).toContain('We are busy right now');
  expect(refused.body).not.toContain(landing.slice(1));

  const before = await counted();
  const startedAt = performance.now();
  for (let count = 0; count < 100; count += 1) {
    const { status, body } = await getFrom(visitor, count % 2 === 0 ? landing : '/LAUNDRYBOX');
    expect([status, body]).toEqual([429, refused.body]);
  }
  const after = await counted();
  expect(after.lookUps).toBe(before.lookUps);
  // A cached document is rendered again once a second.
  expect(after.renderings - before.renderings).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 1000);
  expect((await getFrom(visitor, landing, { cookie: 'lang=hi' })).body).toContain('<html lang="hi"');
  expect((await getFrom(visitor, '/home')).status).toBe(200);
  expect((await getFrom('198.51.101.1', landing)).status).toBe(200);
});

test('a crowd of refused networks in one block costs no rendering each', { timeout: 60_000 }, async () => {
  const program = await environment.start(undefined, { TRUST_PROXY: '1', METRICS_TOKEN });
  const landing = `/${encodeReferralCode(own.mobile as Mobile)}`;
  const statusFor = async (index: number) => {
    const response = await fetch(program.url + landing, { headers: { 'x-forwarded-for': `2001:db8:77:${index.toString(16)}::1` } });
    await response.arrayBuffer();
    return response.status;
  };
  const rendered = async () => {
    const response = await fetch(`${program.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    return Number(/^documents_rendered_total\{route="\/:\w+"\} (\d+)$/m.exec(await response.text())?.[1]);
  };
  let index = 0;
  // A block has 150 look-ups.
  while ((await statusFor(index)) === 200) index += 1;
  expect(index).toBe(150);
  const before = await rendered();
  const startedAt = performance.now();
  for (let count = 1; count <= 100; count += 1) expect(await statusFor(index + count)).toBe(429);
  expect((await rendered()) - before).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 1000);
});

/** A function that requests a path as one visitor, and one that counts all rendered documents. */
async function startWithMetrics() {
  const program = await environment.start(undefined, { TRUST_PROXY: '1', METRICS_TOKEN });
  const statusOf = async (path: string) => {
    const response = await fetch(program.url + path, { headers: { 'x-forwarded-for': '198.51.100.79' } });
    await response.arrayBuffer();
    return response.status;
  };
  const rendered = async () => {
    const response = await fetch(`${program.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const counts = (await response.text()).matchAll(/^documents_rendered_total\{route="[^"]+"\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  return { statusOf, rendered };
}

test('addresses that no page can have, and the results of all payments, are not rendered each', { timeout: 60_000 }, async () => {
  const { statusOf, rendered } = await startWithMetrics();
  const before = await rendered();
  const startedAt = performance.now();
  for (let count = 0; count < 100; count += 1) {
    expect(await statusOf(`/code${count}`)).toBe(404);
    expect(await statusOf(`/auth/x/${count}`)).toBe(404);
    expect(await statusOf(`/pay/tid-${count}/${count}`)).toBe(200);
  }
  // Three documents. A cached one is rendered again once a second.
  expect((await rendered()) - before).toBeLessThanOrEqual(3 * (1 + (performance.now() - startedAt) / 1000));
});

test('other spellings of a page are not rendered each', { timeout: 60_000 }, async () => {
  const { statusOf, rendered } = await startWithMetrics();
  const before = await rendered();
  const startedAt = performance.now();
  const letters = 'reviews'.split('');
  for (let mask = 1; mask < 2 ** letters.length; mask += 1) {
    const has = (at: number) => (mask & (2 ** at)) !== 0;
    const inCapitals = letters.map((letter, at) => (has(at) ? letter.toUpperCase() : letter)).join('');
    const encoded = letters.map((letter, at) => (has(at) ? `%${letter.codePointAt(0)?.toString(16)}` : letter)).join('');
    expect(await statusOf(`/${inCapitals}`)).toBe(200);
    expect(await statusOf(`/${encoded}`)).toBe(200);
  }
  // A cached document is rendered again once a second.
  expect((await rendered()) - before).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 1000);
});

test('referral pages that a page of another site embeds make no look-up', async () => {
  const program = await environment.start(undefined, { TRUST_PROXY: '1' });
  const landing = `/${encodeReferralCode(own.mobile as Mobile)}`;
  const getFrom = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(program.url + path, { headers: { 'x-forwarded-for': '198.51.100.77', ...headers } });
    await response.arrayBuffer();
    return response.status;
  };
  const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' };
  for (let count = 0; count < 31; count += 1) expect(await getFrom(landing, image)).toBe(404);
  const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
  expect(await getFrom(landing, navigation)).toBe(200);
});

test('the router’s data requests are not served: they would be texts of customers with the type of a document', async () => {
  await environment.db.updateTable('customers').set({ name: '<h1>Session-expired</h1>' }).where('id', '=', own.userid).execute();
  for (const address of [
    '/_root.data',
    '/home.data',
    '/reviews.data',
    `/${encodeReferralCode(own.mobile as Mobile)}.data`,
    '/home.data?_routes=home',
  ]) {
    const { status, body, headers } = await get(address);
    expect([status, body, headers['content-type']], address).toEqual([404, 'There is nothing here', 'text/plain; charset=utf-8']);
  }
});

test('an address whose query ends like a data request is a page', async () => {
  for (const address of ['/reviews?ref=a.data', '/contact?from=/home.data']) {
    const { status, headers } = await get(address);
    expect([status, headers['content-type']], address).toEqual([200, 'text/html; charset=utf-8']);
  }
});

test('metrics are served to callers with the token only', async () => {
  const read = () => get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
  const counted = async () => Number(/^documents_from_memory_total\{route="\/contact"\} (\d+)$/m.exec((await read()).body)?.[1]);
  const before = await counted();
  await get('/contact');
  await get('/contact');
  expect((await counted()) - before).toBeGreaterThan(0);
  for (const metric of [
    'process_start_time_seconds',
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_heap_size_used_bytes',
  ])
    expect((await read()).body).toMatch(new RegExp(`^${metric} [1-9]|^${metric} 0\\.\\d*[1-9]`, 'm'));
  expect((await read()).body).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  for (const authorization of ['', METRICS_TOKEN, 'Bearer', 'Bearer ', `Bearer ${METRICS_TOKEN}x`, `Basic ${METRICS_TOKEN}`]) {
    expect((await get('/metrics', { authorization })).status).toBe(404);
  }
  // The second program has no token.
  for (const authorization of ['Bearer undefined', 'Bearer ', `Bearer ${METRICS_TOKEN}`]) {
    expect((await get('/metrics', { authorization }, 1)).status).toBe(404);
  }
});

test('a document is counted once, with the pattern of its route', async () => {
  const counted = async () => {
    const { body } = await get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
    const count = (route: string) =>
      Number(
        new RegExp(`^http_request_duration_seconds_count\\{route="${route}",method="GET",status="404"\\} (\\d+)$`, 'm').exec(body)?.[1] ??
          0,
      );
    return [count('/:referralcode'), count('not-found'), count('none')];
  };
  const [referral = 0, unknown = 0, none = 0] = await counted();
  expect((await get('/LAUNDRYBOX')).status).toBe(404);
  await expect.poll(counted).toEqual([referral + 1, unknown, none]);
  expect((await get('/no/such/page/at/all')).status).toBe(404);
  await expect.poll(counted).toEqual([referral + 1, unknown + 1, none]);
  expect((await get('/contact.data')).status).toBe(404);
  await expect.poll(counted).toEqual([referral + 1, unknown + 1, none + 1]);
});

test('source files, server code and lists of files are not served', async () => {
  const attempts = [
    '/package.json',
    '/src/root.tsx',
    '/build/server/assets/index.js',
    '/server/index.js',
    '/.vite/manifest.json',
    '/.env',
    '/.git/config',
    '/assets/',
    '/assets/../../server/index.js',
    '/assets/..%2f..%2fserver%2findex.js',
    '/assets/%2e%2e/%2e%2e/server/index.js',
    '/..%5c..%5cpackage.json',
    '//etc/passwd',
  ];
  for (const address of attempts) {
    const { status, body } = await get(address);
    expect(status, address).toBe(404);
    expect(body, address).not.toMatch(/"dependencies"|createApp|\[core\]|root:x/);
  }
  // A path of three segments is the payment result page, not the file of that name.
  expect((await get('/build/server/index.js')).body).not.toContain('createApp');
});

test('bundles contain no mobile number, no server code and no source map', async () => {
  for (const file of await builtFiles()) {
    expect(file).not.toMatch(/\.map$/);
    if (!/\.(js|css|html|json|svg)$/.test(file)) continue;
    const content = await readFile(path.join('build/client', file), 'utf8');
    const found = [
      /\b[6-9]\d{9}\b/,
      /argon2/i,
      /process\.env\.(?!NODE_ENV)/,
      /password_hash|token_hash|code_hash/,
      /\b(?:insert into \w|update \w+ set \w|select .{1,80} from (?!users where mobile))/i,
      /from ?["']node:/,
      /sourceMappingURL/,
    ].filter((pattern) => pattern.test(content));
    expect(found.map(String), file).toEqual([]);
  }
});

async function builtFiles() {
  const names = await readdir('build/client', { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => `/${path.relative('build/client', path.join(entry.parentPath, entry.name))}`)
    .filter((name) => !name.startsWith('/.vite/') && !/\.(br|gz)$/.test(name));
}
