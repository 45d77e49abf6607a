/**
 * Customers and guests for tests that are not about signing in. Their rows are written directly, as
 * a sign-up and a log-in leave them.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { SESSION_DAYS } from '../../src/domains/sessions/authentication.server.ts';
import { DAY_SECONDS, addSeconds, type Clock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { hashToken } from '../../src/security/tokens.server.ts';
import type { Caller } from './caller.ts';
import type { TestProgram } from './program.ts';

/** A program in this process, or a test environment (test-environment.ts). */
export type ProgramUnderTest = Pick<TestProgram, 'db' | 'caller'> & { readonly clock: Clock };

export interface TestCustomer {
  readonly caller: Caller;
  readonly userid: string;
  readonly mobile: string;
}

interface CustomerOptions {
  name?: string;
  mobile?: string;
  ip?: string;
}

/** Inserts a customer with an account and a session for `caller`. */
export async function newCustomer(
  program: ProgramUnderTest,
  { name = 'Meera', mobile = randomMobile(), ip }: CustomerOptions = {},
): Promise<TestCustomer> {
  const userid = newId();
  const customer = { id: userid, mobile, name, password_hash: 'no password fits this', created_at: program.clock.now() };
  await program.db.insertInto('customers').values(customer).execute();
  return { caller: await newSession(program, userid, 'customer', ip), userid, mobile };
}

/** Inserts a guest: a verified mobile without an account, with a session for `caller`. */
export async function newGuest(program: ProgramUnderTest, { mobile = randomMobile(), ip }: CustomerOptions = {}): Promise<TestCustomer> {
  const userid = newId();
  await program.db.insertInto('customers').values({ id: userid, mobile, created_at: program.clock.now() }).execute();
  return { caller: await newSession(program, userid, 'guest', ip), userid, mobile };
}

/** Returns a caller with another session of the customer. */
export async function newSession(program: ProgramUnderTest, userid: string, kind: 'customer' | 'guest', ip?: string): Promise<Caller> {
  const caller = program.caller(ip === undefined ? {} : { ip });
  caller.cookies.set('session', await insertSession(program, userid, kind));
  return caller;
}

/** Writes a session and returns its token, the value of the cookie. */
export async function insertSession(
  program: Pick<ProgramUnderTest, 'db' | 'clock'>,
  userid: string,
  kind: 'customer' | 'guest',
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = program.clock.now();
  const session = {
    token_hash: hashToken(token),
    customer_id: userid,
    kind,
    created_at: now,
    expires_at: addSeconds(now, SESSION_DAYS * DAY_SECONDS),
  };
  await program.db.insertInto('sessions').values(session).execute();
  return token;
}

/** Returns a random valid mobile number. */
export const randomMobile = () => `9${String(randomInt(1_000_000_000)).padStart(9, '0')}`;
