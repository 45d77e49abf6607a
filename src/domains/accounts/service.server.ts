/**
 * Sign-up, log-in, log-out, look-up. Design sections 5 and 6, "Accounts"; docs/security.md, A5 to
 * A7 and S1.
 */
import { DAY_SECONDS, MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import { publicFirstName } from '../../lib/customer-text.ts';
import { newId } from '../../lib/ids.ts';
import { readReferral } from '../../lib/referral-code.ts';
import type { Client, CookieJar } from '../../security/client.ts';
import type { KeyedHash } from '../../security/tokens.server.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { Limit } from '../../db/limits.server.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { ApiError } from '../../contract/api-error.ts';
import {
  sampleCustomer,
  type Authentication,
  type Guest,
  type NewSession,
  type SignedInCustomer,
} from '../sessions/authentication.server.ts';
import { deleteSessionsOf, deleteSessionsOfKind } from '../sessions/store.server.ts';
import {
  consumeGrant,
  consumeLastGrant,
  createGrant,
  hasGrant,
  type Browser,
  type Browsers,
  type NewDevice,
} from '../verification/authentication.server.ts';
import { insertConsent, type NewConsent } from '../consents/store.server.ts';
import { accountError, type FoundUser } from './contract.ts';
import { checkPassword, resetLoginWait, type PasswordChecks } from './password-service.server.ts';
import { parseQuery } from './rules.ts';
import { isErasedNumber } from './erased-numbers-store.server.ts';
import * as store from './store.server.ts';

export interface AccountDependencies extends PasswordChecks {
  /** Hashes the number of an account, for what outlives it. */
  hashMobile: KeyedHash;
  authentication: Authentication;
  guestOrders: GuestOrders;
}

/** The account that gets guest orders, and the proof of its right to them. */
export interface GuestOrderAssignment {
  customerId: string;
  /** The guest session of this browser. */
  sessionHash: Buffer | undefined;
  /** The caller has just proved the mobile with a code. */
  isFreshProof: boolean;
}

/**
 * Access to the orders of guests. The composition root passes it, because this domain must not
 * import orders.
 */
export interface GuestOrders {
  /**
   * Returns the name in the address of the newest order that a fresh proof of the mobile would
   * assign; undefined without one.
   */
  findName(db: Db, customerId: string, now: Date): Promise<string | undefined>;
  /** Returns whether the guest has ever ordered. */
  hasOrdered(db: Db, customerId: string): Promise<boolean>;
  /** Moves guest orders of the mobile to its account. */
  assign(tx: Tx, assignment: GuestOrderAssignment, now: Date): Promise<void>;
}

const LOOK_UPS_PER_NETWORK: Limit = { name: 'look-ups of a network', max: 30, windowSeconds: 10 * 60 };
/**
 * A network of many addresses may make 150 look-ups. If 300 of them reach that limit, more than
 * half of the total remains.
 */
const LOOK_UPS_TOTAL: Limit = { name: 'look-ups in all', max: 100_000, windowSeconds: 10 * 60 };
const HANDLE_LIFETIME_SECONDS = 30 * 60;

interface SignUp {
  name: string;
  mobile: string;
  password: string;
  referral?: string | undefined;
  consent: NewConsent;
}

/**
 * Creates the account of a verified mobile, with its guest orders. Returns an error if this browser
 * has no unused sign-up grant for the mobile, or if the mobile has an account. Creates no session.
 * Ends the guest sessions of the mobile and its other known devices, which may be those of an
 * earlier owner. Throws `QueueFull` if too many passwords are being hashed.
 */
export async function signUp(
  dependencies: AccountDependencies,
  client: Client,
  browser: Browser | undefined,
  { name, mobile, password, referral, consent }: SignUp,
): Promise<Outcome<{ name: string; mobile: string; userid: string }, 'mobile-not-verified' | 'user-exists'>> {
  const { db, clock, devices, passwords, guestOrders, hashMobile } = dependencies;
  const scope = { browser, mobile, purpose: 'signup' } as const;
  if (!(await hasGrant(db, scope, clock.now()))) return { error: accountError('mobile-not-verified') };
  const passwordHash = await passwords.hash(password);
  const referrer = referral === undefined ? undefined : readReferral(referral);
  // The customer's own code and an unknown one are ignored: a referral never prevents a sign-up.
  const referredBy = (referrer && referrer !== mobile && (await store.findAccount(db, referrer))?.id) || null;

  return transaction(db, async (tx) => {
    const now = clock.now();
    const verified = await consumeGrant(tx, scope, now);
    if (!verified) return { error: accountError('mobile-not-verified') };
    // No bonus for guests who have ordered, nor for erased numbers (docs/decisions/0039, 0084).
    const guest = await store.findGuest(tx, mobile);
    const isNewCustomer = !guest || !(await guestOrders.hasOrdered(tx, guest.id));
    const userid = await store.insertAccount(tx, verified, { id: newId(), name, passwordHash }, now);
    if (userid === undefined) return { error: accountError('user-exists') };
    await insertConsent(tx, userid, consent, now);
    // After the insert, which waits for a concurrent deletion of the number's account.
    if (referredBy && isNewCustomer && !(await isErasedNumber(tx, hashMobile(mobile)))) await store.setReferrer(tx, userid, referredBy);
    await assignAfterProof(dependencies, tx, client, userid, now);
    // The receipt authorizes one request for the referrer's bonus from this browser.
    await createGrant(tx, { browser: verified.browser, mobile, purpose: 'receipt' }, now);
    await devices.forgetOthers(tx, client, mobile);
    return { data: { name, mobile, userid } };
  });
}

/**
 * Assigns the guest orders of a mobile that was just proved to its account, and ends its guest
 * sessions.
 */
async function assignAfterProof(
  { authentication, guestOrders }: AccountDependencies,
  tx: Tx,
  client: Client,
  customerId: string,
  now: Date,
) {
  const sessionHash = (await findGuestCaller(authentication, tx, client))?.sessionHash;
  // Sessions before orders, as in `createGuestSessionWithOrders`, so that the two cannot deadlock.
  await deleteSessionsOfKind(tx, customerId, 'guest');
  await guestOrders.assign(tx, { customerId, sessionHash, isFreshProof: true }, now);
}

async function findGuestCaller(authentication: Authentication, tx: Tx, client: Client): Promise<Guest | undefined> {
  const caller = await authentication.findCaller(client, tx);
  return caller?.kind === 'guest' ? caller : undefined;
}

/**
 * Checks the password and sets the session cookies. The account also gets the orders that a guest
 * with its mobile placed in this browser. Returns an error for an unknown mobile and a wrong
 * password. Throws like `checkPassword`.
 */
export async function logIn(
  dependencies: AccountDependencies,
  client: Client,
  cookies: CookieJar,
  { mobile, password }: { mobile: string; password: string },
): Promise<Outcome<{ name: string; email: string; mobile: string; userid: string }, 'user-not-found' | 'wrong-password'>> {
  const { db, clock, authentication, devices, guestOrders } = dependencies;
  const { account, isCorrect } = await checkPassword(dependencies, client, { mobile, password }, () => store.findAccount(db, mobile));
  if (!account) return { error: accountError('user-not-found') };
  if (!isCorrect) return { error: accountError('wrong-password') };

  const { id, name, email, password_hash: passwordHash } = account;
  // A reset may have changed the password since it was checked. Then no session is created.
  const created = await transaction(db, async (tx) => {
    if (!(await store.lockUnchangedPassword(tx, id, passwordHash))) return undefined;
    const guest = await findGuestCaller(authentication, tx, client);
    // Sessions before orders and devices, so that no two transactions can deadlock.
    const session = await authentication.createSession(tx, client, id, 'customer');
    // A password does not prove that the number still has the same owner: only the orders of this
    // browser are assigned.
    if (guest) await guestOrders.assign(tx, { customerId: id, sessionHash: guest.sessionHash, isFreshProof: false }, clock.now());
    return { session, device: await devices.remember(tx, client, mobile) };
  });
  if (!created) return { error: accountError('wrong-password') };
  created.session.setCookies(cookies);
  created.device.setCookie(cookies);
  return { data: { name, email, mobile, userid: id } };
}

/**
 * Ends the session of this browser. With `everywhere`, ends every session of the account and every
 * known device of the mobile; this browser becomes a known device. A guest with the mobile can be
 * another person and keeps the session, which gives access to the orders. With `forgetDevice`, this
 * browser is not a known device either, and loses its codes and grants.
 */
export async function logOut(
  { db, authentication, browsers, devices }: AccountDependencies & { browsers: Browsers },
  client: Client,
  cookies: CookieJar,
  { everywhere = false, forgetDevice = false }: { everywhere?: boolean | undefined; forgetDevice?: boolean | undefined },
): Promise<void> {
  const caller = everywhere ? await authentication.findCaller(client) : undefined;
  if (caller?.kind === 'customer') {
    const device = await transaction(db, async (tx) => {
      const { mobile } = await store.readDetails(tx, caller);
      await deleteSessionsOfKind(tx, caller.id, 'customer');
      await devices.forgetOthers(tx, client, mobile);
      return forgetDevice ? undefined : devices.remember(tx, client, mobile);
    });
    device?.setCookie(cookies);
  }
  await authentication.endSession(client, cookies);
  if (forgetDevice) {
    await devices.forget(db, client, cookies);
    browsers.forget(client, cookies);
  }
}

/**
 * Returns the account that the query text selects. The user id in it is a handle that only
 * identifies the mobile in a password reset. Returns an error for an unsupported query and an
 * unknown mobile. Throws `ApiError` (rate-limited) over a rate limit.
 */
export async function lookUp(
  { db, clock, limits, guestOrders }: AccountDependencies,
  client: Client,
  text: string,
): Promise<Outcome<FoundUser[], 'query-not-supported' | 'user-not-found'>> {
  const query = parseQuery(text);
  if (!query) return { error: accountError('query-not-supported') };
  const wait = (await limits.consumeForNetwork(db, LOOK_UPS_PER_NETWORK, client)) || (await limits.consumeGlobally(db, LOOK_UPS_TOTAL));
  if (wait > 0) throw new ApiError('rate-limited', accountError('too-many-look-ups'), wait);

  const { select, mobile } = query;
  const account = await store.findAccount(db, mobile);
  const exists = account ?? (select === 'mobile, userid' && (await findNameOfGuestWithOrders({ clock, guestOrders }, db, mobile)));
  if (!exists) return { error: accountError('user-not-found') };
  if (select === 'name' && account) return { data: [{ name: publicFirstName(account.name) }] };
  if (select === 'mobile') return { data: [{ mobile }] };
  // A handle instead of the account's id. It identifies the mobile in a reset and grants no access.
  const handle = newId();
  await store.insertResetHandle(db, handle, mobile, addSeconds(clock.now(), HANDLE_LIFETIME_SECONDS));
  return { data: [{ mobile, userid: handle }] };
}

/**
 * Returns the name of a guest with orders that a reset assigns, otherwise undefined. A reset
 * creates an account for such a guest (design section 6, "Guest").
 */
async function findNameOfGuestWithOrders(
  { clock, guestOrders }: Pick<AccountDependencies, 'clock' | 'guestOrders'>,
  db: Db,
  mobile: string,
): Promise<string | undefined> {
  const guest = await store.findGuest(db, mobile);
  return guest && guestOrders.findName(db, guest.id, clock.now());
}

/**
 * Sets a new password with a confirmed reset code. The account gets the guest orders of its mobile,
 * which the code has proved. Ends every session of the account, every known device of its mobile
 * and every other reset in progress; this browser becomes a known device. Returns undefined if the
 * handle or the code is not valid. Throws `QueueFull` if too many passwords are being hashed.
 */
export async function resetPassword(
  dependencies: AccountDependencies,
  client: Client,
  browser: Browser | undefined,
  { handle, password }: { handle: string | undefined; password: string },
): Promise<NewDevice | undefined> {
  const { db, clock, devices, passwords, hash } = dependencies;
  const row = handle === undefined ? undefined : await store.findResetHandle(db, handle, clock.now());
  if (!row) return undefined;
  const { mobile } = row;
  const scope = { browser, mobile, purpose: 'reset' } as const;
  if (!(await hasGrant(db, scope, clock.now()))) return undefined;
  const passwordHash = await passwords.hash(password);

  return transaction(db, async (tx) => {
    const now = clock.now();
    const verified = await consumeLastGrant(tx, scope, now);
    if (!verified) return undefined;
    const guestName = await findNameOfGuestWithOrders(dependencies, tx, mobile);
    const customerId =
      guestName === undefined
        ? await store.setPassword(tx, verified, passwordHash)
        : await store.insertAccount(tx, verified, { id: newId(), name: guestName, passwordHash }, now);
    if (customerId === undefined) return undefined;
    await assignAfterProof(dependencies, tx, client, customerId, now);
    await deleteSessionsOf(tx, [customerId]);
    await store.deleteResetHandles(tx, mobile);
    await resetLoginWait(tx, hash, mobile);
    await devices.forgetOthers(tx, client, mobile);
    return devices.remember(tx, client, mobile);
  });
}

/**
 * Creates a session for a confirmed guest code, in the transaction that marks the code as used.
 * The session can read only its own orders. Returns undefined if a customer is logged in or no
 * grant exists. `replacedSessionHash` is the guest session that this browser had before.
 */
export async function createGuestSession(
  tx: Tx,
  { clock, authentication }: AccountDependencies,
  client: Client,
  scope: { browser: Browser; mobile: string },
): Promise<{ session: NewSession; customerId: string; replacedSessionHash: Buffer | undefined } | undefined> {
  const caller = await authentication.findCaller(client, tx);
  if (caller?.kind === 'customer') return undefined;
  const now = clock.now();
  const verified = await consumeGrant(tx, { ...scope, purpose: 'guest' }, now);
  if (!verified) return undefined;
  const customerId = await store.findOrInsertCustomer(tx, verified, newId(), now);
  const session = await authentication.createSession(tx, client, customerId, 'guest');
  return { session, customerId, replacedSessionHash: caller?.sessionHash };
}

/** Creates the customer of a demonstration. Returns undefined if the mobile has a customer. */
export async function createSampleAccount(tx: Tx, account: store.SampleAccount, now: Date): Promise<SignedInCustomer | undefined> {
  const isInserted = await store.insertSampleAccount(tx, account, now);
  return isInserted ? sampleCustomer(account.id) : undefined;
}

/**
 * Deletes expired reset handles, and the counts of wrong passwords a day after their wait ended.
 */
export const deleteExpiredAccountData = (db: Db, now: Date): Promise<void> =>
  store.deleteExpired(db, {
    now,
    idleBefore: addSeconds(now, -DAY_SECONDS),
    latestExpiry: addSeconds(now, HANDLE_LIFETIME_SECONDS + MAX_CLOCK_SKEW_SECONDS),
  });
