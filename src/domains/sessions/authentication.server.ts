/**
 * Authentication: the only module that authenticates a caller. It alone creates its proof types,
 * so a store function that takes one cannot be called for an unauthenticated caller.
 */
import { hash } from 'node:crypto';
import { addSeconds, DAY_SECONDS, type Clock } from '../../lib/clock.ts';
import type { Client, CookieJar } from '../../security/client.ts';
import { hashToken, newToken } from '../../security/tokens.server.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { StaleRead } from '../../db/read-replica.server.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/api-error.ts';
import { HINT_COOKIES } from '../../shared/hint-cookies.ts';
import { deleteSession, findSession, insertSession } from './store.server.ts';

const proof: unique symbol = Symbol('authenticated');

/** A customer with an account, authenticated by a live session cookie. */
export interface SignedInCustomer {
  readonly kind: 'customer';
  readonly id: string;
  readonly sessionHash: Buffer;
  readonly [proof]: true;
}

/**
 * A caller who confirmed a mobile number for an order. Can read only the orders of this session.
 */
export interface Guest {
  readonly kind: 'guest';
  readonly id: string;
  readonly sessionHash: Buffer;
  readonly [proof]: true;
}

export type CustomerOrGuest = SignedInCustomer | Guest;

/**
 * Returns the subject of the limits of a caller. The account and the guests of a mobile number have
 * one id, but can be two people: the former and the new owner of the number.
 */
export const callerKey = ({ kind, id }: CustomerOrGuest): string => `${kind} ${id}`;

export const SESSION_DAYS = 30;
const SESSION_SECONDS = SESSION_DAYS * DAY_SECONDS;

/** A session that is valid once the transaction that created it commits. */
export interface NewSession {
  readonly hash: Buffer;
  /**
   * Sets the cookies. Call it after the commit: after a rollback the browser keeps its old session.
   */
  setCookies(cookies: CookieJar): void;
}

export interface Authentication {
  /**
   * Returns the caller. Throws `ApiError` (unauthenticated) without a live session, and if
   * `expectedUserid`, the userid or token of the body, is given and is not the session's customer.
   * Waits for the slot of the caller; throws `QueueFull` if too many requests wait.
   */
  requireCustomer(client: Client, expectedUserid: string | undefined): Promise<SignedInCustomer>;
  /** Returns the caller, or throws, like `requireCustomer`. Accepts the session of a guest too. */
  requireCustomerOrGuest(client: Client, expectedUserid: string | undefined): Promise<CustomerOrGuest>;
  /** Creates a session with a new token and deletes the one that this browser had. */
  createSession(tx: Tx, client: Client, customerId: string, kind: 'customer' | 'guest'): Promise<NewSession>;
  /** Deletes the session of this browser and its cookies. */
  endSession(client: Client, cookies: CookieJar): Promise<void>;
  /** Returns true if the browser has a session cookie, whether its session is live or not. */
  hasSessionCookie(client: Client): boolean;
  /** Returns the caller, or undefined without a live session. In a transaction, pass it as `on`. */
  findCaller(client: Client, on?: Db): Promise<CustomerOrGuest | undefined>;
}

interface AuthenticationOptions {
  db: Db;
  clock: Clock;
  https: boolean;
}

export function createAuthentication({ db, clock, https }: AuthenticationOptions): Authentication {
  const cookieName = https ? '__Host-session' : 'session';
  const cookie = { path: '/', sameSite: 'lax', secure: https, maxAge: SESSION_SECONDS } as const;

  const sessionHashOf = (client: Client) => {
    const token = client.cookies[cookieName];
    return token ? hashToken(token) : undefined;
  };

  const findCaller = async (client: Client, on: Db = db): Promise<CustomerOrGuest | undefined> => {
    const sessionHash = sessionHashOf(client);
    const session = sessionHash && (await findSession(on, sessionHash, clock.now()));
    return session && { kind: session.kind, id: session.customer_id, sessionHash, [proof]: true };
  };

  const requireCustomerOrGuest = async (client: Client, expectedUserid: string | undefined) => {
    const readCaller = async () => {
      const caller = await findCaller(client);
      if (!caller || (expectedUserid && expectedUserid !== caller.id))
        throw new ApiError('unauthenticated', protocolError('login-required'));
      return caller;
    };
    const caller = await readCaller();
    const hasWaited = await client.callerSlot?.acquire(callerKey(caller));
    // The session may have ended while the call waited.
    return hasWaited ? readCaller() : caller;
  };

  const deleteCurrentSession = async (on: Db, client: Client) => {
    const sessionHash = sessionHashOf(client);
    if (sessionHash) await deleteSession(on, sessionHash);
  };

  const clearCookies = (client: Client, cookies: CookieJar) => {
    for (const name of [cookieName, HINT_COOKIES.customer, HINT_COOKIES.guest]) {
      if (client.cookies[name] !== undefined) cookies.clearCookie(name, cookie);
    }
  };

  return {
    requireCustomer: async (client, expectedUserid) => {
      const caller = await requireCustomerOrGuest(client, expectedUserid);
      if (caller.kind !== 'customer') throw new ApiError('unauthenticated', protocolError('login-required'));
      return caller;
    },
    requireCustomerOrGuest,
    createSession: async (tx, client, customerId, kind) => {
      await deleteCurrentSession(tx, client);
      const token = newToken();
      const tokenHash = hashToken(token);
      const now = clock.now();
      const expiresAt = addSeconds(now, SESSION_SECONDS);
      await insertSession(tx, { token_hash: tokenHash, customer_id: customerId, kind, created_at: now, expires_at: expiresAt });
      return {
        hash: tokenHash,
        setCookies: (cookies) => {
          clearCookies(client, cookies);
          cookies.setCookie(cookieName, token, { ...cookie, httpOnly: true });
          const hint = kind === 'guest' ? '1' : hash('sha256', customerId, 'base64url').slice(0, 8);
          cookies.setCookie(HINT_COOKIES[kind], hint, cookie);
        },
      };
    },
    endSession: async (client, cookies) => {
      await deleteCurrentSession(db, client);
      clearCookies(client, cookies);
    },
    hasSessionCookie: (client) => client.cookies[cookieName] !== undefined,
    findCaller,
  };
}

/**
 * Runs reads of shared data. A browser with a session reads from the primary, so that customers and
 * guests see what they wrote; other visitors may read data that is some seconds old.
 */
export type SharedRead = <Result>(client: Client, work: (db: Db) => Promise<Result>) => Promise<Result>;

export const createSharedRead =
  (db: Db, authentication: Authentication, read: StaleRead): SharedRead =>
  (client, work) =>
    authentication.hasSessionCookie(client) ? work(db) : read(work);

/**
 * Returns the customer of the demonstration, whom the program created without a code or a cookie.
 * Call it only for a row that this program has just inserted: it proves the authority over `id`.
 */
export const sampleCustomer = (id: string): SignedInCustomer => ({
  kind: 'customer',
  id,
  sessionHash: hashToken(newToken()),
  [proof]: true,
});
