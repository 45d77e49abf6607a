import { expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';

const program = useProgram();
const offline = (headers: Record<string, string>) => program.caller().get('offline', headers);

test('the page for no connection says which language it is in: the service worker goes by that (public/sw.js)', async () => {
  const { headers, body } = await offline({ cookie: 'lang=hi' });
  expect(body).toContain('<html lang="hi">');
  expect(headers).toMatchObject({ 'content-language': 'hi', 'cache-control': 'private, no-cache' });
});

test('in English it is the same for everyone, and any cache may keep it', async () => {
  for (const cookie of ['', 'lang=en', 'lang=xx']) {
    const { headers, body } = await offline({ cookie });
    expect(body).toContain('<html lang="en">');
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(headers['content-language']).toBeUndefined();
  }
});
