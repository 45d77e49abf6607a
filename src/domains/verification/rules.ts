/** How often a code may be sent and how a typed code is judged. Design section 6, "Codes". Pure: the time is an argument. */
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { RESEND_AFTER_SECONDS } from './contract.ts';

export const CODE_GOOD_FOR_SECONDS = 10 * 60;
export const GRANT_GOOD_FOR_SECONDS = 10 * 60;

/** Wrong codes for one number in a day, whoever typed them: after that nobody's guess is looked at. */
export const MOST_WRONG_A_DAY = 9;

const HOUR = 60 * 60;

/** Codes to one number, whoever asked: 30 s apart, five an hour, eight a day. */
const SENDS = [
  { most: 1, withinSeconds: RESEND_AFTER_SECONDS },
  { most: 5, withinSeconds: HOUR },
  { most: 8, withinSeconds: DAY_SECONDS },
] as const;

/** Seconds until one more code may go to a number; 0 when it may go now. `sentAt`: the times of the last day, newest first. */
export function secondsUntilNextSend(sentAt: readonly Date[], now: Date): number {
  const waits = SENDS.map(({ most, withinSeconds }) => {
    const oldest = sentAt[most - 1];
    return oldest ? Math.ceil((addSeconds(oldest, withinSeconds).getTime() - now.getTime()) / 1000) : 0;
  });
  return Math.max(0, ...waits);
}

/**
 * Guesses are counted at their code, and a code lives ten minutes: counting codes of the last 24 h and ten minutes misses no guess of the last 24 h.
 */
export const wrongGuessesSince = (now: Date) => addSeconds(now, -(DAY_SECONDS + CODE_GOOD_FOR_SECONDS));

/** The text of the message. Its last line is what WebOTP reads: the site and the code, bound to each other. */
export const codeText = (code: string, { brand, host }: { brand: string; host: string | undefined }) =>
  [
    `${code} is your ${brand} verification code. It works for 10 minutes. Never share it with anyone.`,
    ...(host ? ['', `@${host} #${code}`] : []),
  ].join('\n');
