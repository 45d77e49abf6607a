/** Rate limits of codes, and the text of a message. Design section 6, "Codes". */
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { RESEND_AFTER_SECONDS } from './contract.ts';

export const CODE_LIFETIME_SECONDS = 10 * 60;
export const GRANT_LIFETIME_SECONDS = 10 * 60;

const HOUR_SECONDS = 60 * 60;

/** A code of the last day. */
export interface RecentCode {
  sentAt: Date;
  wrongGuesses: number;
  /** Whether the browser that requested it was a known device of the mobile. */
  isOfKnownDevice: boolean;
  /**
   * Whether the client of the current request had requested it. A known device is one client. All
   * unknown devices with one browser cookie, or of one network, count as one client.
   */
  isOfSameClient: boolean;
}

interface SendLimit {
  max: number;
  withinSeconds: number;
}

/**
 * The limits of all unknown devices together. All known devices of the mobile have the same limits.
 */
const SEND_LIMITS: readonly SendLimit[] = [
  { max: 1, withinSeconds: RESEND_AFTER_SECONDS },
  { max: 5, withinSeconds: HOUR_SECONDS },
  { max: 8, withinSeconds: DAY_SECONDS },
];

/**
 * The limits of one client are lower, so that it cannot use up the codes of the mobile. The owner
 * may use a new browser, and a known device may belong to an earlier owner of the number.
 */
const SEND_LIMITS_OF_CLIENT: readonly SendLimit[] = [
  { max: 4, withinSeconds: HOUR_SECONDS },
  { max: 6, withinSeconds: DAY_SECONDS },
];

/** Wrong guesses at the codes of one mobile in a day. docs/decisions/0038 has the arithmetic. */
const MAX_WRONG = {
  /** `ofAll`: three guesses for each of the eight codes of unknown devices in a day. */
  unknownDevices: { ofClient: 9, ofAll: 24 },
  /** One device cannot use the last three guesses, which are those of one code. */
  knownDevices: { ofClient: 6, ofAll: 9 },
} as const;

/** The client that requests or enters a code. */
interface Requester {
  /** The codes of the mobile in the last day, newest first. */
  recent: readonly RecentCode[];
  isKnownDevice: boolean;
}

/**
 * Returns the codes that count for the client: those of known devices for a known device, those of
 * unknown devices for an unknown device; and the codes among them that this client requested.
 */
function countedCodes({ recent, isKnownDevice }: Requester) {
  const group = recent.filter(({ isOfKnownDevice }) => isOfKnownDevice === isKnownDevice);
  return { group, ofClient: group.filter(({ isOfSameClient }) => isOfSameClient) };
}

const endOfMinute = (time: Date) => new Date(Math.ceil(time.getTime() / 60_000) * 60_000);

/**
 * Returns the seconds until the next code may be sent. A wait that another client caused is rounded
 * up to a full minute: the exact end would reveal when that client requested its code.
 */
export function secondsUntilNextSend(requester: Requester, now: Date): number {
  const { group, ofClient } = countedCodes(requester);
  const secondsToWait = (codes: readonly RecentCode[], limits: readonly SendLimit[]) =>
    limits.map(({ max, withinSeconds }) => {
      const oldest = codes[max - 1];
      const end = oldest && addSeconds(oldest.sentAt, withinSeconds);
      if (!end || end <= now) return 0;
      return Math.ceil(((oldest.isOfSameClient ? end : endOfMinute(end)).getTime() - now.getTime()) / 1000);
    });
  return Math.max(...secondsToWait(group, SEND_LIMITS), ...secondsToWait(ofClient, SEND_LIMITS_OF_CLIENT));
}

/**
 * Returns the wrong guesses left to the requester, 0 or more. The guesses of the last 24 hours
 * count, not those of the calendar day.
 */
export function guessesLeft(requester: Requester): number {
  const { group, ofClient } = countedCodes(requester);
  const wrong = (codes: readonly RecentCode[]) => codes.reduce((sum, { wrongGuesses }) => sum + wrongGuesses, 0);
  const max = requester.isKnownDevice ? MAX_WRONG.knownDevices : MAX_WRONG.unknownDevices;
  return Math.max(0, Math.min(max.ofClient - wrong(ofClient), max.ofAll - wrong(group)));
}

/** The maximum number of codes in an hour. The higher limits keep a reserve for known customers. */
export const CODES_PER_HOUR = {
  unknownDevice: 700,
  /** A network from which a code was confirmed in the last day. */
  knownNetwork: 850,
  knownDevice: 1000,
} as const;

/** The program logs a warning when it has sent this many codes in an hour. */
export const CODES_WORTH_A_WARNING = 500;

const MAX_DIFFICULTY = 16;

/**
 * Returns the factor of the difficulty of a proof of work. `codesSent` is the number of codes since
 * the last full hour, so that the factor returns to 1 at each full hour in India. It is 1 up to 299
 * codes and doubles with each further hundred, up to 16.
 */
export const proofOfWorkDifficulty = (codesSent: number): number =>
  Math.min(2 ** Math.max(0, Math.floor(codesSent / 100) - 2), MAX_DIFFICULTY);

/**
 * Returns the earliest time of a code whose wrong guesses count. They are counted in the row of
 * their code, which is valid for ten minutes. The codes of the last 24 hours and ten minutes
 * contain every guess of the last 24 hours.
 */
export const wrongGuessesSince = (now: Date) => addSeconds(now, -(DAY_SECONDS + CODE_LIFETIME_SECONDS));

/**
 * Returns the text of the message. WebOTP reads the last line, which binds the code to the site. It
 * is missing without a `host`.
 */
export const codeText = (code: string, { brand, host }: { brand: string; host: string | undefined }) =>
  [
    `${code} is your ${brand} verification code. It works for 10 minutes. Never share it with anyone.`,
    ...(host ? ['', `@${host} #${code}`] : []),
  ].join('\n');

/** The outcomes of a request for a code, for the metrics. */
export const CODE_REQUEST_OUTCOMES = [
  'sent',
  'not-sent',
  'bot-check-failed',
  'limit-of-mobile',
  'limit-of-network',
  'limit-of-all',
] as const;
export type CodeRequestOutcome = (typeof CODE_REQUEST_OUTCOMES)[number];
