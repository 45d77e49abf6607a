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

const FINGERPRINTS = ['AB'.repeat(32), 'CD'.repeat(32)].map((text) => text.match(/../g)!.join(':'));
const withApps = useProgram({
  ANDROID_APP_ID: 'example.laundry.app',
  ANDROID_APP_FINGERPRINTS: FINGERPRINTS.join(','),
  IOS_APP_ID: 'ABCDE12345.example.laundry.app',
});

test('app links name the apps of the settings', async () => {
  const read = async (name: string) => {
    const { statusCode, headers, body } = await withApps.caller().get(`.well-known/${name}`);
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    return JSON.parse(body) as unknown;
  };
  expect(await read('assetlinks.json')).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: { namespace: 'android_app', package_name: 'example.laundry.app', sha256_cert_fingerprints: FINGERPRINTS },
    },
  ]);
  expect(await read('apple-app-site-association')).toMatchObject({
    applinks: { details: [{ appIDs: ['ABCDE12345.example.laundry.app'] }] },
  });
});

test.each(['assetlinks.json', 'apple-app-site-association'])('without an app, %s is an unknown address', async (name) => {
  expect((await program.caller().get(`.well-known/${name}`)).statusCode).toBe(404);
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
