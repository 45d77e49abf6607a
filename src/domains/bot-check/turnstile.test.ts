/**
 * Turnstile as the bot check, over real HTTP: no message is sent without a valid token
 * (docs/security.md, A2).
 */
import { toErrorMessage } from '../../contract/errors.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { beforeEach, expect, test } from 'vitest';
import { newestCode, newMobile } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import { SERVICE_FAILURES, SHORT_TIMEOUTS, type StandInReply } from '../../../test/support/stand-in.ts';
import { startTurnstile, TURNSTILE_TEST_SECRET } from '../../../test/support/turnstile-stand-in.ts';
import { confirmCode, RESEND_AFTER_SECONDS, sendCode } from '../verification/contract.ts';
import { botCheckError, challenge, TURNSTILE_ACTION } from './contract.ts';

const HOST = 'laundry.example';
const turnstile = await startTurnstile();
const settings = {
  BOT_CHECK: 'turnstile',
  TURNSTILE_SITE_KEY: 'public key',
  TURNSTILE_SECRET: TURNSTILE_TEST_SECRET,
  TURNSTILE_URL: `${turnstile.url}/siteverify`,
  PUBLIC_URL: `https://${HOST}`,
};
const program = useProgram(settings, { timeouts: SHORT_TIMEOUTS });
/** Does not give up a check while the test holds its response back. */
const patientProgram = useProgram(settings, { timeouts: { ...SHORT_TIMEOUTS, botCheckMs: 60_000 } });

beforeEach(() => {
  turnstile.behave();
  turnstile.forget(false);
});

/** Requests a code with this token and returns its status, and its error if it failed. */
async function requestCode(token: string, mobile = newMobile(), caller = program.caller()) {
  const response = await caller.post(sendCode.path, { mobile, purpose: 'signup', challenge: token });
  return { status: response.statusCode, ...toErrorMessage(response.json<ErrorMessage>()) };
}

const countMessages = async () => (await program.db.selectFrom('outbox_messages').select('id').execute()).length;

const rejected = { status: 403, ...botCheckError('bot-check-failed', { email: 'support@dhulai.example' }) };

test('accepts a token of this site and action', async () => {
  expect((await requestCode(turnstile.issueToken(HOST, TURNSTILE_ACTION))).status).toBe(200);
  expect(turnstile.requests.at(-1)?.body).toMatchObject({ secret: TURNSTILE_TEST_SECRET });
});

test('exposes only the public key to pages', async () => {
  expect(program.site.botCheck).toEqual({ kind: 'turnstile', siteKey: 'public key' });
  const { data } = await program.caller().send(challenge, {});
  expect(data).toEqual({ kind: 'turnstile', challenge: '' });
});

test.each([
  ['no token', () => ''],
  ['an invalid token', () => 'XXXX.DUMMY.TOKEN.XXXX'],
  ['a token of another site', () => turnstile.issueToken('other.example', TURNSTILE_ACTION)],
  ['a token of another action', () => turnstile.issueToken(HOST, 'newsletter')],
])('rejects %s and sends nothing', async (_name, token) => {
  const before = await countMessages();
  expect(await requestCode(token())).toEqual(rejected);
  expect(await countMessages()).toBe(before);
});

test('accepts a token once, even if Turnstile accepts it again and ten calls are concurrent', async () => {
  turnstile.forget(true);
  const token = turnstile.issueToken(HOST, TURNSTILE_ACTION);
  const responses = await Promise.all(Array.from({ length: 10 }, () => requestCode(token)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await requestCode(token)).toEqual(rejected);
});

test.each(SERVICE_FAILURES)(
  'rejects every token if Turnstile has the fault "$name", and logs it without token and secret',
  async ({ reply }) => {
    turnstile.behave(reply);
    const logged = program.log.length;
    const token = turnstile.issueToken(HOST, TURNSTILE_ACTION);
    const before = await countMessages();
    expect(await requestCode(token)).toEqual(rejected);
    expect(await countMessages()).toBe(before);
    const lines = program.log.slice(logged);
    expect(lines.filter((line) => line.includes('verifying a Turnstile token failed'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(token) || line.includes(TURNSTILE_TEST_SECRET))).toEqual([]);
  },
);

test('rejects every token while Turnstile is down', async () => {
  await turnstile.down();
  const response = await requestCode('any token');
  await turnstile.up();
  expect(response).toEqual(rejected);
});

test('requests sixty checks for a network in ten minutes and twenty for the known devices of a number', async () => {
  const ip = '198.51.100.41';
  const [mobile, stranger] = [newMobile(), program.caller({ ip })];
  /** Verifies the mobile in a new browser, which is a known device from then on. */
  const newDevice = async () => {
    const device = program.caller({ ip });
    await requestCode(turnstile.issueToken(HOST, TURNSTILE_ACTION), mobile, device);
    await device.send(confirmCode, { mobile, purpose: 'signup', code: await newestCode(program, mobile) });
    program.clock.advance(RESEND_AFTER_SECONDS);
    return device;
  };
  const devices = [await newDevice(), await newDevice()];
  const checked = turnstile.requests.length;
  const refused = Array.from({ length: 60 }, () => requestCode('invented', newMobile(), stranger));
  expect((await Promise.all(refused)).filter(({ status }) => status === 429)).toHaveLength(2);
  expect(turnstile.requests.length - checked).toBe(58);
  const ofDevices = devices.flatMap((device) => Array.from({ length: 15 }, () => requestCode('invented', mobile, device)));
  expect((await Promise.all(ofDevices)).filter(({ status }) => status === 429)).toHaveLength(10);
  expect(turnstile.requests.length - checked).toBe(78);
});

test('known devices that use up the checks of a number leave the others those of their network', async () => {
  const [mobile, ip] = [newMobile(), '198.51.100.42'];
  const [owner, other] = [program.caller({ ip: '198.51.100.43' }), program.caller({ ip })];
  for (const device of [owner, other]) {
    await requestCode(turnstile.issueToken(HOST, TURNSTILE_ACTION), mobile, device);
    await device.send(confirmCode, { mobile, purpose: 'signup', code: await newestCode(program, mobile) });
    program.clock.advance(RESEND_AFTER_SECONDS);
  }
  const invented = Array.from({ length: 80 }, () => requestCode('invented', mobile, other));
  expect((await Promise.all(invented)).map(({ status }) => status)).toContain(429);
  expect((await requestCode(turnstile.issueToken(HOST, TURNSTILE_ACTION), mobile, owner)).status).toBe(200);
});

test('sends sixteen checks at a time, and refuses those for which a hundred wait', async () => {
  const response = Promise.withResolvers<StandInReply>();
  turnstile.behave(response.promise);
  const checked = turnstile.requests.length;
  let refused = 0;
  const requests = Array.from({ length: 120 }, async (_, index) => {
    const caller = patientProgram.caller({ ip: `198.${index}.100.1` });
    expect(await requestCode('invented', newMobile(), caller)).toEqual(rejected);
    refused += 1;
  });
  await expect.poll(() => refused).toBe(4);
  await expect.poll(() => turnstile.requests.length - checked).toBe(16);
  turnstile.behave();
  response.resolve({ status: 200, json: { success: false } });
  await Promise.all(requests);
  expect(turnstile.requests.length - checked).toBe(116);
  expect((await requestCode(turnstile.issueToken(HOST, TURNSTILE_ACTION), newMobile(), patientProgram.caller())).status).toBe(200);
});
