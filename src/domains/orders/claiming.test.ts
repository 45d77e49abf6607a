/**
 * A guest's orders become an account's, by a sign-up or by a reset of the password. Design section
 * 6, "Guest".
 */
import { fail } from '../../contract/route.server.ts';
import { expect, test } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { newMobile, verifyMobile, signUpCustomer } from '../../../test/support/customer.ts';
import { home, newOrderingGuest, place, washInManesar } from '../../../test/support/ordering.ts';
import { newGuest } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { login, lookUp, lookUpQueries } from '../accounts/contract.ts';
import { profileError, updateUserDetails } from '../profile/contract.ts';
import { addOrder, getOrders } from './contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const PASSWORD = 'clean shirts';

const handleOf = async (mobile: string) =>
  (await program.caller().send(lookUp, { query: lookUpQueries.mobileAndUserid(mobile) })).data?.[0]?.userid;
const reset = (caller: Caller, token: string | undefined, password = PASSWORD) =>
  caller.send(updateUserDetails, { ...(token !== undefined && { token }), password });
const idsOf = async (caller: Caller) => (await caller.send(getOrders, {})).data?.map(({ orderid }) => orderid);

/** Places an order as a guest with a verified mobile number. Returns its id. */
async function orderAsGuest(mobile: string, name: string) {
  const caller = program.caller();
  await verifyMobile(program, caller, mobile, 'guest');
  const response = await caller.send(addOrder, { ...washInManesar, guest_address: { ...home, name, mobile } });
  program.clock.advance(60);
  return response.data?.orderid;
}

test('a sign-up moves the guest orders to the account', async () => {
  const mobile = newMobile();
  const orderid = await orderAsGuest(mobile, 'Meera Nair');
  const { caller } = await signUpCustomer(program, { mobile, name: 'Asha Rao' });
  expect(await idsOf(caller)).toEqual([orderid]);
});

test('a password reset creates an account with the guest orders and the name of the last address', async () => {
  const mobile = newMobile();
  const orders = [await orderAsGuest(mobile, 'Meera Nair'), await orderAsGuest(mobile, 'Meera Menon')];
  const caller = program.caller();
  expect(await caller.send(login, { mobile, password: PASSWORD })).toMatchObject({ message: 'user not found' });

  const token = await handleOf(mobile);
  await verifyMobile(program, caller, mobile, 'reset');
  expect(await reset(caller, token)).toMatchObject({ response: 'success' });
  const { data } = await caller.send(login, { mobile, password: PASSWORD });
  expect(data).toMatchObject({ name: 'Meera Menon', email: '', mobile });
  expect(await idsOf(caller)).toEqual(orders.toReversed());
});

test('a guest without a reset code gets no account', async () => {
  const guest = await newOrderingGuest(program);
  await place(guest);
  const token = await handleOf(guest.mobile);
  expect(token).toBeDefined();
  const refused = fail(profileError('reset-expired'));
  expect(await reset(program.caller(), token)).toEqual(refused);
  expect(await reset(guest.caller, token), 'with the guest session').toEqual(refused);
  const other = program.caller();
  await verifyMobile(program, other, newMobile(), 'reset');
  expect(await reset(other, token), 'with a code of another number').toEqual(refused);
  const row = await program.db.selectFrom('customers').selectAll().where('id', '=', guest.userid).executeTakeFirst();
  expect(row).toMatchObject({ name: null, password_hash: null });
});

test('ten concurrent resets of one guest set one password', async () => {
  const guest = await newOrderingGuest(program);
  await place(guest);
  const token = await handleOf(guest.mobile);
  const caller = program.caller();
  await verifyMobile(program, caller, guest.mobile, 'reset');
  const passwords = Array.from({ length: 10 }, (_, index) => `${PASSWORD} ${index}`);
  const responses = await Promise.all(passwords.map((password) => reset(caller, token, password)));
  expect(responses.filter(({ response }) => response === 'success')).toHaveLength(1);
});

test('the number of a guest without orders is unknown, also to the sign-up page', async () => {
  const { mobile } = await newGuest(program);
  expect(await handleOf(mobile)).toBeUndefined();
  const ordering = await newOrderingGuest(program);
  await place(ordering);
  for (const query of [lookUpQueries.mobile(ordering.mobile), lookUpQueries.name(ordering.mobile)])
    expect(await program.caller().send(lookUp, { query })).toMatchObject({ response: 'error', message: 'user not found' });
});
