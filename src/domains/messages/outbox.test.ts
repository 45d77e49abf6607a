/** Which visitors see which messages of a demonstration. Design section 3. */
import { expect, test } from 'vitest';
import { newMobile } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { Caller } from '../../../test/support/caller.ts';

const program = useProgram({ BOT_CHECK: 'off', TRUST_PROXY: '1' });

async function requestCode(caller: Caller): Promise<string> {
  const mobile = newMobile();
  await caller.post('verification/sendcode', { mobile, purpose: 'signup', challenge: '' });
  return mobile;
}

test('shows all messages on the machine itself, newest first, and only its own to another browser', async () => {
  const [one, two] = [program.caller({ ip: '198.51.100.1' }), program.caller({ ip: '198.51.100.2' })];
  const [first, second] = [await requestCode(one), await requestCode(two)];

  const local = (await program.caller().get('outbox')).body;
  expect(local.indexOf(second)).toBeGreaterThan(0);
  expect(local.indexOf(first)).toBeGreaterThan(local.indexOf(second));

  const pageOfFirstBrowser = (await one.get('outbox')).body;
  expect(pageOfFirstBrowser).toContain(first);
  expect(pageOfFirstBrowser).not.toContain(second);
  const pageOfUnknownBrowser = (await program.caller({ ip: '198.51.100.3' }).get('outbox')).body;
  expect(pageOfUnknownBrowser).not.toMatch(new RegExp(`${first}|${second}`));
});

test('the page allows no scripts and refreshes itself', async () => {
  const { headers, body } = await program.caller().get('outbox');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-robots-tag': 'noindex' });
  expect(body).toContain('<meta http-equiv="refresh"');
});

test('/outbox.json accepts requests from the machine itself, but not through a proxy', async () => {
  const mobile = await requestCode(program.caller());
  const messages = (await program.caller().get(`outbox.json?mobile=${mobile}`)).json<object[]>();
  expect(messages.map((message) => Object.keys(message).toSorted())).toEqual([['code', 'mobile', 'sent_at', 'text']]);
  expect((await program.caller({ ip: '198.51.100.1' }).get('outbox.json')).statusCode).toBe(403);
  const proxied = await program.app.inject({
    url: '/outbox.json',
    remoteAddress: '127.0.0.1',
    headers: { 'x-forwarded-for': '127.0.0.1' },
  });
  expect(proxied.statusCode).toBe(403);
  expect((await program.caller().get('outbox.json?mobile=12')).statusCode).toBe(400);
  expect((await program.caller().get('outbox.json?mobile=1&mobile=2')).statusCode).toBe(400);
});
