import { expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { requestCode, newestCode, newMobile, PASSWORD, verifyMobile, signUpCustomer } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import { getUserDetails, updateUserDetails } from '../profile/contract.ts';
import { confirmCode } from '../verification/contract.ts';
import { accountError, accountMessages, login, logout, lookUp, lookUpQueries, signUp } from './contract.ts';

const program = useProgram();

test('creates an account and logs the customer in', async () => {
  const { caller, userid, mobile, name } = await signUpCustomer(program);
  const details = await caller.send(getUserDetails, { token: userid });
  expect(details).toEqual({ response: 'success', message: 'User Data', data: { name, email: '', mobile, userid, wallet: 0 } });
});

test('rejects the userid of another customer and an unknown one with the same response', async () => {
  const [one, other] = [await signUpCustomer(program), await signUpCustomer(program)];
  const responses = await Promise.all([other.userid, 'unknown'].map((token) => one.caller.post('login/getuserdetails.php', { token })));
  const refused = [401, JSON.stringify(fail(protocolError('login-required')))];
  expect(responses.map(({ statusCode, body }) => [statusCode, body])).toEqual([refused, refused]);
});

test('creates an account only with a confirmed code of this browser, mobile and purpose', async () => {
  const mobile = newMobile();
  const who = { name: 'Asha Rao', mobile, password: PASSWORD };
  const caller = program.caller();
  await requestCode(caller, mobile, 'signup');
  expect(await caller.send(signUp, who)).toMatchObject({ response: 'error', ...accountError('mobile-not-verified') });
  await caller.send(confirmCode, { mobile, purpose: 'signup', code: await newestCode(program, mobile) });
  expect(await program.caller().send(signUp, who)).toMatchObject({ response: 'error', ...accountError('mobile-not-verified') });
  expect(await caller.send(signUp, { ...who, mobile: newMobile() })).toMatchObject({ response: 'error' });
  expect(await caller.send(signUp, who)).toMatchObject({ response: 'success', message: accountMessages.accountCreated });
  expect(await caller.send(signUp, who)).toMatchObject({ response: 'error', ...accountError('mobile-not-verified') });
});

test('returns different errors for an unknown mobile and a wrong password', async () => {
  const { mobile } = await signUpCustomer(program);
  const caller = program.caller();
  expect(await caller.send(login, { mobile: newMobile(), password: PASSWORD })).toMatchObject({ message: 'user not found' });
  expect(await caller.send(login, { mobile, password: 'dirty socks' })).toMatchObject({ message: 'wrong password' });
});

test('responds to the three queries of the look-up with a handle instead of the userid', async () => {
  const { mobile, userid } = await signUpCustomer(program, { name: 'Asha Rao' });
  const caller = program.caller();
  const lookUpRows = async (query: string) => (await caller.send(lookUp, { query })).data;
  expect(await lookUpRows(lookUpQueries.mobile(mobile))).toEqual([{ mobile }]);
  expect(await lookUpRows(lookUpQueries.name(mobile))).toEqual([{ name: 'Asha' }]);
  const [row] = (await lookUpRows(lookUpQueries.mobileAndUserid(mobile))) ?? [];
  expect(row).toEqual({ mobile, userid: expect.stringMatching(/^[0-9A-Z]{20}$/) });
  expect(row?.userid).not.toBe(userid);
  expect(await caller.send(lookUp, { query: lookUpQueries.mobile(newMobile()) })).toMatchObject({
    response: 'error',
    message: 'user not found',
  });
});

const INVISIBLE_NAMES = ['\u3164\u3164', '\u115F\u1160\uFFA0', '\u2800\u2800', '\u0301\u0301', '\u200B\u200D\u2060', '.-', '💧💧'];

test.each(INVISIBLE_NAMES)('rejects the name %j, which has no letter or digit, at sign-up and in the profile', async (name) => {
  const { caller, userid } = await signUpCustomer(program);
  const mobile = newMobile();
  const rejected = { statusCode: 400, code: accountError('invalid-name').code };
  const responses = [
    await caller.post(signUp.path, { name, mobile, password: PASSWORD }),
    await caller.post(updateUserDetails.path, { token: userid, name }),
  ];
  expect(responses.map((response) => ({ statusCode: response.statusCode, code: response.json().code }))).toEqual([rejected, rejected]);
});

test.each(['ज़ोया श्रीवास्तव', 'ஸ்ரீநிவாசன்', 'চাঁদ বন্দ্যোপাধ্যায়', '王芳'])('stores the name %s unchanged', async (name) => {
  const { caller, userid } = await signUpCustomer(program, { name });
  expect((await caller.send(getUserDetails, { token: userid })).data).toMatchObject({ name });
});

test('stores at most four combining marks of a letter', async () => {
  const { caller, userid } = await signUpCustomer(program, { name: `As${'\u0300\u0489'.repeat(90)}ha` });
  expect((await caller.send(getUserDetails, { token: userid })).data).toMatchObject({ name: 'As\u0300\u0489\u0300\u0489ha' });
});

test.each([
  ['evil.example', 'evil'],
  ['asha@evil.example', 'asha'],
  ['98765 43210 Asha', 'Asha'],
  ['W'.repeat(200), 'W'.repeat(20)],
  ['+91 98765 43210', ''],
])('strangers see the first name of %j as %j', async (name, first) => {
  const { mobile } = await signUpCustomer(program, { name });
  const { data } = await program.caller().send(lookUp, { query: lookUpQueries.name(mobile) });
  expect(data).toEqual([{ name: first }]);
});

test('reads a stored name of an earlier version', async () => {
  const { caller, userid, mobile } = await signUpCustomer(program);
  const name = `\u3164\u3164${'\u0300'.repeat(50)}`;
  await program.db.updateTable('customers').set({ name }).where('id', '=', userid).execute();
  expect((await caller.send(getUserDetails, { token: userid })).data).toMatchObject({ name });
  expect((await program.caller().send(lookUp, { query: lookUpQueries.name(mobile) })).response).toBe('success');
});

test('rejects a sign-up with a mobile that has an account and changes nothing', async () => {
  const { mobile } = await signUpCustomer(program);
  program.clock.advance(31);
  const caller = program.caller();
  await verifyMobile(program, caller, mobile, 'signup');
  const again = await caller.send(signUp, { name: 'Somebody Else', mobile, password: 'other socks' });
  expect(again).toMatchObject({ response: 'error', ...accountError('user-exists') });
  expect(await program.caller().send(login, { mobile, password: PASSWORD })).toMatchObject({ response: 'success' });
});

test('log-out ends the session, so that its token is rejected', async () => {
  const { caller, userid } = await signUpCustomer(program);
  const token = caller.cookies.get('session')!;
  expect(await caller.send(logout, {})).toEqual({ response: 'success', message: accountMessages.loggedOut, data: null });
  expect(caller.cookies.has('session')).toBe(false);
  const replay = program.caller();
  replay.cookies.set('session', token);
  expect((await replay.post('login/getuserdetails.php', { token: userid })).statusCode).toBe(401);
});

test('logging out everywhere ends only the sessions of this customer, in all browsers', async () => {
  const [owner, other] = [await signUpCustomer(program), await signUpCustomer(program)];
  const phone = program.caller();
  await phone.send(login, { mobile: owner.mobile, password: PASSWORD });
  const isLoggedIn = async (caller: typeof phone, userid: string) =>
    (await caller.post('login/getuserdetails.php', { token: userid })).statusCode === 200;
  expect([await isLoggedIn(phone, owner.userid), await isLoggedIn(owner.caller, owner.userid)]).toEqual([true, true]);
  await owner.caller.send(logout, { everywhere: true });
  expect([
    await isLoggedIn(phone, owner.userid),
    await isLoggedIn(owner.caller, owner.userid),
    await isLoggedIn(other.caller, other.userid),
  ]).toEqual([false, false, true]);
  expect(await program.caller().send(logout, { everywhere: true })).toMatchObject({ response: 'success' });
});
