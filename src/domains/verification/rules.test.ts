/** Design section 6, "Codes". */
import { describe, expect, test } from 'vitest';
import { addSeconds } from '../../lib/clock.ts';
import { CODE_LIFETIME_SECONDS, codeText, GRANT_LIFETIME_SECONDS, secondsUntilNextSend, wrongGuessesSince } from './rules.ts';

const now = new Date('2026-11-21T05:00:00Z');
const HOUR = 3600;

/** Times of codes so many seconds ago, newest first. */
const sent = (...secondsAgo: number[]) => secondsAgo.map((seconds) => addSeconds(now, -seconds));

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
  ])('%s', (_what, secondsAgo, wait) => {
    expect(secondsUntilNextSend(sent(...secondsAgo), now)).toBe(wait);
  });
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
