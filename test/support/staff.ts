/** People of the staff for tests that are not about their log-in. */
import { randomBytes } from 'node:crypto';
import { STAFF_SESSION_DAYS } from '../../src/domains/staff/authentication.server.ts';
import type { Role } from '../../src/domains/staff/desk/contract.ts';
import { DAY_SECONDS, addSeconds } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { hashToken } from '../../src/security/tokens.server.ts';
import type { Caller } from './caller.ts';
import { randomMobile, type ProgramUnderTest } from './seed-customers.ts';

export interface TestStaff {
  readonly caller: Caller;
  readonly personid: string;
  readonly name: string;
  readonly mobile: string;
  readonly role: Role;
}

/** Inserts a person with a session for `caller`. */
export async function newStaff(program: ProgramUnderTest, role: Role, { mobile = randomMobile() } = {}): Promise<TestStaff> {
  const personid = newId();
  const name = `Test ${role}`;
  const now = program.clock.now();
  await program.db
    .insertInto('staff_members')
    .values({ id: personid, mobile, name, role, password_hash: 'no password fits this', created_at: now })
    .execute();
  return { caller: await newStaffSession(program, personid), personid, name, mobile, role };
}

export type StaffOfEachRole = Record<Role, TestStaff>;

/** Inserts a person of each role. */
export const newStaffOfEachRole = async (program: ProgramUnderTest): Promise<StaffOfEachRole> => ({
  owner: await newStaff(program, 'owner'),
  operator: await newStaff(program, 'operator'),
  rider: await newStaff(program, 'rider'),
});

/** Returns a caller with another session of the person. */
export async function newStaffSession(program: ProgramUnderTest, personid: string): Promise<Caller> {
  const caller = program.caller();
  caller.cookies.set(STAFF_COOKIE, await insertStaffSession(program, personid));
  return caller;
}

/** The cookie of a session, over HTTP. */
export const STAFF_COOKIE = 'staff';

/** Writes a session, as a log-in does, and returns its token, the value of the cookie. */
export async function insertStaffSession({ db, clock }: Pick<ProgramUnderTest, 'db' | 'clock'>, personid: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await db
    .insertInto('staff_sessions')
    .values({
      token_hash: hashToken(token),
      staff_id: personid,
      created_at: now,
      expires_at: addSeconds(now, STAFF_SESSION_DAYS * DAY_SECONDS),
    })
    .execute();
  return token;
}
