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
