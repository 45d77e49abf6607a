/** Design section 6, "Codes". */
import { describe, expect, test } from 'vitest';
import { addSeconds } from '../../lib/clock.ts';
import {
  CODE_LIFETIME_SECONDS,
  codeText,
  GRANT_LIFETIME_SECONDS,
  guessesLeft,
  proofOfWorkDifficulty,
  secondsUntilNextSend,
  wrongGuessesSince,
  type RecentCode,
} from './rules.ts';

const now = new Date('2026-11-21T05:00:00Z');
const HOUR = 3600;

/** A code of a stranger in another network, sent this number of seconds ago. */
const code = (secondsAgo: number, change: Partial<RecentCode> = {}): RecentCode => ({
  sentAt: addSeconds(now, -secondsAgo),
  wrongGuesses: 0,
  isOfKnownDevice: false,
  isOfSameClient: false,
  ...change,
});

describe('seconds until the next code may be sent', () => {
  test.each<[string, number[], number]>([
    ['none was sent', [], 0],
    ['one was sent now', [0], 30],
    ['one was sent 29.5 s ago: rounded up', [29.5], 1],
    ['one was sent 30 s ago', [30], 0],
    ['four were sent within the hour', [100, 200, 300, 400], 0],
    ['five were sent within the hour', [100, 200, 300, 400, 500], HOUR - 500],
    ['the fifth is an hour old', [100, 200, 300, 400, HOUR], 0],
    ['seven were sent within the day', [1, 2, 3, 4, 5, 6, 7].map((hours) => hours * HOUR), 0],
    ['eight were sent within the day', [1, 2, 3, 4, 5, 6, 7, 8].map((hours) => hours * HOUR), 16 * HOUR],
    ['the eighth is a day old', [1, 2, 3, 4, 5, 6, 7, 24].map((hours) => hours * HOUR), 0],
    ['several limits apply: the longest wait counts', [10, 20, 30, 40, 50, 60, 70, 80], 24 * HOUR - 80],
  ])('secondsUntilNextSend returns the wait of a client if %s', (_what, secondsAgo, wait) => {
    const strangers = secondsAgo.map((seconds) => code(seconds));
    const known = secondsAgo.map((seconds) => code(seconds, { isOfKnownDevice: true }));
    // `now` is a whole minute.
    const rounded = Math.ceil(wait / 60) * 60;
    expect(secondsUntilNextSend({ recent: strangers, isKnownDevice: false }, now)).toBe(rounded);
    expect(secondsUntilNextSend({ recent: known, isKnownDevice: true }, now)).toBe(rounded);
    expect(secondsUntilNextSend({ recent: strangers, isKnownDevice: true }, now)).toBe(0);
    expect(secondsUntilNextSend({ recent: known, isKnownDevice: false }, now)).toBe(0);
  });

  test.each<[string, number[], number]>([
    ['one now', [0], 30],
    ['one 29.5 s ago: rounded up', [29.5], 1],
    ['three within the hour', [100, 200, 300], 0],
    ['four within the hour', [100, 200, 300, 400], HOUR - 400],
    ['five within the day', [1, 2, 3, 4, 5].map((hours) => hours * HOUR), 0],
    ['six within the day', [1, 2, 3, 4, 5, 6].map((hours) => hours * HOUR), 18 * HOUR],
  ])('secondsUntilNextSend returns the wait of this client after %s', (_what, secondsAgo, wait) => {
    const recent = secondsAgo.map((seconds) => code(seconds, { isOfSameClient: true }));
    expect(secondsUntilNextSend({ recent, isKnownDevice: false }, now)).toBe(wait);
    const ofDevice = secondsAgo.map((seconds) => code(seconds, { isOfSameClient: true, isOfKnownDevice: true }));
    expect(secondsUntilNextSend({ recent: ofDevice, isKnownDevice: true }, now)).toBe(wait);
  });

  test('a wait for another client ends with a minute, whenever it is asked for', () => {
    const recent = [code(10, { isOfSameClient: true }), code(100), code(200), code(300), code(430)];
    expect(secondsUntilNextSend({ recent, isKnownDevice: false }, now)).toBe(3180);
    expect(secondsUntilNextSend({ recent, isKnownDevice: false }, addSeconds(now, 19))).toBe(3161);
    expect(secondsUntilNextSend({ recent, isKnownDevice: false }, addSeconds(now, 3169))).toBe(11);
    expect(secondsUntilNextSend({ recent, isKnownDevice: false }, addSeconds(now, 3170))).toBe(0);
  });
});

describe('wrong guesses left', () => {
  const left = (isKnownDevice: boolean, ...recent: RecentCode[]) => guessesLeft({ recent, isKnownDevice });
  const wrong = (count: number, change: Partial<RecentCode> = {}) =>
    Array.from({ length: count }, () => code(60, { wrongGuesses: 1, ...change }));
  const [own, known] = [{ isOfSameClient: true }, { isOfKnownDevice: true }];

  test('a stranger has nine, in codes of its browser or network', () => {
    expect(left(false)).toBe(9);
    expect(left(false, ...wrong(8, own), ...wrong(10))).toBe(1);
    expect(left(false, ...wrong(9, own))).toBe(0);
    expect(left(false, ...wrong(11, own))).toBe(0);
  });

  test('all strangers have twenty-four', () => {
    expect(left(false, ...wrong(20))).toBe(4);
    expect(left(false, ...wrong(24))).toBe(0);
  });

  test('a known device has six, and all known devices have nine', () => {
    expect(left(true, ...wrong(24, own))).toBe(6);
    expect(left(true, ...wrong(5, { ...known, ...own }))).toBe(1);
    expect(left(true, ...wrong(6, { ...known, ...own }))).toBe(0);
    expect(left(true, ...wrong(6, known))).toBe(3);
    expect(left(true, ...wrong(5, known), ...wrong(3, { ...known, ...own }))).toBe(1);
    expect(left(true, ...wrong(9, known))).toBe(0);
    expect(left(false, ...wrong(9, { ...known, ...own }))).toBe(9);
  });
});

test.each([
  [0, 1],
  [299, 1],
  [300, 2],
  [399, 2],
  [400, 4],
  [500, 8],
  [600, 16],
  [1000, 16],
])('after %i codes of the hour a proof of work is %i times as difficult', (sent, difficulty) => {
  expect(proofOfWorkDifficulty(sent)).toBe(difficulty);
});

test('a code and the grant of a confirmed code are valid for ten minutes', () => {
  expect([CODE_LIFETIME_SECONDS, GRANT_LIFETIME_SECONDS]).toEqual([600, 600]);
});

test('wrong guesses count for 24 hours and the ten minutes that their code was valid', () => {
  expect(wrongGuessesSince(now)).toEqual(new Date('2026-11-20T04:50:00Z'));
});

test('the message names code and brand; the line that WebOTP reads needs a host', () => {
  const text = '012345 is your Dhulai verification code. It works for 10 minutes. Never share it with anyone.';
  expect(codeText('012345', { brand: 'Dhulai', host: 'dhulai.example' })).toBe(`${text}\n\n@dhulai.example #012345`);
  expect(codeText('012345', { brand: 'Dhulai', host: undefined })).toBe(text);
});
