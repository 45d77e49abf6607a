/** One account per mobile under concurrency, sign-up of guests, and referrals. */
import { fail } from '../../contract/route.server.ts';
import { describe, expect, test } from 'vitest';
import { newestCode, newMobile, PASSWORD, verifyMobile, signUpCustomer } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import { encodeReferralCode } from '../../lib/referral-code.ts';
import type { Mobile } from '../../lib/mobile.ts';
import { sendCode } from '../verification/contract.ts';
import { accountError, accountMessages, login, lookUp, lookUpQueries, signUp } from './contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });

const accountsOf = (mobile: string) => program.db.selectFrom('customers').selectAll().where('mobile', '=', mobile).execute();

test('a hundred concurrent sign-ups with one grant create one account, and delay no other customer', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  await verifyMobile(program, caller, mobile, 'signup');
  const sent = Array.from({ length: 100 }, (_, index) =>
    caller.post('login/signup.php', { name: `Asha ${index}`, mobile, password: PASSWORD }),
  );
  // Without a limit of their own they fill the queue of password hashes.
  expect(await program.caller().post(login.path, { mobile: newMobile(), password: PASSWORD })).toMatchObject({ statusCode: 200 });
  const responses = await Promise.all(sent);
  expect(responses.filter((result) => result.json().response === 'success')).toHaveLength(1);
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(await accountsOf(mobile)).toHaveLength(1);
});

test('fifteen browsers that all confirmed the mobile create one account', async () => {
  const mobile = newMobile();
  const [first, ...others] = Array.from({ length: 15 }, () => program.caller());
  await verifyMobile(program, first!, mobile, 'signup');
  const grant = await program.db.selectFrom('verification_grants').selectAll().where('mobile', '=', mobile).executeTakeFirstOrThrow();
  // The limits of a number allow fewer than fifteen codes, so the other browsers get the first
  // one's proof.
  for (const other of others) other.cookies.set('browser', first!.cookies.get('browser')!);
  const { id: _, ...copy } = grant;
  await program.db
    .insertInto('verification_grants')
    .values(others.map(() => copy))
    .execute();
  const responses = await Promise.all(
    [first!, ...others].map((caller) => caller.send(signUp, { name: 'Asha Rao', mobile, password: PASSWORD })),
  );
  expect(responses.filter(({ message }) => message === accountMessages.accountCreated)).toHaveLength(1);
  expect(responses.filter((result) => result.response === 'error')).toEqual(
    Array.from({ length: 14 }, () => fail(accountError('user-exists'))),
  );
  expect(await accountsOf(mobile)).toHaveLength(1);
});

test('a guest who signs up keeps the customer id', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  await verifyMobile(program, caller, mobile, 'guest');
  const [guest] = await accountsOf(mobile);
  expect(guest).toMatchObject({ mobile, name: null, password_hash: null });
  expect(caller.cookies.has('session')).toBe(true);
  expect(caller.cookies.has('signed_in')).toBe(false);
  expect(await caller.send(login, { mobile, password: PASSWORD })).toMatchObject({ message: 'user not found' });
  expect(await caller.send(lookUp, { query: lookUpQueries.mobile(mobile) })).toMatchObject({ message: 'user not found' });

  program.clock.advance(31);
  const { userid } = await signUpCustomer(program, { mobile, caller });
  expect(userid).toBe(guest!.id);
});

test('a guest session cannot read or change the account of its mobile', async () => {
  const { mobile, userid } = await signUpCustomer(program);
  program.clock.advance(31);
  const guest = program.caller();
  await verifyMobile(program, guest, mobile, 'guest');
  for (const token of [userid, undefined]) {
    expect((await guest.post('login/getuserdetails.php', { token })).statusCode).toBe(401);
    expect((await guest.post('login/updateuserdetails.php', { token, name: 'Somebody' })).statusCode).toBe(401);
  }
});

test('confirming a guest code does not log a customer out', async () => {
  const { caller, userid } = await signUpCustomer(program);
  await verifyMobile(program, caller, newMobile(), 'guest');
  expect((await caller.post('login/getuserdetails.php', { token: userid })).statusCode).toBe(200);
});

describe('referrals', () => {
  const referredBy = async (mobile: string) => (await accountsOf(mobile))[0]?.referred_by;

  test('reads the referrer from a code, a link or a mobile', async () => {
    const referrer = await signUpCustomer(program);
    const code = encodeReferralCode(referrer.mobile as Mobile);
    for (const referral of [code, code.toLowerCase(), `https://dhulai.example/${code}`, referrer.mobile, `+91 ${referrer.mobile}`]) {
      const { mobile } = await signUpCustomer(program, { referral });
      expect(await referredBy(mobile)).toBe(referrer.userid);
    }
  });

  test("ignores an unknown referral and the customer's own", async () => {
    const mobile = newMobile();
    for (const referral of ['', 'nonsense', 'LAUNDRYBOX', mobile, encodeReferralCode(mobile as Mobile)]) {
      const fresh = referral.includes(mobile) || referral === encodeReferralCode(mobile as Mobile) ? mobile : newMobile();
      if ((await accountsOf(fresh)).length > 0) continue;
      await signUpCustomer(program, { mobile: fresh, referral });
      expect(await referredBy(fresh)).toBeNull();
    }
  });
});

test('a sign-up creates one receipt, valid for ten minutes', async () => {
  const { mobile } = await signUpCustomer(program);
  const receipts = await program.db
    .selectFrom('verification_grants')
    .selectAll()
    .where('mobile', '=', mobile)
    .where('purpose', '=', 'receipt')
    .execute();
  expect(receipts).toHaveLength(1);
  expect(receipts[0]!.expires_at.getTime() - program.clock.now().getTime()).toBe(600_000);
});

describe('field rules', () => {
  const fields = { name: 'Asha Rao', mobile: '9876543210', password: PASSWORD };
  test.each([
    [{ name: 'A' }, 'Invalid name', 'invalid-name'],
    [{ name: '  A  ' }, 'Invalid name', 'invalid-name'],
    [{ mobile: '987654321' }, 'Mobile number should be of 10 digits', 'mobile-length'],
    [{ mobile: '98765432101' }, 'Mobile number should be of 10 digits', 'mobile-length'],
    [{ mobile: '९८७६५४३२१०' }, 'Mobile number should be of 10 digits', 'mobile-length'],
    [{ password: '12345' }, 'Password must be of atleast 6 characters', 'password-too-short'],
    [{ password: 'x'.repeat(129) }, 'Password must be of at most 128 characters', 'password-too-long'],
  ])('rejects %o with %s', async (change, message, code) => {
    const result = await program.caller().post('login/signup.php', { ...fields, ...change });
    expect([result.statusCode, result.json()]).toEqual([400, { response: 'error', message, code, params: {}, data: null }]);
  });

  test.each([{ mobile: '123' }, { mobile: 9876543210 }, { mobile: ['9876543210'] }])('sends no code to %o', async (change) => {
    const result = await program.caller().post(sendCode.path, { purpose: 'signup', challenge: '', ...change });
    expect(result.statusCode).toBe(400);
  });
});

test('a sign-up ignores unknown fields', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  await caller.send(sendCode, { mobile, purpose: 'signup', challenge: '' });
  await caller.post('verification/confirmcode', { mobile, purpose: 'signup', code: await newestCode(program, mobile) });
  const extra = {
    id: 'mine',
    userid: 'mine',
    wallet: 500,
    role: 'staff',
    referred_by: 'x',
    created_at: '2000-01-01',
    email: 'a@b.example',
  };
  await caller.post('login/signup.php', { name: 'Asha Rao', mobile, password: PASSWORD, ...extra });
  expect((await accountsOf(mobile))[0]).toMatchObject({ email: '', referred_by: null, created_at: program.clock.now() });
});
