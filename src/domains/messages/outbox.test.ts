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

test('shows each browser only its own messages, newest first, also on the machine itself', async () => {
  const [one, two] = [program.caller(), program.caller({ ip: '198.51.100.2' })];
  const [first, second] = [await requestCode(one), await requestCode(two)];
  program.clock.advance(60);
  const third = await requestCode(one);

  const page = (await one.get('outbox')).body;
  expect(page.indexOf(first)).toBeGreaterThan(page.indexOf(third));
  expect(page).toContain(third);
  expect(page).not.toContain(second);
  for (const stranger of [program.caller(), program.caller({ ip: '198.51.100.3' })]) {
    expect((await stranger.get('outbox')).body).not.toMatch(new RegExp(`${first}|${second}|${third}`));
    expect((await stranger.get('outbox.json')).json()).toEqual([]);
    expect((await stranger.get(`outbox.json?mobile=${first}`)).json()).toEqual([]);
  }
});

test('the page allows no scripts and refreshes itself', async () => {
  const { headers, body } = await program.caller().get('outbox');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-robots-tag': 'noindex' });
  expect(body).toContain('<meta http-equiv="refresh"');
});

test('the page is in the language of the visitor, the messages as they are sent', async () => {
  const caller = program.caller();
  const mobile = await requestCode(caller);
  caller.cookies.set('lang', 'hi');
  const { body } = await caller.get('outbox');
  expect(body).toContain('<html lang="hi">');
  expect(body).toContain('<h1>आउटबॉक्स</h1>');
  expect(body).toContain(`+91 ${mobile} को`);
  expect(body).toMatch(/<pre lang="en">.*\d{6}/);
});

test('/outbox.json returns the messages of the browser, of one mobile or of all', async () => {
  const caller = program.caller();
  const mobile = await requestCode(caller);
  program.clock.advance(60);
  await requestCode(caller);
  const messages = (await caller.get(`outbox.json?mobile=${mobile}`)).json<object[]>();
  expect(messages.map((message) => Object.keys(message).toSorted())).toEqual([['code', 'mobile', 'sent_at', 'text']]);
  expect((await caller.get('outbox.json')).json()).toHaveLength(2);
  expect((await caller.get('outbox.json?mobile=12')).statusCode).toBe(400);
  expect((await caller.get('outbox.json?mobile=1&mobile=2')).statusCode).toBe(400);
});
