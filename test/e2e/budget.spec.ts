/** What the home page may weigh (design section 9). Bytes, not time: they are the same on every machine. */
import { gzipSync } from 'node:zlib';
import { expect, test } from './fixtures.ts';

const SCRIPT_GZIP_BYTES = 130_000;
/** The first round trip: HTML with its critical CSS. */
const HTML_BROTLI_BYTES = 14 * 1024;

test('home sends at most 130 kB of script, gzip, to network idle at 390 px without input', async ({ page }) => {
  const scripts = new Map<string, Promise<Buffer>>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body());
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  const sizes = await Promise.all([...scripts].map(async ([url, body]) => ({ url, bytes: gzipSync(await body, { level: 9 }).length })));
  // The service worker's script is blocked in tests; it counts all the same.
  const worker = await (await page.request.get('/sw.js')).body();
  sizes.push({ url: '/sw.js', bytes: gzipSync(worker, { level: 9 }).length });
  const heaviest = sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, 10);
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(sizes.length).toBeGreaterThan(5);
  expect(total, JSON.stringify(heaviest, null, 1)).toBeLessThanOrEqual(SCRIPT_GZIP_BYTES);
});

test('the first HTML of home, its critical CSS included, fits in one round trip in each language', async ({ page }) => {
  for (const language of ['en', 'hi']) {
    const headers = (await page.request.get('/', { headers: { 'accept-encoding': 'br', cookie: `lang=${language}` } })).headers();
    expect(headers['content-encoding']).toBe('br');
    expect(Number(headers['content-length']), language).toBeLessThanOrEqual(HTML_BROTLI_BYTES);
  }
});
