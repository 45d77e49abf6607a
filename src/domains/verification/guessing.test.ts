/**
 * Guessing codes (docs/security.md, A1). At most three guesses at a code are checked, and at most
 * nine wrong guesses of one network for a mobile in a day. The stand-in of Firebase records the
 * guesses that the program sends to it.
 */
import { fail } from '../../contract/route.server.ts';
import { beforeEach, expect, test } from 'vitest';
import { newMobile } from '../../../test/support/customer.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { FIREBASE_KEY, FIREBASE_PROJECT, startFirebase } from '../../../test/support/firebase-stand-in.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { CallRefused } from '../../contract/call-failures.ts';
import { confirmCode, sendCode, verificationError } from './contract.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

const clock = fakeClock();
const firebase = await startFirebase(clock.now);
const program = useProgram(
  {
    SMS_PROVIDER: 'firebase',
    FIREBASE_PROJECT_ID: FIREBASE_PROJECT,
    FIREBASE_API_KEY: FIREBASE_KEY,
    FIREBASE_URL: firebase.url,
    FIREBASE_KEYS_URL: `${firebase.url}/keys`,
    RECAPTCHA_SITE_KEY: 'public key',
  },
  { clock },
);
const invalid = verificationError('wrong-code');
const outOfAttempts = verificationError('out-of-attempts');

beforeEach(() => {
  firebase.requests.length = 0;
});

const checkedGuesses = () => firebase.requests.filter(({ path }) => path.includes(':signInWithPhoneNumber?')).length;
const codeOf = (mobile: string) => firebase.phones.findLast(({ phoneNumber }) => phoneNumber === `+91${mobile}`)?.code ?? '';

const send = (caller: Caller, mobile: string) => caller.send(sendCode, { mobile, purpose: 'signup', challenge: firebase.recaptchaToken() });
const guess = (caller: Caller, mobile: string, code: string) => caller.send(confirmCode, { mobile, purpose: 'signup', code });

/** Sends all guesses concurrently. Some get 429, because the queue of the mobile is full. */
const flood = async (browsers: Caller[], mobile: string, codes: string[]): Promise<string[]> => {
  // Alternates the browsers, because guesses at one code also wait for the lock on its row.
  const results = await Promise.allSettled(codes.flatMap((code) => browsers.map((browser) => guess(browser, mobile, code))));
  return results.map((result) => {
    if (result.status === 'fulfilled') return JSON.stringify(result.value);
    expect(result.reason).toBeInstanceOf(CallRefused);
    expect(result.reason).toMatchObject({ status: 429, code: 'too-many-requests' });
    return 'rejected';
  });
};

/** Returns `count` codes that were not sent to the mobile. */
const wrongCodes = (mobile: string, count: number) => {
  const right = new Set(firebase.phones.filter(({ phoneNumber }) => phoneNumber === `+91${mobile}`).map(({ code }) => code));
  const any = Array.from({ length: count + right.size }, (_, index) => String(100_000 + index));
  return any.filter((code) => !right.has(code)).slice(0, count);
};

test('checks three of two hundred concurrent guesses and then rejects the correct code', async () => {
  const [browser, mobile] = [program.caller(), newMobile()];
  await send(browser, mobile);
  const responses = await flood([browser], mobile, wrongCodes(mobile, 200));
  expect(new Set(responses)).toEqual(new Set([JSON.stringify(fail(invalid)), 'rejected']));
  expect(checkedGuesses()).toBe(3);
  expect(await guess(browser, mobile, codeOf(mobile))).toMatchObject({ response: 'error', ...invalid });
  expect(checkedGuesses()).toBe(3);
});

test('checks nine wrong guesses a day of one network for a mobile, across browsers and resends', async () => {
  const mobile = newMobile();
  const browsers = Array.from({ length: 4 }, () => program.caller());
  for (const browser of browsers) {
    await send(browser, mobile);
    clock.advance(31);
  }
  // Four live codes with three tries each, guessed at the same time.
  const messages = await flood(browsers, mobile, wrongCodes(mobile, 8));
  expect(checkedGuesses()).toBe(9);
  expect(messages).toContain(JSON.stringify(fail(outOfAttempts)));

  const browser = browsers[3]!;
  expect(await guess(browser, mobile, codeOf(mobile))).toMatchObject(outOfAttempts);
  clock.advance(60 * 60);
  await expect(send(program.caller(), mobile)).rejects.toMatchObject({ status: 429, ...outOfAttempts });

  clock.advance(DAY_SECONDS);
  await send(browser, mobile);
  expect(await guess(browser, mobile, codeOf(mobile))).toMatchObject({ response: 'success' });
});

test('does not count correct codes as wrong guesses', async () => {
  const [browser, mobile] = [program.caller(), newMobile()];
  for (let day = 0; day < 2; day += 1) {
    for (let sends = 0; sends < 5; sends += 1) {
      await send(browser, mobile);
      for (const code of wrongCodes(mobile, day === 0 && sends < 4 ? 2 : 0)) await guess(browser, mobile, code);
      expect(await guess(browser, mobile, codeOf(mobile))).toMatchObject({ response: 'success' });
      clock.advance(60);
    }
    clock.advance(25 * 60 * 60);
  }
});

test('applies the limits to each of many mobiles that are guessed concurrently', async () => {
  const numbers = Array.from({ length: 10 }, () => ({ browser: program.caller(), mobile: newMobile() }));
  for (let round = 0; round < 4; round += 1) {
    for (const { browser, mobile } of numbers) await send(browser, mobile).catch(() => {});
    await Promise.all(numbers.flatMap(({ browser, mobile }) => wrongCodes(mobile, 10).map((code) => guess(browser, mobile, code))));
    clock.advance(60);
  }
  expect(checkedGuesses()).toBe(9 * numbers.length);
  const worst = await program.db
    .selectFrom('verification_codes')
    .select(({ fn }) => ['mobile', fn.sum<number>('wrong_guesses').as('wrong')])
    .groupBy('mobile')
    .execute();
  expect(Math.max(...worst.map(({ wrong }) => wrong))).toBe(9);
});

test('guesses with a forged cookie do not delay the owner of the mobile', async () => {
  const [owner, stranger, mobile] = [program.caller(), program.caller(), newMobile()];
  stranger.cookies.set('browser', 'made up');
  await send(owner, mobile);
  const before = program.log.length;
  const flooded = flood([stranger], mobile, wrongCodes(mobile, 200));
  expect(await guess(owner, mobile, codeOf(mobile))).toMatchObject({ response: 'success' });
  expect(new Set(await flooded)).toEqual(new Set([JSON.stringify(fail(outOfAttempts))]));
  expect(program.log.slice(before).filter((line) => line.includes('"level":50'))).toEqual([]);
});

test('limits one network to a hundred guesses of its codes in ten minutes', async () => {
  const [caller, mobile] = [program.caller({ ip: '198.51.100.31' }), newMobile()];
  await send(caller, mobile);
  const attempt = async () =>
    (await caller.post(confirmCode.path, { mobile, purpose: 'signup', code: wrongCodes(mobile, 1)[0] })).statusCode;
  await attempt();
  await program.db.updateTable('limit_windows').set({ taken: 99 }).where('name', '=', 'tried codes of a network').execute();
  expect([await attempt(), await attempt()]).toEqual([200, 429]);
});

test('attempts of browsers without a code, or without an attempt left, do not use those of their network', async () => {
  const ip = '198.51.100.32';
  const [customer, mobile] = [program.caller({ ip }), newMobile()];
  const stranger = program.caller({ ip });
  const strangersMobile = newMobile();
  await send(stranger, strangersMobile);
  for (const code of wrongCodes(strangersMobile, 3)) await guess(stranger, strangersMobile, code);
  await send(customer, mobile);
  for (let count = 0; count < 101; count += 1) {
    const { statusCode } = await stranger.post(confirmCode.path, {
      mobile: count % 2 ? newMobile() : strangersMobile,
      purpose: 'signup',
      code: '000000',
    });
    expect(statusCode).toBe(200);
  }
  expect(await guess(customer, mobile, codeOf(mobile))).toMatchObject({ response: 'success' });
});
