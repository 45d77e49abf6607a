/**
 * The gate: who is calling is proved here and nowhere else. Its proofs are types that only this file can make, so a store function that asks for one
 * cannot be called without it.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Expression, RawBuilder } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { addSeconds } from '../../lib/clock.ts';
import { invariant } from '../../lib/invariant.ts';
import { hashToken, keyedHash, newToken } from '../../security/tokens.server.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Given, Statement } from '../../db/statement.server.ts';
import { ApiError } from '../../contract/route.server.ts';
import { sessionMessages } from './contract.ts';
import { deleteSession, deleteSessionsOf, findSession, insertSession, readingAlone, readingWithSession } from './store.server.ts';

declare const proof: unique symbol;

/** A customer with an account, proved by a live session cookie. */
export interface SignedInCustomer {
  readonly kind: 'customer';
  readonly id: string;
  readonly sessionHash: Buffer;
  readonly [proof]: true;
}

/** Someone who proved a mobile without having an account; sees only what was ordered with this session. */
export interface Guest {
  readonly kind: 'guest';
  readonly id: string;
  readonly sessionHash: Buffer;
  readonly [proof]: true;
}

/** Whoever the session of the statement at hand belongs to, not proved yet: what it reads comes with the proof, or not at all. */
export interface CallerInStatement {
  readonly id: Expression<string>;
  readonly [proof]: true;
}

/** What is read for a caller in the statement that proves them, or for one who is proved. Only `reading` makes it. */
export interface Reading<Values, Found> {
  readonly withSession: Statement<Values & { sessionHash: Buffer; now: Date }, { customer_id: string; kind: string; found: Found }>;
  readonly alone: Statement<Values & { customerId: string }, { found: Found }>;
  readonly [proof]: true;
}

/** `read` is called once and for all (db/statement.server.ts): what differs between callers stands in `given`. */
export function reading<Values extends object, Found>(
  read: (db: Db, caller: CallerInStatement, given: Given<Values>) => RawBuilder<Found>,
): Reading<Values, Found> {
  const readOf = (db: Db, id: Expression<string>, given: Given<Values>) => read(db, { id } as unknown as CallerInStatement, given);
  return { withSession: readingWithSession(readOf), alone: readingAlone(readOf) } as unknown as Reading<Values, Found>;
}

/** Proves the caller and reads for them in one statement: round trips are what a call costs (docs/decisions/0016). */
export type ProveReading<Caller> = <Values, Found>(
  reading: Reading<Values, Found>,
  values: (sessionHash: Buffer) => Values,
) => Promise<{ caller: Caller; found: Found }>;

export const SESSION_DAYS = 30;
const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;

/** Tells scripts that a session of this kind may exist, so that strangers' browsers never ask. It proves nothing. */
const HINT_COOKIES = { customer: 'signed_in', guest: 'guest' } as const;

/** A session that stands once the transaction that opened it does. */
export interface NewSession {
  readonly hash: Buffer;
  /** Gives the browser its cookies. After the transaction: one that failed must leave the browser with the session that it had. */
  handOut(reply: FastifyReply): void;
}

export interface Authentication {
  /** Proves the caller, or throws the refusal 401. `claimed` is the body's userid or token: it may be left out, it may not be another's. */
  requireCustomer(request: FastifyRequest, claimed: string | undefined): Promise<SignedInCustomer>;
  requireCustomerOrGuest(request: FastifyRequest, claimed: string | undefined): Promise<SignedInCustomer | Guest>;
  /** The same for a call whose first statement can read along with the session. */
  customerReading(request: FastifyRequest, claimed: string | undefined): ProveReading<SignedInCustomer>;
  customerOrGuestReading(request: FastifyRequest, claimed: string | undefined): ProveReading<SignedInCustomer | Guest>;
  /** Starts a new session with a new token; an earlier one of this browser ends. */
  createSession(tx: Tx, request: FastifyRequest, customerId: string, kind: 'customer' | 'guest'): Promise<NewSession>;
  /** Ends this browser's session, or every session of whoever it belongs to. */
  endSession(request: FastifyRequest, reply: FastifyReply, which: { everywhere: boolean }): Promise<void>;
  /** Who is here, if anyone; refuses nobody. Inside a transaction it reads with that one's connection. */
  findCaller(request: FastifyRequest, on?: Db): Promise<SignedInCustomer | Guest | undefined>;
  /** Marks this browser as one where the owner of the mobile has logged in. */
  rememberDevice(reply: FastifyReply, mobile: string): void;
  /** The name of such a browser; undefined for all others. It opens nothing: it only keeps strangers' wrong passwords from locking the owner out. */
  knownDevice(request: FastifyRequest, mobile: string): string | undefined;
}

interface AuthenticationOptions {
  db: Db;
  clock: Clock;
  https: boolean;
  secret: string;
}

export const DEVICE_SECONDS = 365 * 24 * 60 * 60;

export function createAuthentication({ db, clock, https, secret }: AuthenticationOptions): Authentication {
  const cookieName = https ? '__Host-session' : 'session';
  const deviceCookieName = https ? '__Host-device' : 'device';
  const deviceHash = keyedHash(secret, 'device');
  const cookie = { path: '/', sameSite: 'lax', secure: https, maxAge: SESSION_SECONDS } as const;

  const sessionHashOf = (request: FastifyRequest) => {
    const token = request.cookies[cookieName];
    return token ? hashToken(token) : undefined;
  };

  const callerOf = (session: { kind: string; customer_id: string }, sessionHash: Buffer) =>
    ({ kind: session.kind, id: session.customer_id, sessionHash }) as unknown as SignedInCustomer | Guest;

  const whoever = async (request: FastifyRequest, on: Db = db) => {
    const sessionHash = sessionHashOf(request);
    const session = sessionHash && (await findSession(on, sessionHash, clock.now()));
    return session && callerOf(session, sessionHash);
  };

  const agreed = (caller: SignedInCustomer | Guest | undefined, claimed: string | undefined) => {
    if (!caller || (claimed && claimed !== caller.id)) throw new ApiError(401, sessionMessages.loginFirst);
    return caller;
  };

  const withAccount = (caller: SignedInCustomer | Guest) => {
    if (caller.kind !== 'customer') throw new ApiError(401, sessionMessages.loginFirst);
    return caller;
  };

  const prove = async (request: FastifyRequest, claimed: string | undefined) => agreed(await whoever(request), claimed);

  const proveReading =
    (request: FastifyRequest, claimed: string | undefined): ProveReading<SignedInCustomer | Guest> =>
    async ({ withSession }, values) => {
      const sessionHash = sessionHashOf(request);
      if (!sessionHash) throw new ApiError(401, sessionMessages.loginFirst);
      const [session] = await withSession(db, { ...values(sessionHash), sessionHash, now: clock.now() });
      if (!session) throw new ApiError(401, sessionMessages.loginFirst);
      return { caller: agreed(callerOf(session, sessionHash), claimed), found: session.found };
    };

  /** Ends the session that the browser has. */
  const end = async (on: Db, request: FastifyRequest) => {
    const token = request.cookies[cookieName];
    if (token) await deleteSession(on, hashToken(token));
  };

  const forget = (request: FastifyRequest, reply: FastifyReply) => {
    for (const name of [cookieName, HINT_COOKIES.customer, HINT_COOKIES.guest]) {
      if (request.cookies[name] !== undefined) reply.clearCookie(name, cookie);
    }
  };

  return {
    requireCustomer: async (request, claimed) => withAccount(await prove(request, claimed)),
    requireCustomerOrGuest: prove,
    customerReading: (request, claimed) => async (wanted, values) => {
      const { caller, found } = await proveReading(request, claimed)(wanted, values);
      return { caller: withAccount(caller), found };
    },
    customerOrGuestReading: proveReading,
    createSession: async (tx, request, customerId, kind) => {
      await end(tx, request);
      const token = newToken();
      const hash = hashToken(token);
      const now = clock.now();
      const expiresAt = addSeconds(now, SESSION_SECONDS);
      await insertSession(tx, { token_hash: hash, customer_id: customerId, kind, created_at: now, expires_at: expiresAt });
      return {
        hash,
        handOut: (reply) => {
          forget(request, reply);
          reply.setCookie(cookieName, token, { ...cookie, httpOnly: true });
          reply.setCookie(HINT_COOKIES[kind], '1', cookie);
        },
      };
    },
    endSession: async (request, reply, { everywhere }) => {
      const caller = everywhere ? await whoever(request) : undefined;
      if (caller?.kind === 'customer') await deleteSessionsOf(db, caller.id);
      else await end(db, request);
      forget(request, reply);
    },
    findCaller: whoever,
    rememberDevice: (reply, mobile) => {
      const id = newToken();
      const value = `${id}.${deviceHash(`${id} ${mobile}`).toString('base64url')}`;
      reply.setCookie(deviceCookieName, value, { ...cookie, httpOnly: true, maxAge: DEVICE_SECONDS });
    },
    knownDevice: (request, mobile) => {
      const [id = '', given = ''] = request.cookies[deviceCookieName]?.split('.') ?? [];
      const expected = deviceHash(`${id} ${mobile}`);
      const mac = Buffer.from(given, 'base64url');
      return mac.length === expected.length && timingSafeEqual(mac, expected) ? `device ${id}` : undefined;
    },
  };
}

/**
 * A customer whom the program has just made without a code and knows without a cookie: the demonstration's own. `made` is whether their row was inserted,
 * so nobody who was there before can be had this way.
 */
export async function customerJustMade(id: string, made: Promise<boolean>): Promise<SignedInCustomer | undefined> {
  return (await made) ? ({ kind: 'customer', id, sessionHash: hashToken(newToken()) } as unknown as SignedInCustomer) : undefined;
}

/** The same reading for someone who is proved already. */
export const readingFor =
  <Caller extends SignedInCustomer | Guest>(db: Db, caller: Caller): ProveReading<Caller> =>
  async ({ alone }, values) => {
    const [row] = await alone(db, { ...values(caller.sessionHash), customerId: caller.id });
    invariant(row, 'a statement without a table has a row');
    return { caller, found: row.found };
  };
