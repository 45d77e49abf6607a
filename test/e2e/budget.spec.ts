/**
 * Size limits of the home page (design section 9). Bytes, unlike time, do not depend on the
 * machine.
 */
import { gzipSync } from 'node:zlib';
import { expect, test } from './fixtures.ts';

const SCRIPT_GZIP_BYTES = 130_000;
/** The first round trip: HTML with its critical CSS. */
const HTML_BROTLI_BYTES = 14_000;

test('home loads at most 130 kB of gzipped script until network idle', async ({ page }) => {
  const scripts = new Map<string, Promise<Buffer>>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body());
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  const sizes = await Promise.all([...scripts].map(async ([url, body]) => ({ url, bytes: gzipSync(await body, { level: 9 }).length })));
  // The tests block the service worker, but its script counts too.
  const worker = await (await page.request.get('/sw.js')).body();
  sizes.push({ url: '/sw.js', bytes: gzipSync(worker, { level: 9 }).length });
  const heaviest = sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, 10);
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(sizes.length).toBeGreaterThan(5);
  expect(total, JSON.stringify(heaviest, null, 1)).toBeLessThanOrEqual(SCRIPT_GZIP_BYTES);
});

test('the HTML of home with its critical CSS fits in one round trip in each language', async ({ page }) => {
  for (const language of ['en', 'hi']) {
    const headers = (await page.request.get('/', { headers: { 'accept-encoding': 'br', cookie: `lang=${language}` } })).headers();
    expect(headers['content-encoding']).toBe('br');
    expect(Number(headers['content-length']), language).toBeLessThanOrEqual(HTML_BROTLI_BYTES);
  }
});
