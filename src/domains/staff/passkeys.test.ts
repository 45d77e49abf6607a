/** Passkey ceremonies that another event interrupts. test/e2e/console.spec.ts uses a browser. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newCredential } from '../../../test/support/authenticator.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { fail } from '../../contract/route.server.ts';
import { createPasswords } from '../../security/passwords.server.ts';
import { addPasskey, passkeyOptions, setPerson, setStaffPassword, staffError, staffLogin, type Role } from './desk/contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const PASSWORD = 'a long password';
const ORIGIN = 'http://localhost:80';

const hashed = createPasswords().hash(PASSWORD);

async function newStaffWithPassword(role: Role): Promise<TestStaff> {
  const person = await newStaff(program, role);
  await program.db
    .updateTable('staff_members')
    .set({ password_hash: await hashed })
    .where('id', '=', person.personid)
    .execute();
  return person;
}

const passkeysOf = ({ personid }: TestStaff) =>
  program.db.selectFrom('staff_passkeys').select('id').where('staff_id', '=', personid).execute();

const optionsFor = async ({ caller }: Pick<TestStaff, 'caller'>) => (await caller.send(passkeyOptions, {})).data?.options ?? {};

test('a person adds a passkey', async () => {
  const operator = await newStaff(program, 'operator');
  const credential = newCredential(await optionsFor(operator), ORIGIN);
  expect(await operator.caller.send(addPasskey, { credential })).toMatchObject({ response: 'success' });
  expect(await passkeysOf(operator)).toEqual([{ id: credential.id }]);
});

test('a passkey with the certificate of a manufacturer is refused unread', async () => {
  const rider = await newStaff(program, 'rider');
  const credential = newCredential(await optionsFor(rider), ORIGIN, { isCertified: true });
  expect(await rider.caller.send(addPasskey, { credential })).toEqual(fail(staffError('passkey-refused')));
  expect(await passkeysOf(rider)).toEqual([]);
});

test.each([[['usb', 'a word with spaces']], [Array.from({ length: 9 }, () => 'usb')], ['usb'], [{ a: 1 }], [[null]]])(
  'a passkey with the transports %j is refused',
  async (transports) => {
    const rider = await newStaff(program, 'rider');
    const credential = newCredential(await optionsFor(rider), ORIGIN);
    const body = { credential: { ...credential, response: { ...credential.response, transports } } };
    expect((await rider.caller.post(addPasskey.path, body)).statusCode).toBe(400);
    expect(await passkeysOf(rider)).toEqual([]);
  },
);

test.each([
  ['an object', { attestationObject: { toString: 1 } }],
  ['a length without bytes', { clientDataJSON: { length: 2_000_000_000 } }],
  ['20,001 characters', { attestationObject: 'A'.repeat(20_001) }],
])('a passkey whose response is %s is refused, and is no fault', async (_what, response) => {
  const rider = await newStaff(program, 'rider');
  const credential = newCredential(await optionsFor(rider), ORIGIN);
  const body = { credential: { ...credential, response: { ...credential.response, ...response } } };
  expect((await rider.caller.post(addPasskey.path, body)).statusCode).toBe(400);
});

test('a new password ends the enrolment of a passkey that is in progress', async () => {
  const owner = await newStaff(program, 'owner');
  const operator = await newStaff(program, 'operator');
  const { data } = await owner.caller.send(setPerson, { action: 'link', personid: operator.personid });
  const credential = newCredential(await optionsFor(operator), ORIGIN);
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const waiters = (count: number) =>
    expect.poll(async () => (await waiting.execute(program.db)).rows.length, { timeout: 20_000 }).toBe(count);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const holding = program.db.transaction().execute(async (tx) => {
    await tx.selectFrom('staff_members').select('id').where('id', '=', operator.personid).forUpdate().execute();
    locked();
    await released;
  });
  await isLocked;
  const reset = program.caller().send(setStaffPassword, { token: data?.link?.split('#')[1] ?? '', password: PASSWORD });
  await waiters(1);
  const enrolled = operator.caller.send(addPasskey, { credential });
  await waiters(2);
  release();
  await holding;
  expect(await reset).toMatchObject({ response: 'success' });
  expect(await enrolled).toEqual(fail(staffError('passkey-refused')));
  expect(await passkeysOf(operator)).toEqual([]);
});

test('a log-in that its person abandoned before the passkey does not catch the next person in that browser', async () => {
  const first = await newStaffWithPassword('operator');
  const credential = newCredential(await optionsFor(first), ORIGIN);
  await first.caller.send(addPasskey, { credential });
  const next = await newStaffWithPassword('rider');
  const caller = program.caller();
  expect(await caller.send(staffLogin, { mobile: first.mobile, password: PASSWORD })).toEqual(fail(staffError('passkey-required')));
  expect(await caller.send(staffLogin, { mobile: next.mobile, password: PASSWORD })).toMatchObject({ response: 'success' });
  expect(await caller.send(passkeyOptions, {})).toMatchObject({ data: { purpose: 'add', options: { user: { name: next.mobile } } } });
  expect(await caller.send(staffLogin, { mobile: first.mobile, password: PASSWORD })).toEqual(fail(staffError('passkey-required')));
  expect(await caller.send(passkeyOptions, {})).toMatchObject({ data: { purpose: 'log-in' } });
});
