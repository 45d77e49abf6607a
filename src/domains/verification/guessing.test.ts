/** Guessing codes. Reliability bar, A1: at most three guesses at a code are looked at, and nine wrong ones for a number in a day. */
import { beforeEach, expect, test } from 'vitest';
import { newMobile } from '../../../test/support/customer.ts';
import { TEST_SECRET, useProgram } from '../../../test/support/program.ts';
import { WAITS } from '../../web/outside.server.ts';
import { createVisitorLimits } from '../../web/visitor-limits.server.ts';
import { noBotCheck } from '../bot-check/provider.server.ts';
import { outboxGateway } from '../messages/provider.server.ts';
import { createMessages } from '../messages/service.server.ts';
import { verificationMessages } from './contract.ts';
import type { Browser } from './gate.server.ts';
import { ownCodes, type CodeProvider } from './provider.server.ts';
import * as service from './service.server.ts';

const program = useProgram();
const { invalid, outOfAttempts } = verificationMessages;

/** The real provider; it tells which guesses it was asked about and what the code is. */
function watched(provider: CodeProvider) {
  const looked = { started: '', guesses: [] as string[] };
  const codes: CodeProvider = {
    start: async (mobile, proof, deadline) => {
      const started = await provider.start(mobile, proof, deadline);
      looked.started = started.code ?? '';
      return started;
    },
    check: async (handle, code) => {
      looked.guesses.push(code);
      return provider.check(handle, code);
    },
  };
  return { looked, codes };
}

let parts: service.VerificationParts;
let looked: { started: string; guesses: string[] };
let browserCount = 0;

beforeEach(() => {
  const { db, clock } = program;
  const provider = watched(ownCodes(TEST_SECRET));
  looked = provider.looked;
  const messages = createMessages({ db, clock, gateway: outboxGateway, waits: WAITS, onFailure: () => {} });
  const limits = createVisitorLimits({ clock, demo: true });
  const reaches = () => true;
  const { codes } = provider;
  parts = { db, clock, limits, botCheck: noBotCheck, codes, messages, host: undefined, reaches, sendWithinMs: WAITS.sendMs };
});

const newBrowser = () => ({ hash: Buffer.from(`browser ${++browserCount}`) }) as Browser;
const local = { raw: { socket: { remoteAddress: '127.0.0.1' } }, socket: { remoteAddress: '127.0.0.1' }, headers: {} };
const send = (browser: Browser, mobile: string) =>
  service.sendCode(parts, { browser, mobile, purpose: 'signup', proof: '', request: local as never });
const guess = (browser: Browser, mobile: string, code: string) => service.confirmCode(parts, { browser, mobile, purpose: 'signup', code });

/** Many at once. A number that is flooded sends some away before they are looked at; all others are answered. */
const flood = async (browsers: Browser[], mobile: string, codes: string[]): Promise<string[]> => {
  // The browsers take turns: guesses at one code wait for each other at its row, whatever else holds or does not.
  const results = await Promise.allSettled(codes.flatMap((code) => browsers.map((browser) => guess(browser, mobile, code))));
  return results.map((result) => {
    if (result.status === 'fulfilled') return result.value.message;
    expect(result.reason).toMatchObject({ name: 'Refusal', status: 503 });
    return 'sent away';
  });
};

/** Six digits that are surely not the code. */
const wrongCodes = (count: number) =>
  Array.from({ length: count }, (_, index) => String((Number(looked.started) + 1 + index) % 1_000_000).padStart(6, '0'));

test('of two hundred guesses at once three are looked at, and then not even the right code helps', async () => {
  const [browser, mobile] = [newBrowser(), newMobile()];
  await send(browser, mobile);
  const answers = await flood([browser], mobile, wrongCodes(200));
  expect(new Set(answers)).toEqual(new Set([invalid, 'sent away']));
  expect(looked.guesses).toHaveLength(3);
  expect(await guess(browser, mobile, looked.started)).toMatchObject({ response: 'error', message: invalid });
  expect(looked.guesses).toHaveLength(3);
});

test('nine wrong guesses a day for a number, counted across browsers and resends', async () => {
  const mobile = newMobile();
  const browsers = Array.from({ length: 5 }, newBrowser);
  for (const browser of browsers) {
    await send(browser, mobile);
    program.clock.advance(31);
  }
  // Five live codes with three tries each, guessed at the same time.
  const messages = await flood(browsers, mobile, wrongCodes(8));
  expect(looked.guesses).toHaveLength(9);
  expect(messages).toContain(outOfAttempts);

  const browser = browsers[4]!;
  expect(await guess(browser, mobile, looked.started)).toMatchObject({ message: outOfAttempts });
  program.clock.advance(60 * 60);
  await expect(send(newBrowser(), mobile)).rejects.toMatchObject({ status: 429, message: outOfAttempts });

  program.clock.advance(24 * 60 * 60);
  await send(browser, mobile);
  expect(await guess(browser, mobile, looked.started)).toMatchObject({ response: 'success' });
});

test('right codes are no wrong guesses: a number that is confirmed again and again stays usable', async () => {
  const [browser, mobile] = [newBrowser(), newMobile()];
  for (let day = 0; day < 2; day += 1) {
    for (let sends = 0; sends < 5; sends += 1) {
      await send(browser, mobile);
      for (const code of wrongCodes(day === 0 && sends < 4 ? 2 : 0)) await guess(browser, mobile, code);
      expect(await guess(browser, mobile, looked.started)).toMatchObject({ response: 'success' });
      program.clock.advance(60);
    }
    program.clock.advance(25 * 60 * 60);
  }
});

test('guesses over many numbers at once stay within the limits of each', async () => {
  const numbers = Array.from({ length: 20 }, () => ({ browser: newBrowser(), mobile: newMobile() }));
  for (let round = 0; round < 4; round += 1) {
    for (const { browser, mobile } of numbers) await send(browser, mobile).catch(() => {});
    await Promise.all(numbers.flatMap(({ browser, mobile }) => wrongCodes(10).map((code) => guess(browser, mobile, code))));
    program.clock.advance(60);
  }
  // Random codes: of the 9 guesses for each of 20 numbers one might be right once in some 5,000 runs; it would then count less, never more.
  expect(looked.guesses.length).toBeLessThanOrEqual(9 * numbers.length);
  const worst = await program.db
    .selectFrom('verification_codes')
    .select(({ fn }) => ['mobile', fn.sum<number>('wrong_guesses').as('wrong')])
    .groupBy('mobile')
    .execute();
  expect(Math.max(...worst.map(({ wrong }) => wrong))).toBe(9);
});
