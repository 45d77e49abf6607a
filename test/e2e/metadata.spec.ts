/** Metadata for search engines, link previews and home screens. Design section 8. */
import { expect, test } from './fixtures.ts';

const PUBLIC = ['/', '/home', '/reviews', '/refer', '/contact', '/privacy'];
const HIDDEN = [
  '/stages',
  '/overview',
  '/confirm',
  '/auth/orders',
  '/auth/profile',
  '/auth/profile/datacopy',
  '/auth/profile/deleteaccount',
  '/auth/address',
  '/auth/address/addnewaddress',
  '/auth/verification',
  '/auth/forgotpassword',
  '/auth/newpassword',
  '/downloadourapplication',
  '/offline',
];

test('every public page has its own title, description, canonical URL and image', async ({ page }) => {
  const titles = new Set<string>();
  const descriptions = new Set<string>();
  for (const path of PUBLIC) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(200);
    expect(response?.headers()['x-robots-tag'], path).toBeUndefined();
    const content = (name: string) => page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content');
    titles.add(await page.title());
    const description = (await content('description')) ?? '';
    expect(description.length, path).toBeGreaterThan(40);
    descriptions.add(description);
    expect(await content('og:title')).toBe(await page.title());
    expect(await content('og:description')).toBe(description);
    expect(await content('og:url')).toBe(path === '/home' ? '/' : path);
    const picture = await page.request.get((await content('og:image')) ?? '');
    expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png']);
  }
  // The two paths of home have the same canonical URL.
  expect([titles.size, descriptions.size]).toEqual([PUBLIC.length - 1, PUBLIC.length - 1]);
});

test('home contains structured data, whose values are escaped', async ({ page }) => {
  await page.goto('/');
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '') as Record<string, unknown>;
  expect(data).toMatchObject({ '@type': 'DryCleaningOrLaundry', areaServed: ['Manesar', 'Vatika India Next'] });
});

test('account pages have noindex in the document and in the header', async ({ page }) => {
  for (const path of HIDDEN) {
    const response = await page.request.get(path);
    expect(response.status(), path).toBe(200);
    expect(response.headers()['x-robots-tag'], path).toBe('noindex');
    const html = await response.text();
    expect(html, path).toContain('<meta name="robots" content="noindex"');
    expect(html, path).not.toMatch(/rel="canonical"|property="og:/);
  }
});

test('the sitemap lists indexable pages, robots.txt forbids none, and unknown paths return 404', async ({ page, expectProblem }) => {
  const sitemap = await (await page.request.get('/sitemap.xml')).text();
  const listed = Array.from(sitemap.matchAll(/<loc>([^<]+)<\/loc>/g), ([, address = '']) => address);
  expect(listed.length).toBeGreaterThan(4);
  for (const address of listed) {
    const response = await page.request.get(address);
    expect(response.status(), address).toBe(200);
    expect(response.headers()['x-robots-tag'], address).toBeUndefined();
  }
  expect(await (await page.request.get('/robots.txt')).text()).toBe('User-agent: *\nAllow: /\n');
  expectProblem(/response 404: GET .*nowhere/);
  const missing = await page.goto('/nowhere/at/all/of/it');
  expect([missing?.status(), missing?.headers()['x-robots-tag']]).toEqual([404, 'noindex']);
});

test('the manifest lists existing icons in their declared sizes', async ({ page }) => {
  await page.goto('/');
  const address = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? '';
  const manifest = (await (await page.request.get(address)).json()) as {
    start_url: string;
    icons: { src: string; sizes: string; type: string }[];
  };
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone', scope: '/' });
  for (const { src, sizes, type } of manifest.icons) {
    const response = await page.request.get(src);
    expect([response.status(), response.headers()['content-type']], src).toEqual([200, type]);
    if (type !== 'image/png') continue;
    const png = await response.body();
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(sizes);
  }
});
