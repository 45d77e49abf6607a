/** Rate limits of codes, and the text of a message. Design section 6, "Codes". */
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { RESEND_AFTER_SECONDS } from './contract.ts';

export const CODE_LIFETIME_SECONDS = 10 * 60;
export const GRANT_LIFETIME_SECONDS = 10 * 60;

/** Wrong codes for one number in a day, in all browsers. After that, no code is checked. */
export const MAX_WRONG_PER_DAY = 9;

const HOUR = 60 * 60;

/** Codes to one number, requested in any browser: one in 30 s, five an hour, eight a day. */
const SEND_LIMITS = [
  { max: 1, withinSeconds: RESEND_AFTER_SECONDS },
  { max: 5, withinSeconds: HOUR },
  { max: 8, withinSeconds: DAY_SECONDS },
] as const;

/**
 * Returns the seconds until the next code may be sent to a number, 0 if it may be sent now.
 * `sentAt`: the times of the codes of the last day, newest first.
 */
export function secondsUntilNextSend(sentAt: readonly Date[], now: Date): number {
  const waits = SEND_LIMITS.map(({ max, withinSeconds }) => {
    const oldest = sentAt[max - 1];
    return oldest ? Math.ceil((addSeconds(oldest, withinSeconds).getTime() - now.getTime()) / 1000) : 0;
  });
  return Math.max(0, ...waits);
}

/**
 * Wrong guesses are counted in the row of their code, which is valid for ten minutes. The codes of
 * the last 24 hours and ten minutes contain every guess of the last 24 hours.
 */
export const wrongGuessesSince = (now: Date) => addSeconds(now, -(DAY_SECONDS + CODE_LIFETIME_SECONDS));

/**
 * Returns the text of the message. WebOTP reads the last line, which binds the code to the site.
 */
export const codeText = (code: string, { brand, host }: { brand: string; host: string | undefined }) =>
  [
    `${code} is your ${brand} verification code. It works for 10 minutes. Never share it with anyone.`,
    ...(host ? ['', `@${host} #${code}`] : []),
  ].join('\n');
