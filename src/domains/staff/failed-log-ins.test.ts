/** The effects of strangers at the log-in forms on the staff. */
import { expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';
import { randomMobile } from '../../../test/support/seed-customers.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { fail } from '../../contract/route.server.ts';
import { createPasswords } from '../../security/passwords.server.ts';
import { login } from '../accounts/contract.ts';
import { getAudit, UNKNOWN_PERSON } from './desk/audit-contract.ts';
import { passkeyLogin, passkeyOptions, staffError, staffLogin } from './desk/contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const PASSWORD = 'a long password';
const hashed = createPasswords().hash(PASSWORD);

async function newStaffWithPassword() {
  const person = await newStaff(program, 'operator');
  await program.db
    .updateTable('staff_members')
    .set({ password_hash: await hashed })
    .where('id', '=', person.personid)
    .execute();
  return person;
}

/** Reads the entries about a subject as the owner does. */
async function auditOf(subject: string) {
  const { caller } = await newStaff(program, 'owner');
  const { data } = await caller.send(getAudit, { subject });
  return data?.entries.map(({ person, command_user: user, action, after }) => ({ person, user, action, after })) ?? [];
}

const wrongPassword = { person: null, user: null, action: 'log-in-failed', after: { error: 'wrong-staff-login' } };

test('the owner reads failed log-ins of a person, and of unknown numbers', async () => {
  const { mobile, personid } = await newStaffWithPassword();
  await program.caller().send(staffLogin, { mobile, password: 'not the password' });
  await program.caller().send(staffLogin, { mobile: randomMobile(), password: PASSWORD });
  expect(await auditOf(personid)).toEqual([wrongPassword]);
  expect(await auditOf(UNKNOWN_PERSON)).toEqual([wrongPassword]);
});

test('a passkey that is refused after the right password is a failed log-in', async () => {
  const { mobile, personid } = await newStaffWithPassword();
  const passkey = { id: 'YSBwYXNza2V5', staff_id: personid, public_key: Buffer.from('key'), counter: 0, transports: [] };
  await program.db
    .insertInto('staff_passkeys')
    .values({ ...passkey, created_at: program.clock.now() })
    .execute();
  const stranger = program.caller();
  expect(await stranger.send(staffLogin, { mobile, password: PASSWORD })).toEqual(fail(staffError('passkey-required')));
  await stranger.send(passkeyOptions, {});
  expect(await stranger.send(passkeyLogin, { credential: { id: 'another passkey' } })).toEqual(fail(staffError('passkey-refused')));
  expect(await auditOf(personid)).toEqual([{ ...wrongPassword, after: { error: 'passkey-refused' } }]);
});

test('a crowd adds at most twenty rows a day for each person, and for all other numbers', async () => {
  const { mobile, personid } = await newStaffWithPassword();
  const guess = (number: string) => program.caller().send(staffLogin, { mobile: number, password: 'not the password' });
  const rows = program.db.selectFrom('staff_audit').select('id').where('action', '=', 'log-in-failed');
  for (const [subject, number] of [
    [personid, () => mobile],
    [UNKNOWN_PERSON, randomMobile],
  ] as const) {
    program.clock.advance(DAY_SECONDS);
    const before = (await rows.where('subject_id', '=', subject).execute()).length;
    await guess(number());
    const counts = program.db.updateTable('limit_windows').where('name', '=', 'audited log-ins that failed');
    await counts.set({ taken: 19 }).execute();
    for (let count = 0; count < 3; count += 1) await guess(number());
    expect(await rows.where('subject_id', '=', subject).execute()).toHaveLength(before + 2);
    program.clock.advance(DAY_SECONDS);
    await guess(number());
    expect(await rows.where('subject_id', '=', subject).execute()).toHaveLength(before + 3);
  }
});

test('a crowd at the form of customers does not keep the staff out, nor the reverse', { timeout: 60_000 }, async () => {
  const { mobile } = await newStaffWithPassword();
  /** Fills the queue of a form until `work` has ended. */
  const withCrowdAt = async <Result>(path: string, work: () => Promise<Result>): Promise<Result> => {
    const refused = Promise.withResolvers<void>();
    const over = new AbortController();
    let address = 0;
    const crowd = Array.from({ length: 80 }, async () => {
      while (!over.signal.aborted) {
        const ip = `203.${(address >> 8) & 255}.${address & 255}.7`;
        address += 1;
        const { statusCode } = await program.caller({ ip }).post(path, { mobile: randomMobile(), password: 'not the password' });
        if (statusCode === 503) refused.resolve();
      }
    });
    await refused.promise;
    try {
      return await work();
    } finally {
      over.abort();
      await Promise.all(crowd);
    }
  };
  const statusAt = async (path: string) => (await program.caller().post(path, { mobile, password: PASSWORD })).statusCode;
  expect(await withCrowdAt(login.path, () => statusAt(staffLogin.path))).toBe(200);
  expect(await withCrowdAt(staffLogin.path, () => statusAt(login.path))).toBe(200);
});
