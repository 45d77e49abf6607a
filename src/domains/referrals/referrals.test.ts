import { expect, test } from 'vitest';
import { newMobile, signUpCustomer } from '../../../test/support/customer.ts';
import { newOrderingGuest, place, placeOutForDelivery } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { Caller } from '../../../test/support/caller.ts';
import type { Mobile } from '../../lib/mobile.ts';
import { encodeReferralCode } from '../../lib/referral-code.ts';
import { moveOrder } from '../orders/service.server.ts';
import { getUserDetails } from '../profile/contract.ts';
import { giveReferralBonus, MAX_BONUSES } from './contract.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

const program = useProgram();

const requestBonus = async (caller: Caller, mob: string, newuser: string) =>
  (await caller.send(giveReferralBonus, { mob, newuser })).response;
const walletOf = async (caller: Caller) => (await caller.send(getUserDetails, {})).data?.wallet;
const codeOf = ({ mobile }: { mobile: string }) => encodeReferralCode(mobile as Mobile);

test('credits the referrer with ₹50, by code or by mobile', async () => {
  const referrer = await signUpCustomer(program);
  const first = await signUpCustomer(program, { referral: codeOf(referrer) });
  expect(await requestBonus(first.caller, codeOf(referrer).toLowerCase(), first.mobile)).toBe('success');
  const second = await signUpCustomer(program, { referral: referrer.mobile });
  expect(await requestBonus(second.caller, referrer.mobile, second.mobile)).toBe('success');
  expect(await walletOf(referrer.caller)).toBe(10_000);
});

test('a hundred concurrent requests for one new customer credit one bonus', async () => {
  const referrer = await signUpCustomer(program);
  const friend = await signUpCustomer(program, { referral: codeOf(referrer) });
  const responses = await Promise.all(Array.from({ length: 100 }, () => requestBonus(friend.caller, referrer.mobile, friend.mobile)));
  expect(responses.filter((response) => response === 'success')).toHaveLength(1);
  expect(await walletOf(referrer.caller)).toBe(5000);
});

test('rejects a bonus for oneself, another referrer, an account without a referral, a stranger and swapped mobiles', async () => {
  const referrer = await signUpCustomer(program);
  const other = await signUpCustomer(program);
  const ownMobile = newMobile();
  const selfReferred = await signUpCustomer(program, { mobile: ownMobile, referral: encodeReferralCode(ownMobile as Mobile) });
  const friend = await signUpCustomer(program, { referral: codeOf(referrer) });
  const stranger = program.caller();

  expect(await requestBonus(selfReferred.caller, selfReferred.mobile, selfReferred.mobile), 'oneself').toBe('error');
  expect(await requestBonus(friend.caller, other.mobile, friend.mobile), 'not the stored referrer').toBe('error');
  expect(await requestBonus(friend.caller, friend.mobile, referrer.mobile), 'swapped').toBe('error');
  expect(await requestBonus(friend.caller, referrer.mobile, other.mobile), 'an account without a referral').toBe('error');
  expect(await requestBonus(friend.caller, referrer.mobile, newMobile()), 'unknown').toBe('error');
  expect(await requestBonus(stranger, referrer.mobile, friend.mobile), 'without the receipt').toBe('error');
  expect(await requestBonus(referrer.caller, referrer.mobile, friend.mobile), 'by the referrer').toBe('error');
  expect(await Promise.all([referrer, other, selfReferred, friend].map(({ caller }) => walletOf(caller)))).toEqual([0, 0, 0, 0]);

  expect(await requestBonus(friend.caller, referrer.mobile, friend.mobile), 'and rightly').toBe('success');
});

test('accepts the receipt of the sign-up without a session for ten minutes', async () => {
  const referrer = await signUpCustomer(program);
  const early = await signUpCustomer(program, { referral: codeOf(referrer) });
  const late = await signUpCustomer(program, { referral: codeOf(referrer) });
  for (const friend of [early, late]) friend.caller.cookies.delete('session');
  expect(await requestBonus(early.caller, codeOf(referrer), early.mobile)).toBe('success');
  program.clock.advance(10 * 60 + 1);
  expect(await requestBonus(late.caller, codeOf(referrer), late.mobile)).toBe('error');
});

/** Inserts `count` bonuses of the referrer, now. */
async function insertBonuses(referrerId: string, count: number, prefix: string) {
  for (let bonus = 0; bonus < count; bonus += 1) {
    const id = `${prefix}-${bonus}`;
    const mobile = `${prefix}${String(bonus).padStart(8, '0')}`;
    await program.db.insertInto('customers').values({ id, mobile, created_at: program.clock.now() }).execute();
    await program.db
      .insertInto('referral_bonuses')
      .values({ new_customer_id: id, referrer_id: referrerId, granted_at: program.clock.now() })
      .execute();
  }
}

test('bonuses of a clock that was ahead do not count after it was set back', async () => {
  const referrer = await signUpCustomer(program);
  program.clock.advance(90 * DAY_SECONDS);
  await insertBonuses(referrer.userid, MAX_BONUSES, '96');
  program.clock.advance(-90 * DAY_SECONDS);
  const friend = await signUpCustomer(program, { referral: codeOf(referrer) });
  expect(await requestBonus(friend.caller, referrer.mobile, friend.mobile)).toBe('success');
});

test('credits a referrer at most fifty times in thirty days, also under concurrency', async () => {
  const referrer = await signUpCustomer(program);
  const friends = [];
  for (let count = 0; count < 3; count += 1) friends.push(await signUpCustomer(program, { referral: codeOf(referrer) }));
  // One is left.
  await insertBonuses(referrer.userid, MAX_BONUSES - 1, '97');
  const responses = await Promise.all(friends.map(({ caller, mobile }) => requestBonus(caller, referrer.mobile, mobile)));
  expect(responses.toSorted()).toEqual(['error', 'error', 'success']);
  program.clock.advance(30 * DAY_SECONDS - 1);
  const again = await signUpCustomer(program, { referral: codeOf(referrer) });
  expect(await requestBonus(again.caller, referrer.mobile, again.mobile)).toBe('error');
  program.clock.advance(1);
  expect(await requestBonus(again.caller, referrer.mobile, again.mobile)).toBe('success');
});

test('a guest who has ordered is no new customer', async () => {
  const referrer = await signUpCustomer(program);
  const guest = await newOrderingGuest(program);
  await place(guest);
  const ordered = await signUpCustomer(program, { mobile: guest.mobile, referral: codeOf(referrer) });
  expect(await requestBonus(ordered.caller, referrer.mobile, ordered.mobile)).toBe('error');
  expect(await walletOf(referrer.caller)).toBe(0);

  const { mobile } = await newOrderingGuest(program);
  const without = await signUpCustomer(program, { mobile, referral: codeOf(referrer) });
  expect(await requestBonus(without.caller, referrer.mobile, without.mobile), 'a guest without orders').toBe('success');
});

test('a delivered order pays no bonus while the bonus is paid at the sign-up', async () => {
  const referrer = await signUpCustomer(program);
  const friend = await signUpCustomer(program, { referral: codeOf(referrer) });
  await moveOrder(program.db, await placeOutForDelivery(program, friend), 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  expect(await walletOf(referrer.caller)).toBe(0);
});
