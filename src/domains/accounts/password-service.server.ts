/** Checks passwords and limits guesses, for customers and staff. docs/security.md, A5 and A6. */
import { ApiError } from '../../contract/api-error.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { consumeLimit, releaseUse, type Limit } from '../../db/limits.server.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Client } from '../../security/client.ts';
import type { ClientRateLimits } from '../../security/client-rate-limits.server.ts';
import type { Passwords } from '../../security/passwords.server.ts';
import type { KeyedHash } from '../../security/tokens.server.ts';
import type { Browser, KnownDevices } from '../verification/authentication.server.ts';
import { accountError } from './contract.ts';
import { loginWaitSeconds } from './rules.ts';
import * as store from './store.server.ts';

/** Checks the passwords of the accounts of one kind, and limits the guesses. */
export interface PasswordChecks {
  db: Db;
  clock: Clock;
  devices: KnownDevices;
  limits: ClientRateLimits;
  /** The log-ins of a network. Guesses at the form of customers must not delay the staff. */
  loginLimit: Limit;
  passwords: Passwords;
  hash: KeyedHash;
}

export const loginLimit = (name: string): Limit => ({ name, max: 100, windowSeconds: 15 * 60 });
/** With the right password, from the known browsers of a mobile, in the window of `loginLimit`. */
const MAX_KNOWN_LOGINS = 30;
/** Seconds. Index n is the wait after n + 1 consecutive wrong passwords. */
const WAIT_SECONDS = Array.from({ length: 20 }, (_, index) => loginWaitSeconds(index + 1));

/** The subject of the back-off that all unknown browsers share. */
const unknownDevice = (mobile: string) => `mobile ${mobile}`;

/** Counts a log-in of the network. Throws `ApiError` (rate-limited) beyond the limit. */
export async function countLogin(
  { db, limits, loginLimit: limit }: Pick<PasswordChecks, 'db' | 'limits' | 'loginLimit'>,
  client: Client,
): Promise<void> {
  const wait = await limits.consumeForNetwork(db, limit, client);
  if (wait > 0) throw new ApiError('rate-limited', accountError('too-many-wrong-passwords'), wait);
}

/**
 * Checks a password and counts the attempt. `find` reads the account of the mobile. For an unknown
 * mobile, `account` is undefined and `isCorrect` false. Throws `ApiError` (rate-limited) if the
 * network or the account must wait, and `QueueFull` if too many passwords are being checked.
 */
export async function checkPassword<Account extends { password_hash: string | null }>(
  dependencies: PasswordChecks,
  client: Client,
  { mobile, password }: { mobile: string; password: string },
  find: () => Promise<Account | undefined>,
): Promise<{ account: Account | undefined; isCorrect: boolean }> {
  const { db, clock, devices, passwords, hash, loginLimit: limit } = dependencies;
  // Unknown browsers share one back-off for each mobile. A browser that has logged in to this
  // account has its own, so that guesses elsewhere do not lock the owner out. It does not count in
  // the limit of its network, because other people may share it.
  const device = await devices.find(db, client, mobile);
  if (!device) await countLogin(dependencies, client);
  const subject = hash(device ? `device ${device}` : unknownDevice(mobile));

  const checked = await passwords.runLimited(async () => {
    const now = clock.now();
    if (!(await store.recordLoginAttempt(db, subject, WAIT_SECONDS, now))) {
      const next = await store.findNextLoginAttemptAt(db, subject);
      const secondsLeft = next ? Math.ceil((next.getTime() - now.getTime()) / 1000) : 1;
      throw new ApiError('rate-limited', accountError('too-many-wrong-passwords'), Math.max(secondsLeft, 1));
    }
    // A right password computes a hash, too. A wrong one does not count here: its browser has its
    // back-off, and must not use up the log-ins of the others.
    const known = { ...limit, name: `${limit.name}, known browsers`, max: MAX_KNOWN_LOGINS };
    const use = device ? { ...known, subject: hash(mobile).toString('hex'), now } : undefined;
    const counted = use && (await consumeLimit(db, use));
    if (counted?.allowed === false) throw new ApiError('rate-limited', accountError('too-many-wrong-passwords'), counted.retryAfterSeconds);
    const account = await find();
    const isCorrect = await passwords.matches(password, account?.password_hash ?? undefined);
    if (use && !isCorrect) await releaseUse(db, use);
    return { account, isCorrect };
  });
  if (checked.account && checked.isCorrect) await store.deleteLoginWait(db, subject);
  return checked;
}

/** Ends the back-off that unknown devices share for this mobile. */
export const resetLoginWait = (tx: Tx, hash: KeyedHash, mobile: string): Promise<void> =>
  store.deleteLoginWait(tx, hash(unknownDevice(mobile)));

/**
 * Runs the sign-ups and resets of a browser one after the other. The first uses the grant up, so
 * that the others compute no hash. A client without the cookie of a browser has no grant and does
 * not wait. Throws `QueueFull` if too many of one browser wait.
 */
export const limitNewPasswords = <Result>(
  { passwords }: Pick<PasswordChecks, 'passwords'>,
  browser: Browser | undefined,
  work: () => Promise<Result>,
): Promise<Result> => (browser ? passwords.runForProof(browser.hash.toString('hex'), work) : work());
