/** REFERRAL_BONUS=first-delivery: docs/decisions/0039. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { signUpCustomer, type Customer } from '../../../test/support/customer.ts';
import { home, moveOutForDelivery, placeOutForDelivery, washInManesar } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newSession } from '../../../test/support/seed-customers.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { transaction } from '../../db/database.server.ts';
import { asPaise } from '../../lib/money.ts';
import { erasePersonalDataOfCustomer } from '../accounts/store.server.ts';
import { getDeskOrder, moveBack } from '../order-desk/desk/contract.ts';
import { addOrder } from '../orders/contract.ts';
import { moveOrder } from '../orders/service.server.ts';
import { payWithWallet } from '../payments/contract.ts';
import { newPseudonym } from '../privacy/service.server.ts';
import { getUserDetails } from '../profile/contract.ts';
import { auditLedger, isSound } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { giveReferralBonus } from './contract.ts';

const program = useProgram({ REFERRAL_BONUS: 'first-delivery' });

const walletOf = async (caller: Caller) => (await caller.send(getUserDetails, {})).data?.wallet;
const requestBonus = ({ caller, mobile }: Customer, referrer: Customer) =>
  caller.send(giveReferralBonus, { mob: referrer.mobile, newuser: mobile });
const moveToDelivered = (orderid: string) =>
  moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'first-delivery' });

async function referredFriend() {
  const referrer = await signUpCustomer(program);
  return { referrer, friend: await signUpCustomer(program, { referral: referrer.mobile }) };
}

test("credits the referrer after the friend's first delivered order, once", async () => {
  const { referrer, friend } = await referredFriend();
  expect(await requestBonus(friend, referrer)).toMatchObject({
    response: 'success',
    message: 'The referral bonus follows the first delivered order',
  });
  expect(await walletOf(referrer.caller)).toBe(0);
  for (let count = 0; count < 2; count += 1) {
    expect(await moveToDelivered(await placeOutForDelivery(program, friend))).toBe('done');
    expect(await walletOf(referrer.caller)).toBe(5000);
  }
  expect(await walletOf(friend.caller)).toBe(0);
});

test('neither a delivery without the code pays the bonus, nor one by the referrer', async () => {
  const { referrer, friend } = await referredFriend();
  const deliver = async (delivery: { reason?: string; by?: string }) => {
    const orderid = await placeOutForDelivery(program, friend);
    expect(await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'first-delivery', ...delivery })).toBe(
      'done',
    );
    return walletOf(referrer.caller);
  };
  expect(await deliver({ reason: 'No phone at the door' })).toBe(0);
  expect(await deliver({ by: referrer.mobile })).toBe(0);
  expect(await deliver({ by: friend.mobile })).toBe(5000);
});

test('credits the referrer if the request of the sign-up was lost', async () => {
  const { referrer, friend } = await referredFriend();
  expect(await moveToDelivered(await placeOutForDelivery(program, friend))).toBe('done');
  expect(await walletOf(referrer.caller)).toBe(5000);
  expect((await requestBonus(friend, referrer)).response).toBe('success');
  expect(await walletOf(referrer.caller)).toBe(5000);
});

test('a referrer who was erased gets no bonus, and the friend is delivered', async () => {
  const { referrer, friend } = await referredFriend();
  const orderid = await placeOutForDelivery(program, friend);
  await transaction(program.db, (tx) =>
    erasePersonalDataOfCustomer(tx, { id: referrer.userid, mobile: referrer.mobile, pseudonym: newPseudonym() }),
  );
  expect(await moveToDelivered(orderid)).toBe('done');
  expect(await readBalance(program.db, referrer.userid)).toBe(0);
});

describe('a delivery that is undone', () => {
  const moveBackToDelivery = async (orderid: string) => {
    const { caller } = await newStaff(program, 'owner');
    const { data } = await caller.send(getDeskOrder, { orderid });
    return caller.send(moveBack, { orderid, version: data!.version, reason: 'Nobody was home' });
  };

  test('takes its bonus back, and the next delivery pays it, each time', async () => {
    const { referrer, friend } = await referredFriend();
    const orderid = await placeOutForDelivery(program, friend);
    for (let count = 0; count < 3; count += 1) {
      await moveToDelivered(orderid);
      expect(await walletOf(referrer.caller)).toBe(5000);
      expect(await moveBackToDelivery(orderid)).toMatchObject({ response: 'success' });
      expect(await walletOf(referrer.caller)).toBe(0);
    }
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('leaves the bonus while another order is delivered', async () => {
    const { referrer, friend } = await referredFriend();
    const [first, second] = [await placeOutForDelivery(program, friend), await placeOutForDelivery(program, friend)];
    for (const orderid of [first, second]) await moveToDelivered(orderid);
    await moveBackToDelivery(first);
    expect(await walletOf(referrer.caller)).toBe(5000);
    await moveBackToDelivery(second);
    expect(await walletOf(referrer.caller)).toBe(0);
  });

  test('leaves a bonus that is spent, and no second one follows', async () => {
    const { referrer, friend } = await referredFriend();
    const orderid = await placeOutForDelivery(program, friend);
    await moveToDelivered(orderid);
    const own = await placeOutForDelivery(program, referrer);
    const payment = { userid: referrer.userid, orderid: own, walletpayment: asPaise(3800) };
    expect(await referrer.caller.send(payWithWallet, payment)).toMatchObject({ response: 'success' });
    expect(await moveBackToDelivery(orderid)).toMatchObject({ response: 'success' });
    expect(await walletOf(referrer.caller)).toBe(1200);
    await moveToDelivered(orderid);
    expect(await walletOf(referrer.caller)).toBe(1200);
  });
});

test('credits no account for a customer without a referrer, and a stranger learns nothing', async () => {
  const { referrer, friend } = await referredFriend();
  const other = await signUpCustomer(program);
  expect(await moveToDelivered(await placeOutForDelivery(program, other))).toBe('done');
  expect(await walletOf(referrer.caller)).toBe(0);
  const request = { mob: referrer.mobile, newuser: friend.mobile };
  expect(await program.caller().send(giveReferralBonus, request)).toMatchObject({ code: 'no-referral-bonus' });
});

test('a guest order with the number of the friend does not count', async () => {
  const { referrer, friend } = await referredFriend();
  const guest = await newSession(program, friend.userid, 'guest');
  const guest_address = { ...home, mobile: friend.mobile };
  const { data } = await guest.send(addOrder, { ...washInManesar, guest_address });
  await moveOutForDelivery(program, data?.orderid ?? '');
  expect(await moveToDelivered(data?.orderid ?? '')).toBe('done');
  expect(await walletOf(referrer.caller)).toBe(0);
});

test('the order stays out for delivery if the bonus cannot be stored', async () => {
  const { referrer, friend } = await referredFriend();
  const orderid = await placeOutForDelivery(program, friend);
  await sql`create function broken() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`.execute(program.db);
  await sql`create trigger broken before insert on ledger_postings for each row execute function broken()`.execute(program.db);
  await expect(moveToDelivered(orderid)).rejects.toThrow('planted');
  await sql`drop function broken() cascade`.execute(program.db);
  expect(await walletOf(referrer.caller)).toBe(0);
  expect(await moveToDelivered(orderid)).toBe('done');
  expect(await walletOf(referrer.caller)).toBe(5000);
});
