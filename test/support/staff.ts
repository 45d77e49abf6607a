/** People of the staff for tests that are not about their log-in. */
import { randomBytes } from 'node:crypto';
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
  const token = randomBytes(32).toString('base64url');
  const now = program.clock.now();
  await program.db
    .insertInto('staff_sessions')
    .values({ token_hash: hashToken(token), staff_id: personid, created_at: now, expires_at: addSeconds(now, DAY_SECONDS) })
    .execute();
  const caller = program.caller();
  caller.cookies.set('staff', token);
  return caller;
}
