import { expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';

const program = useProgram();
const offline = (headers: Record<string, string>) => program.caller().get('offline', headers);

test('the offline page declares its language, which the service worker reads (public/sw.js)', async () => {
  const { headers, body } = await offline({ cookie: 'lang=hi' });
  expect(body).toContain('<html lang="hi">');
  expect(headers).toMatchObject({ 'content-language': 'hi', 'cache-control': 'private, no-cache' });
});

test('the English offline page is the same for every visitor and cacheable', async () => {
  for (const cookie of ['', 'lang=en', 'lang=xx']) {
    const { headers, body } = await offline({ cookie });
    expect(body).toContain('<html lang="en">');
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(headers['content-language']).toBeUndefined();
  }
});

const published = useProgram({ PUBLIC_URL: 'https://laundry.example' });
const FORGED = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };

test('robots.txt and the sitemap never contain the host of the request', async () => {
  for (const { caller } of [program, published]) {
    for (const path of ['robots.txt', 'sitemap.xml']) expect((await caller().get(path, FORGED)).body).not.toContain('evil');
  }
  expect((await program.caller().get('robots.txt', FORGED)).body).toBe('User-agent: *\nAllow: /\n');
  expect((await program.caller().get('sitemap.xml', FORGED)).body).toContain('<loc>/reviews</loc>');
  expect((await published.caller().get('robots.txt')).body).toContain('\n\nSitemap: https://laundry.example/sitemap.xml\n');
  expect((await published.caller().get('sitemap.xml')).body).toContain('<loc>https://laundry.example/reviews</loc>');
});
