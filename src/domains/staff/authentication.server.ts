/**
 * Authenticates the staff: the only module that creates a `StaffMember`. The sessions and cookies
 * of customers are separate (sessions/authentication.server.ts).
 */
import type { FastifyRequest } from 'fastify';
import { DAY_SECONDS, MAX_CLOCK_SKEW_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Client, CookieJar } from '../../security/client.ts';
import { hashToken, newToken } from '../../security/tokens.server.ts';
import { FRESH_LOGIN_SECONDS, STAFF_MOBILE_HEADER, accessTo, mayCall, staffError, type Role, type StaffPath } from './desk/contract.ts';
import { auditRefusedCall, auditUnauthenticatedCall } from './audit-store.server.ts';
import { deleteSession, findSession, insertSession, findEndedSession } from './store.server.ts';

const proof: unique symbol = Symbol('authenticated');

/** A person of the staff, authenticated by a live session cookie. */
export interface StaffMember {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly mobile: string;
  readonly sessionHash: Buffer;
  readonly loggedInAt: Date;
  readonly [proof]: true;
}

/** The laundry itself, which may read and change the orders of all customers. */
export interface Laundry {
  readonly kind: 'laundry';
  readonly [proof]: true;
}

const LAUNDRY: Laundry = { kind: 'laundry', [proof]: true };

/**
 * Returns the laundry, for which every person of the staff acts. `STAFF_CALLS` limits what the
 * person may do.
 */
export const laundryOf = (_staff: StaffMember): Laundry => LAUNDRY;

/** For commands in the terminal and sample data, whose user has the whole database. */
export const laundryCommand = (): Laundry => LAUNDRY;

export const STAFF_SESSION_DAYS = 7;
const SESSION_SECONDS = STAFF_SESSION_DAYS * DAY_SECONDS;

/** A session that is valid once the transaction that created it commits. */
export interface NewStaffSession {
  readonly staff: StaffMember;
  /** Call it after the commit: after a rollback the browser keeps its old session. */
  setCookie(cookies: CookieJar): void;
}

export interface StaffAuthentication {
  /**
   * Returns the caller. Throws `ApiError`, with an audit row within limits: unauthenticated without
   * a live session, or if the request names another person; forbidden if `STAFF_CALLS` does not
   * list the caller's role, or if the call needs a fresh log-in.
   */
  requireStaff(request: FastifyRequest, call: { path: StaffPath }): Promise<StaffMember>;
  /** Returns the caller, or undefined without a live session. */
  findStaff(client: Client): Promise<StaffMember | undefined>;
  /**
   * Returns why a caller has no live session. The browser deletes the cookie of an expired one:
   * without a row, another role, a new password or a restore has ended the session.
   */
  whyLoggedOut(client: Client): Promise<'not-logged-in' | 'person-removed' | 'session-ended'>;
  /** Records that a call was refused to a caller, whom `findStaff` found or not. */
  auditRefusal(client: Pick<Client, 'network'>, staff: StaffMember | undefined, refusal: { path: StaffPath; error: string }): Promise<void>;
  /** Creates a session with a new token and deletes the one that this browser had. */
  createSession(tx: Tx, client: Client, person: Pick<StaffMember, 'id' | 'name' | 'role' | 'mobile'>): Promise<NewStaffSession>;
  /** Deletes the session of this browser and its cookie. */
  endSession(on: Db, client: Client, cookies: CookieJar): Promise<void>;
}

/**
 * Throws `ApiError` (forbidden) if the log-in is more than `FRESH_LOGIN_SECONDS` ago, or more than
 * `MAX_CLOCK_SKEW_SECONDS` later than now.
 */
export function requireFreshLogin({ loggedInAt }: StaffMember, now: Date) {
  const isFresh = loggedInAt >= addSeconds(now, -FRESH_LOGIN_SECONDS) && loggedInAt <= addSeconds(now, MAX_CLOCK_SKEW_SECONDS);
  if (!isFresh) throw new ApiError('forbidden', staffError('login-too-old'));
}

export function createStaffAuthentication({ db, clock, https }: { db: Db; clock: Clock; https: boolean }): StaffAuthentication {
  const cookieName = https ? '__Host-staff' : 'staff';
  // Strict: no page of another site opens the console with a session.
  const cookie = { path: '/', sameSite: 'strict', secure: https, httpOnly: true, maxAge: SESSION_SECONDS } as const;

  const sessionHashOf = (client: Client) => {
    const token = client.cookies[cookieName];
    return token ? hashToken(token) : undefined;
  };

  const findStaff = async (client: Client) => {
    const sessionHash = sessionHashOf(client);
    const session = sessionHash && (await findSession(db, sessionHash, clock.now()));
    if (!session) return undefined;
    const { created_at: loggedInAt, ...person } = session;
    return { ...person, sessionHash, loggedInAt, [proof]: true } satisfies StaffMember;
  };

  /** Throws `ApiError` if the caller may not make the call. */
  const checkAccess = (staff: StaffMember | undefined, named: unknown, path: StaffPath): StaffMember => {
    if (!staff || (named !== undefined && named !== staff.mobile)) throw new ApiError('unauthenticated', protocolError('login-required'));
    if (!mayCall(staff.role, path)) throw new ApiError('forbidden', staffError('not-permitted'));
    if (accessTo(path).needsFreshLogin === true) requireFreshLogin(staff, clock.now());
    return staff;
  };

  const auditRefusal: StaffAuthentication['auditRefusal'] = async ({ network }, staff, refusal) =>
    staff ? auditRefusedCall(db, staff, refusal, clock.now()) : auditUnauthenticatedCall(db, network, refusal, clock.now());

  const deleteCurrentSession = async (on: Db, client: Client) => {
    const sessionHash = sessionHashOf(client);
    if (sessionHash) await deleteSession(on, sessionHash);
  };

  return {
    requireStaff: async (request, { path }) => {
      const staff = await findStaff(request);
      try {
        const check = (found: StaffMember | undefined) => checkAccess(found, request.headers[STAFF_MOBILE_HEADER], path);
        const caller = check(staff);
        const hasWaited = await request.callerSlot?.acquire(caller.id);
        // The session or the role may have ended while the call waited.
        return hasWaited ? check(await findStaff(request)) : caller;
      } catch (error) {
        if (error instanceof ApiError) await auditRefusal(request, staff, { path, error: error.code });
        throw error;
      }
    },
    findStaff,
    whyLoggedOut: async (client) => {
      const sessionHash = sessionHashOf(client);
      if (!sessionHash) return 'not-logged-in';
      const session = await findEndedSession(db, sessionHash);
      if (!session) return 'session-ended';
      return session.removed_at !== null && session.expires_at > clock.now() ? 'person-removed' : 'not-logged-in';
    },
    auditRefusal,
    createSession: async (tx, client, { id, name, role, mobile }) => {
      await deleteCurrentSession(tx, client);
      const token = newToken();
      const sessionHash = hashToken(token);
      const now = clock.now();
      const expiresAt = addSeconds(now, SESSION_SECONDS);
      await insertSession(tx, { token_hash: sessionHash, staff_id: id, created_at: now, expires_at: expiresAt });
      const staff: StaffMember = { id, name, role, mobile, sessionHash, loggedInAt: now, [proof]: true };
      return { staff, setCookie: (cookies) => void cookies.setCookie(cookieName, token, cookie) };
    },
    endSession: async (on, client, cookies) => {
      await deleteCurrentSession(on, client);
      if (client.cookies[cookieName] !== undefined) cookies.clearCookie(cookieName, cookie);
    },
  };
}
