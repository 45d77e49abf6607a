/** Log-in, one-time links, people and audit of the staff. */
import { describe, expect, test } from 'vitest';
import { transaction } from '../../db/database.server.ts';
import { waitingStatements } from '../../../test/support/blocked-statements.ts';
import { signUpCustomer, PASSWORD } from '../../../test/support/customer.ts';
import { newCredential } from '../../../test/support/authenticator.ts';
import { useProgram } from '../../../test/support/program.ts';
import { randomMobile } from '../../../test/support/seed-customers.ts';
import { newStaff, newStaffSession } from '../../../test/support/staff.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { fail } from '../../contract/route.server.ts';
import { createPasswords } from '../../security/passwords.server.ts';
import { hashToken } from '../../security/tokens.server.ts';
import { login, logout } from '../accounts/contract.ts';
import { getAudit } from './desk/audit-contract.ts';
import {
  addPasskey,
  getPeople,
  passkeyLogin,
  passkeyOptions,
  setPerson,
  checkStaffLink,
  setStaffPassword,
  STAFF_MOBILE_HEADER,
  staffError,
  staffLogin,
  staffLogout,
  staffMe,
  type Role,
} from './desk/contract.ts';
import { audit, type AuditRow } from './audit-store.server.ts';
import { listLiveStaffSessions, listMembers } from './store.server.ts';
import { changePerson } from './service.server.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const STAFF_PASSWORD = 'a long password';

const hashed = createPasswords().hash(STAFF_PASSWORD);

const tokenOf = (link: string | null | undefined) => link?.split('#')[1] ?? '';

/** Adds a person through the calls, up to the password. */
async function join(role: Role, { owner }: { owner?: Caller } = {}) {
  const adding = owner ?? (await newStaff(program, 'owner')).caller;
  const mobile = randomMobile();
  const { data } = await adding.send(setPerson, { action: 'add', name: 'Ravi Kumar', mobile, role });
  await program.caller().send(setStaffPassword, { token: tokenOf(data?.link), password: STAFF_PASSWORD });
  return { mobile, personid: data?.personid ?? '', owner: adding };
}

const actionsOf = async (subject: string) =>
  (await program.db.selectFrom('staff_audit').select('action').where('subject_id', '=', subject).orderBy('id').execute()).map(
    ({ action }) => action,
  );

const countDevices = async (mobile: string) =>
  (await program.db.selectFrom('known_devices').select('mobile').where('mobile', '=', mobile).execute()).length;

describe('log-in', () => {
  test('a person who set a password logs in and out, with an audit row each', async () => {
    const { mobile, personid } = await join('operator');
    const caller = program.caller();
    const me = { name: 'Ravi Kumar', role: 'operator', mobile };
    expect(await caller.send(staffLogin, { mobile, password: STAFF_PASSWORD })).toEqual({
      response: 'success',
      message: 'Logged in',
      data: me,
    });
    expect(await caller.send(staffMe, {})).toMatchObject({ data: me });
    const stolen = caller.cookies.get('staff') ?? '';
    await caller.send(staffLogout, {});
    expect(caller.cookies.has('staff')).toBe(false);
    caller.cookies.set('staff', stolen);
    expect(await caller.send(staffMe, {})).toEqual(fail(staffError('session-ended')));
    expect(await actionsOf(personid)).toEqual(['add-person', 'new-link', 'set-password', 'log-in', 'log-out']);
  });

  test('the cookie is HttpOnly, strict and a session of the staff alone', async () => {
    const { mobile } = await join('rider');
    const { headers } = await program.caller().post('staff/login', { mobile, password: STAFF_PASSWORD });
    expect(headers['set-cookie']).toEqual(
      expect.arrayContaining([expect.stringMatching(/^staff=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)]),
    );
  });

  test('the error is the same for an unknown mobile, a wrong password and a person without one', async () => {
    const { mobile } = await join('operator');
    const invited = randomMobile();
    await (await newStaff(program, 'owner')).caller.send(setPerson, { action: 'add', name: 'Invited', mobile: invited, role: 'rider' });
    for (const body of [
      { mobile, password: 'not the password' },
      { mobile: randomMobile(), password: 'not the password' },
      { mobile: invited, password: STAFF_PASSWORD },
    ]) {
      const response = await program.caller().post('staff/login', body);
      expect([response.statusCode, response.json()]).toEqual([200, fail(staffError('wrong-staff-login'))]);
    }
  });

  test('wrong passwords make strangers wait, not a browser that has logged in, and not the customer', async () => {
    const { mobile } = await join('operator');
    const { caller: customer } = await signUpCustomer(program, { mobile });
    const known = program.caller();
    await known.send(staffLogin, { mobile, password: STAFF_PASSWORD });
    for (let guess = 0; guess < 5; guess += 1) await program.caller().send(staffLogin, { mobile, password: 'not the password' });
    const refused = await program.caller().post('staff/login', { mobile, password: STAFF_PASSWORD });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2']);
    expect(await known.send(staffLogin, { mobile, password: STAFF_PASSWORD })).toMatchObject({ response: 'success' });
    expect(await customer.send(login, { mobile, password: PASSWORD })).toMatchObject({ response: 'success' });
  });

  test('a customer with the same number has devices of their own', async () => {
    const { mobile } = await join('operator');
    const { caller: customer } = await signUpCustomer(program, { mobile });
    const known = program.caller();
    await known.send(staffLogin, { mobile, password: STAFF_PASSWORD });
    // Twenty devices of a mobile are known.
    for (let count = 0; count < 20; count += 1) await program.caller().send(login, { mobile, password: PASSWORD });
    for (let guess = 0; guess < 5; guess += 1) await program.caller().send(staffLogin, { mobile, password: 'not the password' });
    const posing = program.caller();
    posing.cookies.set('staff_device', customer.cookies.get('device') ?? '');
    const logIn = async (caller: Caller) => (await caller.post('staff/login', { mobile, password: STAFF_PASSWORD })).statusCode;
    expect([await logIn(posing), await logIn(known)]).toEqual([429, 200]);
    await customer.send(logout, { everywhere: true });
    expect(await logIn(known)).toBe(200);
  });

  test('guesses at the form of customers do not delay the log-in of the staff, nor the reverse', async () => {
    const { mobile } = await join('operator');
    await signUpCustomer(program, { mobile });
    const elsewhere = { ip: '198.51.100.20' };
    const customers = async () => (await program.caller(elsewhere).post(login.path, { mobile, password: PASSWORD })).statusCode;
    const people = async () => (await program.caller(elsewhere).post('staff/login', { mobile, password: STAFF_PASSWORD })).statusCode;
    for (let guess = 0; guess < 5; guess += 1) await program.caller().send(login, { mobile, password: 'dirty socks' });
    expect([await customers(), await people()]).toEqual([429, 200]);
    program.clock.advance(3600);
    for (let guess = 0; guess < 5; guess += 1) await program.caller().send(staffLogin, { mobile, password: 'not the password' });
    expect([await customers(), await people()]).toEqual([200, 429]);
    program.clock.advance(3600);
    // The limit of a network is 100 in 15 minutes.
    await customers();
    const exhaust = (name: string) => program.db.updateTable('limit_windows').set({ taken: 500 }).where('name', '=', name).execute();
    await exhaust('log-ins of a network');
    expect([await customers(), await people()]).toEqual([429, 200]);
    program.clock.advance(3600);
    await people();
    await exhaust('staff log-ins of a network');
    expect([await customers(), await people()]).toEqual([200, 429]);
  });

  test('a session ends after seven days', async () => {
    const { mobile } = await join('rider');
    const caller = program.caller();
    await caller.send(staffLogin, { mobile, password: STAFF_PASSWORD });
    program.clock.advance(7 * 86_400 - 1);
    expect(await caller.send(staffMe, {})).toMatchObject({ response: 'success' });
    program.clock.advance(1);
    expect(await caller.send(staffMe, {})).toEqual(fail(staffError('not-logged-in')));
  });
});

describe('the link to set a password', () => {
  test('works once, and ends the sessions, the known devices and the back-off of the person', async () => {
    const { mobile, personid, owner } = await join('rider');
    const before = await newStaffSession(program, personid);
    await program.caller().send(staffLogin, { mobile, password: STAFF_PASSWORD });
    expect(await countDevices(mobile)).toBe(1);
    for (let guess = 0; guess < 5; guess += 1) await program.caller().send(staffLogin, { mobile, password: 'not the password' });
    const { data } = await owner.send(setPerson, { action: 'link', personid });
    const token = tokenOf(data?.link);
    const set = () => program.caller().send(setStaffPassword, { token, password: 'another password' });
    const check = () => program.caller().send(checkStaffLink, { token });
    // It can be checked often, and used once.
    expect([await check(), await check()]).toMatchObject([{ response: 'success' }, { response: 'success' }]);
    expect(await set()).toMatchObject({ response: 'success', data: { mobile } });
    expect(await countDevices(mobile)).toBe(0);
    expect(await set()).toEqual(fail(staffError('invalid-link')));
    expect(await check()).toEqual(fail(staffError('invalid-link')));
    expect(await before.send(staffMe, {})).toEqual(fail(staffError('session-ended')));
    expect(await program.caller().send(staffLogin, { mobile, password: STAFF_PASSWORD })).toMatchObject({ response: 'error' });
    expect(await program.caller().send(staffLogin, { mobile, password: 'another password' })).toMatchObject({ response: 'success' });
  });

  test('computes one hash for 45 concurrent requests, and delays no log-in of the staff', async () => {
    const { personid, owner } = await join('rider');
    const { data } = await owner.send(setPerson, { action: 'link', personid });
    const body = { token: tokenOf(data?.link), password: 'another password' };
    const sent = Array.from({ length: 45 }, () => program.caller().send(setStaffPassword, body));
    expect(await program.caller().send(staffLogin, { mobile: randomMobile(), password: STAFF_PASSWORD })).toMatchObject({
      response: 'error',
    });
    const responses = await Promise.all(sent);
    expect(responses.filter(({ response }) => response === 'success')).toHaveLength(1);
    expect(responses.filter(({ response }) => response === 'error')).toEqual(
      Array.from({ length: 44 }, () => fail(staffError('invalid-link'))),
    );
  });

  test('expires after a day, and a new link replaces it', async () => {
    const owner = await newStaff(program, 'owner');
    const { data } = await owner.caller.send(setPerson, { action: 'add', name: 'Late', mobile: randomMobile(), role: 'rider' });
    const personid = data?.personid ?? '';
    const second = await owner.caller.send(setPerson, { action: 'link', personid });
    const set = (token: string) => program.caller().send(setStaffPassword, { token, password: STAFF_PASSWORD });
    expect(await set(tokenOf(data?.link))).toEqual(fail(staffError('invalid-link')));
    program.clock.advance(86_400);
    expect(await set(tokenOf(second.data?.link))).toEqual(fail(staffError('invalid-link')));
  });

  test('is stored nowhere, also not in a stored response', async () => {
    const owner = await newStaff(program, 'owner');
    const body = { action: 'add', name: 'Secret', mobile: randomMobile(), role: 'rider' } as const;
    const { data } = await owner.caller.send(setPerson, body, { idempotencyKey: 'add-person-1' });
    const results = await program.db.selectFrom('staff_answers').selectAll().where('staff_id', '=', owner.personid).execute();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(tokenOf(data?.link));
  });
});

describe('people', () => {
  test('a repeated request adds one person and returns a link that works', async () => {
    const owner = await newStaff(program, 'owner');
    const mobile = randomMobile();
    const body = { action: 'add', name: 'Asha Rao', mobile, role: 'rider' } as const;
    const add = () => owner.caller.send(setPerson, body, { idempotencyKey: 'add-asha-1' });
    const [first, second] = [await add(), await add()];
    expect(second.data?.personid).toBe(first.data?.personid);
    const token = tokenOf(second.data?.link);
    expect(await program.caller().send(setStaffPassword, { token, password: STAFF_PASSWORD })).toMatchObject({ response: 'success' });
    const other = { ...body, name: 'Another' };
    await expect(owner.caller.send(setPerson, other, { idempotencyKey: 'add-asha-1' })).rejects.toMatchObject({
      status: 400,
      code: 'staff-key-used',
    });
    expect(await owner.caller.send(setPerson, other)).toEqual(fail(staffError('person-exists')));
  });

  test('of two concurrent requests with one key, one adds', async () => {
    const owner = await newStaff(program, 'owner');
    const body = { action: 'add', name: 'Twice', mobile: randomMobile(), role: 'rider' } as const;
    const results = await Promise.all([1, 2, 3].map(() => owner.caller.send(setPerson, body, { idempotencyKey: 'add-twice' })));
    expect(new Set(results.map(({ data }) => data?.personid)).size).toBe(1);
  });

  test('a change of role takes effect on the next log-in', async () => {
    const owner = await newStaff(program, 'owner');
    const { caller, personid } = await newStaff(program, 'operator');
    await expect(caller.send(getPeople, {})).rejects.toMatchObject({ status: 403 });
    await owner.caller.send(setPerson, { action: 'change', personid, name: 'Promoted', role: 'owner' });
    const again = await newStaffSession(program, personid);
    expect(await again.send(getPeople, {})).toMatchObject({ response: 'success' });
  });

  test('a removed person loses every session and known device, and the mobile can be added again', async () => {
    const { mobile, personid, owner } = await join('rider');
    const sessions = [await newStaffSession(program, personid), await newStaffSession(program, personid)];
    const hashes = sessions.map((caller) => hashToken(caller.cookies.get('staff') ?? ''));
    const live = () => listLiveStaffSessions(program.db, hashes, program.clock.now());
    expect(await live()).toHaveLength(2);
    await program.caller().send(staffLogin, { mobile, password: STAFF_PASSWORD });
    expect(await countDevices(mobile)).toBe(1);
    expect(await owner.send(setPerson, { action: 'remove', personid })).toMatchObject({ response: 'success' });
    expect(await countDevices(mobile)).toBe(0);
    for (const caller of sessions) {
      expect(await caller.send(staffMe, {})).toEqual(fail(staffError('person-removed')));
      await expect(caller.send(getPeople, {})).rejects.toMatchObject({ status: 401, code: 'login-required' });
    }
    expect(await program.caller().send(staffMe, {})).toEqual(fail(staffError('not-logged-in')));
    expect(await live()).toEqual([]);
    expect(await program.caller().send(staffLogin, { mobile, password: STAFF_PASSWORD })).toMatchObject({ response: 'error' });
    expect(await owner.send(setPerson, { action: 'remove', personid })).toEqual(fail(staffError('person-not-found')));
    expect(await owner.send(setPerson, { action: 'add', name: 'Again', mobile, role: 'rider' })).toMatchObject({ response: 'success' });
  });

  test('a browser learns that another role or a new password has ended its session, not that it has expired', async () => {
    const { personid, owner } = await join('rider');
    const [rerolled, expired] = [await newStaffSession(program, personid), await newStaffSession(program, personid)];
    const expiredHash = hashToken(expired.cookies.get('staff') ?? '');
    await program.db
      .updateTable('staff_sessions')
      .set({ expires_at: new Date(0) })
      .where('token_hash', '=', expiredHash)
      .execute();
    expect(await expired.send(staffMe, {})).toEqual(fail(staffError('not-logged-in')));
    const change = { action: 'change', personid, name: 'Ravi Kumar', role: 'operator' } as const;
    expect(await owner.send(setPerson, change)).toMatchObject({ response: 'success' });
    expect(await rerolled.send(staffMe, {})).toEqual(fail(staffError('session-ended')));
    expect(await program.caller().send(staffMe, {})).toEqual(fail(staffError('not-logged-in')));
  });

  test('of concurrent removals of all owners, one owner remains', async () => {
    const others = await listMembers(program.db);
    const owners = await Promise.all(Array.from({ length: 3 }, () => newStaff(program, 'owner')));
    const remove = (personid: string) =>
      transaction(program.db, (tx) => changePerson(tx, null, { action: 'remove', personid }, program.clock.now()));
    for (const { id } of others.filter(({ role }) => role === 'owner')) await remove(id);
    // Each owner removes the next one.
    const results = await Promise.allSettled(
      owners.map(({ caller }, index) => caller.send(setPerson, { action: 'remove', personid: owners[(index + 1) % 3]!.personid })),
    );
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    const [last, ...more] = (await listMembers(program.db)).filter(({ role }) => role === 'owner');
    expect(last).toBeDefined();
    for (const { id } of more) await remove(id);
    const caller = await newStaffSession(program, last!.id);
    expect(await caller.send(setPerson, { action: 'remove', personid: last!.id })).toEqual(fail(staffError('last-owner')));
    expect(await caller.send(setPerson, { action: 'change', personid: last!.id, name: 'Only', role: 'rider' })).toEqual(
      fail(staffError('last-owner')),
    );
  });
});

test('a call that names another person than the session is refused, as without a session', async () => {
  const [owner, other] = [await newStaff(program, 'owner'), await newStaff(program, 'owner')];
  const listAs = (mobile: string) => owner.caller.send(getPeople, {}, { headers: { [STAFF_MOBILE_HEADER]: mobile } });
  await expect(listAs(other.mobile)).rejects.toMatchObject({ status: 401, code: 'login-required' });
  expect(await listAs(owner.mobile)).toMatchObject({ response: 'success' });
});

describe('a change of role', () => {
  const change = async ({ personid }: { personid: string }, role: Role) => {
    const owner = await newStaff(program, 'owner');
    return owner.caller.send(setPerson, { action: 'change', personid, name: 'Another Name', role });
  };

  test('ends the sessions of the person, which may lack the passkey of the new role; a new name does not', async () => {
    const rider = await newStaff(program, 'rider');
    await change(rider, 'rider');
    expect(await rider.caller.send(staffMe, {})).toMatchObject({ data: { name: 'Another Name', role: 'rider' } });
    await change(rider, 'owner');
    expect(await rider.caller.send(staffMe, {})).toEqual(fail(staffError('session-ended')));
    await expect(rider.caller.send(getPeople, {})).rejects.toMatchObject({ status: 401 });
  });

  test('during a log-in makes it fail: the second factor was decided for the role before', async () => {
    const { mobile, personid } = await join('rider');
    const caller = program.caller();
    let result: Promise<unknown> | undefined;
    await program.db.transaction().execute(async (tx) => {
      await tx.updateTable('staff_members').set({ role: 'owner' }).where('id', '=', personid).execute();
      result = caller.send(staffLogin, { mobile, password: STAFF_PASSWORD });
      await waitingStatements(program, 1);
    });
    expect(await result).toEqual(fail(staffError('wrong-staff-login')));
    expect(await caller.send(staffMe, {})).toEqual(fail(staffError('not-logged-in')));
  });
});

describe('the audit', () => {
  test.each([{ from: '9999-12-31' }, { to: '9999-12-31' }, { from: '0000-01-01' }, { to: '2026-02-30' }])(
    'refuses a day that does not exist, or of another millennium: %o',
    async (filter) => {
      const owner = await newStaff(program, 'owner');
      const { statusCode, body } = await owner.caller.post(getAudit.path, filter);
      expect([statusCode, body]).toEqual([400, expect.stringContaining('invalid-value')]);
    },
  );

  test('is listed newest first in pages, with filters', async () => {
    const owner = await newStaff(program, 'owner');
    const rider = await newStaff(program, 'rider');
    const now = program.clock.now();
    for (let count = 0; count < 60; count += 1) {
      await audit(program.db, null, { action: 'change-person', subject: ['person', rider.personid], after: { name: `${count}` } }, now);
    }
    const first = await owner.caller.send(getAudit, { subject: rider.personid });
    expect(first.data?.entries).toHaveLength(50);
    expect(first.data?.entries[0]).toMatchObject({ person: null, action: 'change-person', after: { name: '59' }, before: null });
    const second = await owner.caller.send(getAudit, { subject: rider.personid, cursor: first.data?.next ?? '' });
    expect(second.data?.entries.map(({ after }) => after?.name)).toEqual(Array.from({ length: 10 }, (_, index) => `${9 - index}`));
    expect(second.data?.next).toBeNull();
    await rider.caller.post('staff/audit', {});
    const refused = await owner.caller.send(getAudit, { personid: rider.personid, action: 'refused' });
    expect(refused.data?.entries).toMatchObject([{ person: { name: 'Test rider', role: 'rider' }, subject: 'staff/audit' }]);
    expect(first.data?.names).toEqual({ [rider.personid]: 'Test rider' });
    expect(first.data?.entries[0]?.has_others).toBe(true);
    const holder: AuditRow = { action: 'hand-in-cash', subject: ['cash', rider.personid.toLowerCase()], after: { holder: rider.personid } };
    await audit(program.db, null, holder, now);
    expect((await owner.caller.send(getAudit, { action: 'hand-in-cash' })).data).toMatchObject({
      names: { [rider.personid]: 'Test rider' },
      entries: [{ has_others: false }],
    });
    const day = first.data?.entries[0]?.at.slice(0, 10) ?? '';
    expect((await owner.caller.send(getAudit, { subject: rider.personid, from: day, to: day })).data?.entries).toHaveLength(50);
    expect((await owner.caller.send(getAudit, { subject: rider.personid, to: '2020-01-01' })).data?.entries).toEqual([]);
    for (const from of ['2026-13-01', '2026-99-99', 'today']) {
      await expect(owner.caller.send(getAudit, { from })).rejects.toThrow();
    }
  });

  test.each([
    ['hand_over_code', 'the audit holds no secret'],
    ['colour', 'AUDIT_FIELDS lists every field of the audit'],
  ])('accepts no field %s', async (field, problem) => {
    const after: Record<string, string> = { [field]: '1234' };
    const entry = { action: 'change-person', subject: ['person', 'x'], after } as const;
    await expect(audit(program.db, null, entry, program.clock.now())).rejects.toThrow(`${problem}: ${field}`);
  });
});

describe('passkeys', () => {
  const live = useProgram({
    MODE: 'live',
    DATABASE_URL: 'postgres://db.example/laundry',
    PUBLIC_URL: 'https://laundry.example',
    SECRET: 'a secret of the tests, 32 bytes or more',
    TRUST_PROXY: '1',
    BRAND_EMAIL: 'help@laundry.example',
    BRAND_MOBILE: '+91 98765 00000',
    BRAND_ADDRESS: 'Shop 4, Sector 81, Gurugram',
    SMS_PROVIDER: 'msg91',
    MSG91_AUTH_KEY: 'key',
    MSG91_TEMPLATE_ID: 'template',
  });

  test('live mode demands one of owner and operator, not of a rider', async () => {
    for (const role of ['owner', 'operator', 'rider'] as const) {
      const { mobile, personid } = await newStaff(live, role);
      await live.db
        .updateTable('staff_members')
        .set({ password_hash: await hashed })
        .where('id', '=', personid)
        .execute();
      const caller = live.caller();
      const result = await caller.send(staffLogin, { mobile, password: STAFF_PASSWORD });
      if (role === 'rider') {
        expect(result).toMatchObject({ response: 'success' });
        continue;
      }
      expect(result).toEqual(fail(staffError('passkey-missing')));
      expect(await caller.send(staffMe, {})).toEqual(fail(staffError('not-logged-in')));
      await expect(caller.send(getPeople, {})).rejects.toMatchObject({ status: 401 });
      expect(await caller.send(passkeyOptions, {})).toMatchObject({
        data: { purpose: 'enrol', options: { rp: { id: 'laundry.example' }, user: { name: mobile } } },
      });
    }
  });

  test('of two log-ins with the password alone one adds a first passkey, and the other is refused', async () => {
    const { mobile, personid } = await newStaff(live, 'owner');
    await live.db
      .updateTable('staff_members')
      .set({ password_hash: await hashed })
      .where('id', '=', personid)
      .execute();
    const enrolling = async () => {
      const caller = live.caller();
      expect(await caller.send(staffLogin, { mobile, password: STAFF_PASSWORD })).toEqual(fail(staffError('passkey-missing')));
      const { data } = await caller.send(passkeyOptions, {});
      return { caller, credential: newCredential(data?.options ?? {}, 'https://laundry.example') };
    };
    const [first, second] = [await enrolling(), await enrolling()];
    expect(await first.caller.send(addPasskey, { credential: first.credential })).toMatchObject({ response: 'success' });
    expect(await second.caller.send(addPasskey, { credential: second.credential })).toEqual(fail(staffError('passkey-refused')));
    expect(await second.caller.send(staffMe, {})).toEqual(fail(staffError('not-logged-in')));
    const passkeys = live.db.selectFrom('staff_passkeys').select('id').where('staff_id', '=', personid);
    expect(await passkeys.execute()).toEqual([{ id: first.credential.id }]);
  });

  test('a forged credential is refused and uses up its challenge', async () => {
    const { mobile } = await join('operator');
    const caller = program.caller();
    await caller.send(staffLogin, { mobile, password: STAFF_PASSWORD });
    await caller.send(passkeyOptions, {});
    for (const credential of [{ id: 'AAAA' }, { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} }]) {
      expect(await caller.send(addPasskey, { credential })).toEqual(fail(staffError('passkey-refused')));
    }
    const ceremonies = await program.db.selectFrom('staff_passkey_steps').select('challenge').execute();
    expect(ceremonies.every(({ challenge }) => challenge === null)).toBe(true);
    expect(await caller.send(passkeyLogin, { credential: { id: 'AAAA' } })).toEqual(fail(staffError('not-logged-in')));
  });

  test('a further passkey needs a fresh log-in', async () => {
    const { caller } = await newStaff(program, 'owner');
    program.clock.advance(601);
    await expect(caller.send(passkeyOptions, {})).rejects.toMatchObject({ status: 403, code: 'login-too-old' });
  });

  test('a new password by the link removes the passkeys of the person', async () => {
    const { personid, owner } = await join('operator');
    const passkey = {
      id: personid,
      staff_id: personid,
      public_key: Buffer.from('x'),
      counter: 0,
      transports: [],
      created_at: program.clock.now(),
    };
    await program.db.insertInto('staff_passkeys').values(passkey).execute();
    const passkeysOf = async () => (await owner.send(getPeople, {})).data?.find((person) => person.personid === personid)?.passkeys;
    expect(await passkeysOf()).toBe(1);
    const { data } = await owner.send(setPerson, { action: 'link', personid });
    await program.caller().send(setStaffPassword, { token: tokenOf(data?.link), password: STAFF_PASSWORD });
    expect(await passkeysOf()).toBe(0);
  });
});
