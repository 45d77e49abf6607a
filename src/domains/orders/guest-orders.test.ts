/**
 * A guest's orders become an account's: by a sign-up or a reset of the password, which prove the
 * mobile, or by a log-in in the same browser. Design section 6, "Guest"; docs/decisions/0039.
 */
import { fail } from '../../contract/route.server.ts';
import { expect, test } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { transaction } from '../../db/database.server.ts';
import { newMobile, PASSWORD, verifyMobile, signUpCustomer } from '../../../test/support/customer.ts';
import { home, newOrderingGuest, place, washInManesar } from '../../../test/support/ordering.ts';
import { newGuest } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { login, lookUp, lookUpQueries } from '../accounts/contract.ts';
import { getAddresses } from '../addresses/contract.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { getOrderPayments } from '../payments/contract.ts';
import { profileError, updateUserDetails } from '../profile/contract.ts';
import { readPaidPaise } from '../payments/store.server.ts';
import { auditLedger, isSound } from '../wallet/service.server.ts';
import { getTransactions } from '../wallet/contract.ts';
import { listMovements, readBalance } from '../wallet/store.server.ts';
import { addOrder, getOrder, getOrders } from './contract.ts';
import { cancelOrder } from './cancelling-service.server.ts';
import { moveOrder, weighOrder } from './service.server.ts';
import { setEarlierStage } from './changing-store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const program = useProgram({ BOT_CHECK: 'off' });

const handleOf = async (mobile: string) =>
  (await program.caller().send(lookUp, { query: lookUpQueries.mobileAndUserid(mobile) })).data?.[0]?.userid;
const reset = (caller: Caller, token: string | undefined, password = PASSWORD) =>
  caller.send(updateUserDetails, { ...(token !== undefined && { token }), password });
const idsOf = async (caller: Caller) => (await caller.send(getOrders, {})).data?.map(({ orderid }) => orderid);

/** Places an order as a guest with a verified mobile number. Returns its id. */
async function orderAsGuest(mobile: string, name = 'Meera Nair', caller = program.caller()) {
  // The wait between two codes to one number.
  program.clock.advance(60);
  await verifyMobile(program, caller, mobile, 'guest');
  const response = await caller.send(addOrder, { ...washInManesar, guest_address: { ...home, name, mobile } });
  program.clock.advance(60);
  if (!response.data) throw new Error(response.message);
  return response.data.orderid;
}

/** Sets a new password with a code to the mobile, in the browser of `caller`, and logs in. */
async function resetAndLogIn(mobile: string, caller = program.caller()) {
  program.clock.advance(60);
  const token = await handleOf(mobile);
  await verifyMobile(program, caller, mobile, 'reset');
  expect(await reset(caller, token)).toMatchObject({ response: 'success' });
  expect(await caller.send(login, { mobile, password: PASSWORD })).toMatchObject({ response: 'success' });
  return caller;
}

test('a sign-up moves the guest orders to the account', async () => {
  const mobile = newMobile();
  const orderid = await orderAsGuest(mobile, 'Meera Nair');
  const { caller } = await signUpCustomer(program, { mobile, name: 'Asha Rao' });
  expect(await idsOf(caller)).toEqual([orderid]);
});

test('the address of the newest assigned order becomes the first saved address, and no further one', async () => {
  const mobile = newMobile();
  const first = program.caller();
  await orderAsGuest(mobile, 'Meera Nair', first);
  await orderAsGuest(mobile, 'Meera Menon');
  const { caller } = await signUpCustomer(program, { mobile });
  const saved = async (who: Caller) => (await who.send(getAddresses, {})).data;
  const address = { ...home, name: 'Meera Menon', mobile, area: washInManesar.area };
  expect(await saved(caller)).toEqual([{ ...address, addressid: expect.any(String), userid: expect.any(String) }]);
  const [before] = (await saved(caller)) ?? [];
  await orderAsGuest(mobile, 'Meera Rao', first);
  await first.send(login, { mobile, password: PASSWORD });
  expect(await idsOf(first)).toHaveLength(3);
  expect(await saved(first)).toEqual([before]);
});

test('a log-in with the orders of another number saves no address', async () => {
  const { mobile } = await signUpCustomer(program);
  const here = program.caller();
  await orderAsGuest(newMobile(), 'Meera Nair', here);
  await here.send(login, { mobile, password: PASSWORD });
  expect((await here.send(getAddresses, {})).data).toEqual([]);
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

test('an account does not see the orders that the new owner of its number places as a guest, and the reverse', async () => {
  const former = await signUpCustomer(program);
  const { mobile } = former;
  const newOwner = program.caller();
  const orderid = await orderAsGuest(mobile, 'Ravi Kumar', newOwner);
  const elsewhere = program.caller();
  await elsewhere.send(login, { mobile, password: former.password });

  for (const caller of [former.caller, elsewhere]) {
    expect(await idsOf(caller)).toEqual([]);
    expect(await caller.send(getOrder, { orderid })).toMatchObject({ code: 'order-not-found' });
    expect(await caller.send(getOrderPayments, { orderid })).toMatchObject({ code: 'order-not-found' });
  }
  expect(await idsOf(newOwner)).toEqual([orderid]);
});

test('a guest who proves the number again sees its orders of an ended session, and none of another browser', async () => {
  const [mobile, other] = [newMobile(), newMobile()];
  const browser = program.caller();
  const orderid = await orderAsGuest(mobile, 'Meera Nair', browser);
  await orderAsGuest(other, 'Meera Nair', browser);
  // It ends the session, which has the orders of both numbers.
  await signUpCustomer(program, { mobile: other });
  await expect(idsOf(browser)).rejects.toThrow('Please login first');

  program.clock.advance(60);
  await verifyMobile(program, browser, mobile, 'guest');
  expect(await idsOf(browser)).toEqual([orderid]);

  program.clock.advance(60);
  const elsewhere = program.caller();
  await verifyMobile(program, elsewhere, mobile, 'guest');
  expect(await idsOf(elsewhere)).toEqual([]);
  expect(await idsOf(browser)).toEqual([orderid]);
});

test('a log-in assigns the orders of the guest session of this browser only', async () => {
  const { mobile, password } = await signUpCustomer(program);
  const [here, elsewhere] = [program.caller(), program.caller()];
  const [orderHere, orderElsewhere] = [await orderAsGuest(mobile, 'Asha Rao', here), await orderAsGuest(mobile, 'Asha Rao', elsewhere)];
  expect(await here.send(login, { mobile, password })).toMatchObject({ response: 'success' });
  expect(await idsOf(here)).toEqual([orderHere]);
  expect(await idsOf(elsewhere)).toEqual([orderElsewhere]);
});

test('a log-in with another number assigns nothing', async () => {
  const { mobile, password } = await signUpCustomer(program);
  const caller = program.caller();
  await orderAsGuest(newMobile(), 'Asha Rao', caller);
  expect(await caller.send(login, { mobile, password })).toMatchObject({ response: 'success' });
  expect(await idsOf(caller)).toEqual([]);
});

test('a reset of an account assigns the guest orders of its number', async () => {
  const { mobile } = await signUpCustomer(program);
  const orderid = await orderAsGuest(mobile);
  expect(await idsOf(await resetAndLogIn(mobile))).toEqual([orderid]);
});

test.each([
  ['a sign-up', (mobile: string) => signUpCustomer(program, { mobile })],
  ['a reset', (mobile: string) => resetAndLogIn(mobile)],
])('%s ends the guest sessions of the number in all browsers', async (_what, proveMobile) => {
  const mobile = newMobile();
  const [guest, stranger] = [program.caller(), program.caller()];
  await orderAsGuest(mobile, 'Asha Rao', guest);
  const other = await orderAsGuest(newMobile(), 'Asha Rao', stranger);
  await proveMobile(mobile);
  expect((await guest.post(getOrders.path, {})).statusCode).toBe(401);
  expect(await idsOf(stranger)).toEqual([other]);
});

test('a fresh proof assigns the orders of the last 60 days, and those of this browser at any age', async () => {
  const mobile = newMobile();
  const [here, elsewhere] = [program.caller(), program.caller()];
  const first = await orderAsGuest(mobile, 'Asha Rao', here);
  await orderAsGuest(mobile, 'Asha Rao', elsewhere);
  for (let count = 0; count < 3; count += 1) {
    program.clock.advance(20 * DAY_SECONDS);
    await verifyMobile(program, here, mobile, 'guest');
  }
  const newest = await orderAsGuest(mobile);
  const { caller } = await signUpCustomer(program, { mobile, caller: here });
  expect(await idsOf(caller)).toEqual([newest, first]);
});

test('a guest whose orders are older has no account to reset', async () => {
  const mobile = newMobile();
  await orderAsGuest(mobile);
  program.clock.advance(60 * DAY_SECONDS - 61);
  expect(await handleOf(mobile)).toBeDefined();
  program.clock.advance(1);
  expect(await handleOf(mobile)).toBeUndefined();
});

/** Places a guest order of ₹76 and records ₹100 for it. */
async function overpaidOrder(mobile: string) {
  const orderid = await orderAsGuest(mobile);
  await weighOrder(program.db, orderid, 2000, 8, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  const payment = { orderid, method: 'cash', amountPaise: asPaise(10_000), mayOverpay: true } as const;
  const recorded = await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), payment, program.clock.now()));
  return { orderid, recorded };
}

test('the refund of a cancelled guest order goes to the account that gets it', async () => {
  const former = await signUpCustomer(program);
  const { orderid } = await overpaidOrder(former.mobile);
  expect(await cancelOrder({ db: program.db, readPaidPaise }, laundryCommand(), { orderid }, program.clock.now())).toMatchObject({
    paidPaise: 10_000,
    isCredited: false,
  });
  expect(await readBalance(program.db, former.userid)).toBe(0);
  await resetAndLogIn(former.mobile);
  expect(await readBalance(program.db, former.userid)).toBe(10_000);
  expect(await listMovements(program.db, former.userid, { offset: 0, limit: 2 })).toMatchObject([
    { kind: 'change', order_id: orderid, reference: `order:${orderid}:held-refund` },
  ]);
  expect(isSound(await auditLedger(program.db))).toBe(true);
});

test('the next owner of a number gets neither change nor refund of the former owner', async () => {
  const mobile = newMobile();
  await overpaidOrder(mobile);
  const { orderid: cancelled } = await overpaidOrder(mobile);
  await cancelOrder({ db: program.db, readPaidPaise }, laundryCommand(), { orderid: cancelled }, program.clock.now());
  program.clock.advance(60 * DAY_SECONDS);
  const { caller, userid } = await signUpCustomer(program, { mobile });
  expect(await readBalance(program.db, userid)).toBe(0);
  expect((await caller.send(getTransactions, { userid })).data).toEqual([]);
});

test.each(['queue', 'pickup'] as const)('the change of a guest order at %s goes to the account that gets it, once', async (stage) => {
  const former = await signUpCustomer(program);
  const { orderid, recorded } = await overpaidOrder(former.mobile);
  // The staff may move an order back after its payment.
  if (stage === 'pickup') await transaction(program.db, (tx) => setEarlierStage(tx, orderid, { to: stage }, program.clock.now()));
  expect(recorded).toMatchObject({ status: 'recorded', overpaidPaise: 2400, isCredited: false });
  expect(await readBalance(program.db, former.userid)).toBe(0);

  for (let count = 0; count < 2; count += 1) {
    await resetAndLogIn(former.mobile);
    expect(await readBalance(program.db, former.userid)).toBe(2400);
    program.clock.advance(DAY_SECONDS);
  }
  expect(isSound(await auditLedger(program.db))).toBe(true);
});
