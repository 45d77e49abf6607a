/** Sign-up, log-in, log-out, look-up. Design sections 5 and 6, "Accounts"; reliability bar, A5 to A7 and S1. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { readReferral } from '../../lib/referral-code.ts';
import type { KeyedHash } from '../../security/tokens.server.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { Limit } from '../../db/limits.server.ts';
import { fail, ApiError, succeed } from '../../contract/route.server.ts';
import type { ClientRateLimits } from '../../security/client-rate-limits.server.ts';
import type { Passwords } from '../../security/passwords.server.ts';
import { sampleCustomer, type Authentication, type NewSession } from '../sessions/authentication.server.ts';
import { deleteSessionsOf } from '../sessions/store.server.ts';
import { claimLastProof, claimProof, grant, hasProved, type Browser } from '../verification/authentication.server.ts';
import { accountError, accountMessages as messages } from './contract.ts';
import { firstName, readQuery, waitAfterWrongSeconds } from './rules.ts';
import * as store from './store.server.ts';

export interface AccountParts {
  db: Db;
  clock: Clock;
  authentication: Authentication;
  limits: ClientRateLimits;
  passwords: Passwords;
  hash: KeyedHash;
  /** What a guest is called, by the address of their last order; undefined for one who never ordered, and so has nothing to claim. */
  nameOfGuest(db: Db, customerId: string): Promise<string | undefined>;
}

const LOGINS_OF_NETWORK: Limit = { name: 'log-ins of a network', max: 100, windowSeconds: 15 * 60 };
const LOOK_UPS_OF_NETWORK: Limit = { name: 'look-ups of a network', max: 30, windowSeconds: 10 * 60 };
/** Neighbourhoods may ask 150 times each: three hundred that use up theirs still leave more than half to everybody else. */
const LOOK_UPS_IN_ALL: Limit = { name: 'look-ups in all', max: 100_000, windowSeconds: 10 * 60 };
const HANDLE_GOOD_FOR_SECONDS = 30 * 60;

/** Indexed by wrong passwords in a row, less one. */
const WAITS = Array.from({ length: 20 }, (_, index) => waitAfterWrongSeconds(index + 1));

interface SignUp {
  name: string;
  mobile: string;
  password: string;
  referral?: string | undefined;
}

export async function signUp(
  { db, clock, passwords }: AccountParts,
  browser: Browser | undefined,
  { name, mobile, password, referral }: SignUp,
) {
  const claim = { browser, mobile, purpose: 'signup' } as const;
  if (!(await hasProved(db, claim, clock.now()))) return fail(accountError('mobile-not-verified'));
  const passwordHash = await passwords.runLimited(() => passwords.hash(password));
  const referrer = referral === undefined ? undefined : readReferral(referral);
  // Nobody refers themselves, and a referral that leads nowhere never stands in the way.
  const referredBy = (referrer && referrer !== mobile && (await store.findAccount(db, referrer))?.id) || null;

  return transaction(db, async (tx) => {
    const now = clock.now();
    const proved = await claimProof(tx, claim, now);
    if (!proved) return fail(accountError('mobile-not-verified'));
    const userid = await store.createAccount(tx, proved, { id: newId(), name, passwordHash, referredBy }, now);
    if (userid === undefined) return fail(accountError('user-exists'));
    // The receipt lets this browser, once, ask for the referrer's bonus.
    await grant(tx, { browser: proved.browser, mobile, purpose: 'receipt' }, now);
    return succeed(messages.accountCreated, { name, mobile, userid });
  });
}

const strangerTo = (mobile: string) => `mobile ${mobile}`;

export async function logIn(
  { db, clock, authentication, limits, passwords, hash }: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { mobile, password }: { mobile: string; password: string },
) {
  const busy = await limits.consumeForNetwork(db, LOGINS_OF_NETWORK, request);
  if (busy > 0) throw new ApiError(429, accountError('too-many-wrong-passwords'), busy);
  // Strangers who guess make each other wait; a browser that has logged in to this account before waits for nobody but itself.
  const subject = hash(authentication.knownDevice(request, mobile) ?? strangerTo(mobile));

  const account = await passwords.runLimited(async () => {
    const now = clock.now();
    if (!(await store.takeGuess(db, subject, WAITS, now))) {
      const next = await store.nextGuessAt(db, subject);
      const wait = next ? Math.ceil((next.getTime() - now.getTime()) / 1000) : 1;
      throw new ApiError(429, accountError('too-many-wrong-passwords'), Math.max(wait, 1));
    }
    const found = await store.findAccount(db, mobile);
    const right = await passwords.matches(password, found?.password_hash);
    return { found, right };
  });
  if (!account.found) return fail(accountError('user-not-found'));
  if (!account.right) return fail(accountError('wrong-password'));

  const { id, name, email, password_hash: checked } = account.found;
  await store.forgetGuesses(db, subject);
  // A reset may have ended all sessions since the password was checked: the old one opens none after that.
  const session = await transaction(db, async (tx) =>
    (await store.holdPassword(tx, id, checked)) ? authentication.createSession(tx, request, id, 'customer') : undefined,
  );
  if (!session) return fail(accountError('wrong-password'));
  session.setCookies(reply);
  authentication.rememberDevice(reply, mobile);
  return succeed(messages.loggedIn, { name, email, mobile, userid: id });
}

export async function lookUp({ db, clock, limits, nameOfGuest }: AccountParts, request: FastifyRequest, text: string) {
  const query = readQuery(text);
  if (!query) return fail(accountError('query-not-supported'));
  const wait = (await limits.consumeForNetwork(db, LOOK_UPS_OF_NETWORK, request)) || (await limits.consumeGlobally(db, LOOK_UPS_IN_ALL));
  if (wait > 0) throw new ApiError(429, accountError('too-many-look-ups'), wait);

  const { select, mobile } = query;
  const account = await store.findAccount(db, mobile);
  const isKnown = account ?? (select === 'mobile, userid' && (await guestToClaim({ nameOfGuest }, db, mobile)));
  if (!isKnown) return fail(accountError('user-not-found'));
  if (select === 'name' && account) return succeed(messages.userFound, [{ name: firstName(account.name) }]);
  if (select === 'mobile') return succeed(messages.userFound, [{ mobile }]);
  // Never the account's id: a handle that names the number in a reset and opens nothing.
  const handle = newId();
  await store.insertResetHandle(db, handle, mobile, addSeconds(clock.now(), HANDLE_GOOD_FOR_SECONDS));
  return succeed(messages.userFound, [{ mobile, userid: handle }]);
}

/** A guest with orders has no account yet, and a reset gives them one (design section 6, "Guest"). */
async function guestToClaim({ nameOfGuest }: Pick<AccountParts, 'nameOfGuest'>, db: Db, mobile: string): Promise<string | undefined> {
  const guest = await store.findGuest(db, mobile);
  return guest && nameOfGuest(db, guest.id);
}

interface Reset {
  handle: string | undefined;
  password: string;
}

/**
 * Sets a new password with a confirmed reset code, and ends every session of the account and every other reset under way: whoever knew the old password,
 * or held the phone before, is out.
 */
export async function resetPassword(
  { db, clock, passwords, hash, nameOfGuest }: AccountParts,
  browser: Browser | undefined,
  { handle, password }: Reset,
) {
  const named = handle === undefined ? undefined : await store.findResetHandle(db, handle, clock.now());
  if (!named) return undefined;
  const { mobile } = named;
  const claim = { browser, mobile, purpose: 'reset' } as const;
  if (!(await hasProved(db, claim, clock.now()))) return undefined;
  const passwordHash = await passwords.runLimited(() => passwords.hash(password));

  return transaction(db, async (tx) => {
    const proved = await claimLastProof(tx, claim, clock.now());
    if (!proved) return undefined;
    const guestName = await guestToClaim({ nameOfGuest }, tx, mobile);
    const customerId =
      guestName === undefined
        ? await store.setPassword(tx, proved, passwordHash)
        : await store.createAccount(tx, proved, { id: newId(), name: guestName, passwordHash, referredBy: null }, clock.now());
    if (customerId === undefined) return undefined;
    await deleteSessionsOf(tx, customerId);
    await store.deleteResetHandles(tx, mobile);
    await store.forgetGuesses(tx, hash(strangerTo(mobile)));
    return { mobile };
  });
}

/**
 * What a confirmed guest code opens, in the transaction that uses the code up: a session that reads what is ordered with it. Whoever is logged in stays
 * so. Answers the new session and the guest session that it takes the place of in this browser.
 */
export async function admitGuest(
  tx: Tx,
  { clock, authentication }: AccountParts,
  request: FastifyRequest,
  claim: { browser: Browser; mobile: string },
): Promise<{ session: NewSession; before: Buffer | undefined } | undefined> {
  const before = await authentication.findCaller(request, tx);
  if (before?.kind === 'customer') return undefined;
  const now = clock.now();
  const proved = await claimProof(tx, { ...claim, purpose: 'guest' }, now);
  if (!proved) return undefined;
  const customerId = await store.customerOf(tx, proved, newId(), now);
  return { session: await authentication.createSession(tx, request, customerId, 'guest'), before: before?.sessionHash };
}

/** The demonstration's own customer; undefined where the mobile belongs to somebody already. */
export const openSampleAccount = (tx: Tx, account: store.SampleAccount, now: Date) =>
  sampleCustomer(account.id, store.insertSampleAccount(tx, account, now));

/** Wrong passwords are forgotten a day after the last one. */
export const deleteExpiredAccountData = (db: Db, now: Date) => store.deleteExpired(db, { now, idleBefore: addSeconds(now, -DAY_SECONDS) });
