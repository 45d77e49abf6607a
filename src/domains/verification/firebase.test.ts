/** Firebase phone sign-in over HTTP against a stand-in, including its failures. */
import { fail } from '../../contract/route.server.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { newMobile } from '../../../test/support/customer.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { FIREBASE_KEY, FIREBASE_PROJECT, startFirebase } from '../../../test/support/firebase-stand-in.ts';
import { useProgram } from '../../../test/support/program.ts';
import { SERVICE_FAILURES, SHORT_TIMEOUTS } from '../../../test/support/stand-in.ts';
import { readUses } from '../../db/limits.server.ts';
import { addSeconds } from '../../lib/clock.ts';
import { signUp } from '../accounts/contract.ts';
import { botCheckError } from '../bot-check/contract.ts';
import { confirmCode, sendCode, verificationError } from './contract.ts';

const clock = fakeClock();
const firebase = await startFirebase(clock.now);
const settings = {
  SMS_PROVIDER: 'firebase',
  FIREBASE_PROJECT_ID: FIREBASE_PROJECT,
  FIREBASE_API_KEY: FIREBASE_KEY,
  FIREBASE_URL: firebase.url,
  FIREBASE_KEYS_URL: `${firebase.url}/keys`,
  RECAPTCHA_SITE_KEY: 'public key',
};
const program = useProgram(settings, { timeouts: SHORT_TIMEOUTS, clock });

beforeEach(() => {
  firebase.behave();
  firebase.issue({});
  firebase.phones.length = 0;
  firebase.requests.length = 0;
});

type Caller = ReturnType<typeof program.caller>;

const requestCode = (mobile: string, caller: Caller = program.caller(), token = firebase.recaptchaToken()) =>
  caller.send(sendCode, { mobile, purpose: 'signup', challenge: token });

const confirm = (mobile: string, code: string, caller: Caller) => caller.send(confirmCode, { mobile, purpose: 'signup', code });

const codeSent = () => firebase.phones.at(-1)?.code ?? '';

/** Returns a browser that has requested a code for this mobile. */
async function callerWithCode(mobile: string): Promise<Caller> {
  const caller = program.caller();
  expect(await requestCode(mobile, caller)).toMatchObject({ response: 'success' });
  return caller;
}

const countRequests = (method: string) => firebase.requests.filter(({ path }) => path.includes(`:${method}?`)).length;

describe('sending', () => {
  test('requests the code from Firebase with the reCAPTCHA token of the browser', async () => {
    const mobile = newMobile();
    const token = firebase.recaptchaToken();
    expect(await requestCode(mobile, program.caller(), token)).toMatchObject({
      response: 'success',
      message: `SMS sent successfully on +91${mobile}`,
    });
    expect(firebase.requests.map(({ body }) => body)).toEqual([{ phoneNumber: `+91${mobile}`, recaptchaToken: token }]);
    expect(await program.db.selectFrom('outbox_messages').select('id').execute()).toEqual([]);
  });

  test.each(SERVICE_FAILURES)(
    'a Firebase that $name: returns the specified error, sends one request and voids the code',
    async ({ reply }) => {
      firebase.behave(reply);
      const [caller, mobile] = [program.caller(), newMobile()];
      expect(await requestCode(mobile, caller)).toEqual(fail(verificationError('sms-not-sent', { mobile })));
      expect(countRequests('sendVerificationCode')).toBe(1);
      firebase.behave();
      expect(await confirm(mobile, codeSent(), caller)).toMatchObject({ response: 'error', ...verificationError('out-of-attempts') });
      expect(countRequests('signInWithPhoneNumber')).toBe(0);
    },
  );

  test('returns the specified error if Firebase is down', async () => {
    await firebase.down();
    const mobile = newMobile();
    const result = await requestCode(mobile);
    await firebase.up();
    expect(result).toEqual(fail(verificationError('sms-not-sent', { mobile })));
  });

  test('a token that Firebase rejects fails the bot check and does not count in the limits of the mobile and of all', async () => {
    const mobile = newMobile();
    const sentThisHour = () =>
      readUses(program.db, { name: 'codes in all', max: 1000, windowSeconds: 60 * 60, subject: 'all', now: clock.now() });
    const before = await sentThisHour();
    const result = await program.caller().post(sendCode.path, { mobile, purpose: 'signup', challenge: 'forged' });
    expect([result.statusCode, result.json()]).toEqual([403, fail(botCheckError('bot-check-failed', { email: 'support@dhulai.example' }))]);
    expect(firebase.phones).toEqual([]);
    expect(await sentThisHour()).toBe(before);
    // The owner of the mobile requests a code without a wait.
    expect(await requestCode(mobile)).toMatchObject({ response: 'success' });
  });

  test('sends each token to Firebase once, and sends no empty token', async () => {
    const token = firebase.recaptchaToken();
    const replies = await Promise.all(
      [token, token, token, ''].map((challenge) =>
        program.caller().post(sendCode.path, { mobile: newMobile(), purpose: 'signup', challenge }),
      ),
    );
    expect(replies.filter(({ statusCode }) => statusCode === 403)).toHaveLength(3);
    expect(countRequests('sendVerificationCode')).toBe(1);
  });

  test('sends no number to Firebase that is not an Indian mobile', async () => {
    expect(await requestCode('5123456789')).toMatchObject({
      response: 'error',
      ...verificationError('sms-not-sent', { mobile: '5123456789' }),
    });
    expect(firebase.requests).toEqual([]);
  });
});

describe('confirming', () => {
  test('confirms the correct code once', async () => {
    const mobile = newMobile();
    const caller = await callerWithCode(mobile);
    expect(await confirm(mobile, codeSent(), caller)).toMatchObject({ response: 'success' });
    expect(await confirm(mobile, codeSent(), caller)).toMatchObject({ response: 'error' });
    expect(await caller.send(signUp, { name: 'Asha Rao', mobile, password: 'clean socks' })).toMatchObject({ response: 'success' });
  });

  test('sends three of 20 concurrent wrong codes to Firebase', async () => {
    const mobile = newMobile();
    const caller = await callerWithCode(mobile);
    const wrong = codeSent() === '000000' ? '000001' : '000000';
    const responses = await Promise.all(Array.from({ length: 20 }, () => confirm(mobile, wrong, caller)));
    expect(new Set(responses.map((result) => JSON.stringify(result)))).toEqual(
      new Set([JSON.stringify(fail(verificationError('wrong-code')))]),
    );
    expect(countRequests('signInWithPhoneNumber')).toBe(3);
    expect(await confirm(mobile, codeSent(), caller)).toMatchObject({ ...verificationError('wrong-code') });
  });

  test.each([
    ['of another project', { claims: { iss: 'https://securetoken.google.com/other', aud: 'other' } }],
    ['for another audience', { claims: { aud: 'other' } }],
    ["of another project's issuer", { claims: { iss: 'https://securetoken.google.com/other' } }],
    ['of another number', { claims: { phone_number: '+919999999999' } }],
    ['without a number', { claims: { phone_number: undefined } }],
    ['of another sign-in provider', { claims: { firebase: { sign_in_provider: 'password' } } }],
    ['that has expired', { expiresAt: addSeconds(clock.now(), -1) }],
    ['signed with another key', { signed: 'other' as const }],
    ['that is not signed', { signed: 'none' as const }],
  ])('rejects a token %s', async (_name, faults) => {
    firebase.issue(faults);
    const mobile = newMobile();
    const caller = await callerWithCode(mobile);
    expect(await confirm(mobile, codeSent(), caller)).toEqual(fail(verificationError('wrong-code')));
    expect(await caller.send(signUp, { name: 'Asha Rao', mobile, password: 'clean socks' })).toMatchObject({ response: 'error' });
  });

  test.each(SERVICE_FAILURES)('a Firebase that $name: returns 503 and counts the attempt', async ({ reply }) => {
    const mobile = newMobile();
    const caller = await callerWithCode(mobile);
    firebase.behave(reply);
    const result = await caller.post(confirmCode.path, { mobile, purpose: 'signup', code: codeSent() });
    expect([result.statusCode, result.json()]).toEqual([503, fail(verificationError('code-not-checked'))]);
    const code = await program.db.selectFrom('verification_codes').select('tries_left').where('mobile', '=', mobile).executeTakeFirst();
    expect(code).toEqual({ tries_left: 2 });
    firebase.behave();
    expect(await confirm(mobile, codeSent(), caller)).toMatchObject({ response: 'success' });
  });

  test('no log line contains a mobile, a code, a session or a token', () => {
    const secrets = firebase.phones.flatMap(({ phoneNumber, code, session }) => [phoneNumber.slice(3), `"${code}"`, session]);
    expect(program.log.filter((line) => secrets.some((secret) => line.includes(secret)) || line.includes('genuine'))).toEqual([]);
  });
});

describe('public keys that cannot be loaded', () => {
  // A separate program, because loaded keys are cached.
  const second = useProgram(settings, { timeouts: SHORT_TIMEOUTS, clock });

  test.each([{ status: 500, text: 'oops' }, { status: 200, text: '<html>' }, 'hang'] as const)('returns 503 for %o', async (keys) => {
    firebase.behave(undefined, { keys });
    const [caller, mobile] = [second.caller(), newMobile()];
    await requestCode(mobile, caller);
    const result = await caller.post(confirmCode.path, { mobile, purpose: 'signup', code: codeSent() });
    expect([result.statusCode, result.json()]).toEqual([503, fail(verificationError('code-not-checked'))]);
  });
});

describe('with the emulator, in a demonstration', () => {
  const third = useProgram({ ...settings, FIREBASE_AUTH_EMULATOR_HOST: new URL(firebase.url).host }, { timeouts: SHORT_TIMEOUTS, clock });

  test('accepts an unsigned token if its claims are valid', async () => {
    const outcomes = [];
    for (const claims of [{}, { aud: 'other' }, { phone_number: '+919999999999' }]) {
      firebase.issue({ signed: 'none', claims });
      const [caller, mobile] = [third.caller(), newMobile()];
      await requestCode(mobile, caller);
      outcomes.push((await confirm(mobile, codeSent(), caller)).response);
    }
    expect(outcomes).toEqual(['success', 'error', 'error']);
    expect(firebase.requests.map(({ path }) => path)).toContain(
      `/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode?key=${encodeURIComponent(FIREBASE_KEY)}`,
    );
  });
});
