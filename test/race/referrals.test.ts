/** Concurrent requests for a referral bonus through two processes (docs/security.md, M9). */
import { expect, test } from 'vitest';
import { giveReferralBonus, MAX_BONUSES } from '../../src/domains/referrals/contract.ts';
import { moveOrder } from '../../src/domains/orders/service.server.ts';
import { getUserDetails } from '../../src/domains/profile/contract.ts';
import type { Caller } from '../support/caller.ts';
import { useTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { signUpCustomer } from '../support/customer.ts';
import { moveOutForDelivery, place, placeOutForDelivery, withOrder } from '../support/ordering.ts';
import { newId } from '../../src/lib/ids.ts';
import { newCustomer, randomMobile } from '../support/seed-customers.ts';
import { size } from '../support/size.ts';

const twoProcesses = useTestEnvironment(2);
const bonusAtDelivery = useTestEnvironment(1, { REFERRAL_BONUS: 'first-delivery' });

const walletOf = async (caller: Caller) => (await caller.send(getUserDetails, {})).data?.wallet;

test('M9: a hundred concurrent requests for one new customer through two processes pay one bonus', { timeout: 120_000 }, async () => {
  const environment = twoProcesses();
  for (let round = 0; round < size({ small: 2, full: 20 }); round += 1) {
    const referrer = await newCustomer(environment);
    const friend = await signUpCustomer(environment, { mobile: randomMobile(), referral: referrer.mobile });
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => friend.caller.send(giveReferralBonus, { mob: referrer.mobile, newuser: friend.mobile })),
    );
    expect(responses.filter(({ response }) => response === 'success')).toHaveLength(1);
    expect(await walletOf(referrer.caller)).toBe(5000);
    expect(await walletOf(friend.caller)).toBe(0);
  }
});

test('M9: concurrent requests for the last bonus of a month through two processes: one succeeds', { timeout: 120_000 }, async () => {
  const environment = twoProcesses();
  const referrer = await newCustomer(environment);
  const friends = [];
  for (let count = 0; count < 8; count += 1)
    friends.push(await signUpCustomer(environment, { mobile: randomMobile(), referral: referrer.mobile }));
  await insertOldBonuses(environment, referrer.userid);
  const responses = await Promise.all(
    friends.map(({ caller, mobile }) => caller.send(giveReferralBonus, { mob: referrer.mobile, newuser: mobile })),
  );
  expect(responses.filter(({ response }) => response === 'success')).toHaveLength(1);
  expect(await walletOf(referrer.caller)).toBe(5000);
});

test('a hundred orders of one friend that are delivered at once pay one bonus', { timeout: 120_000 }, async () => {
  const environment = bonusAtDelivery();
  const orders = size({ small: 12, full: 100 });
  const referrer = await newCustomer(environment);
  // One address for all orders: a customer can save fewer than a hundred.
  const friend = await withOrder(await signUpCustomer(environment, { mobile: randomMobile(), referral: referrer.mobile }));
  const orderids = [];
  for (let count = 0; count < orders; count += 1) {
    const { orderid } = await place(friend, {}, { idempotencyKey: newId() });
    await moveOutForDelivery(environment, orderid);
    orderids.push(orderid);
  }
  const requests = Array.from({ length: orders }, () =>
    friend.caller.send(giveReferralBonus, { mob: referrer.mobile, newuser: friend.mobile }),
  );
  const moves = [...orderids, ...orderids].map((orderid) => deliver(environment, orderid));
  expect((await Promise.all(moves)).filter((outcome) => outcome === 'done')).toHaveLength(orders);
  expect(new Set((await Promise.all(requests)).map(({ response }) => response))).toEqual(new Set(['success']));
  expect(await walletOf(referrer.caller)).toBe(5000);
});

test(
  'first orders of eight friends that are delivered at once pay the one bonus that is left in the month',
  { timeout: 120_000 },
  async () => {
    const environment = bonusAtDelivery();
    const referrer = await newCustomer(environment);
    const orderids = [];
    for (let count = 0; count < 8; count += 1) {
      const friend = await signUpCustomer(environment, { mobile: randomMobile(), referral: referrer.mobile });
      orderids.push(await placeOutForDelivery(environment, friend));
    }
    await insertOldBonuses(environment, referrer.userid);
    expect(await Promise.all(orderids.map((orderid) => deliver(environment, orderid)))).toEqual(orderids.map(() => 'done'));
    expect(await walletOf(referrer.caller)).toBe(5000);
  },
);

const deliver = ({ db, clock }: TestEnvironment, orderid: string) =>
  moveOrder(db, orderid, 'delivered', clock.now(), { bonusTime: 'first-delivery' });

/** Inserts bonuses of this month, so that one is left. */
async function insertOldBonuses(environment: TestEnvironment, referrerId: string) {
  for (let count = 0; count < MAX_BONUSES - 1; count += 1) {
    const { userid } = await newCustomer(environment);
    await environment.db
      .insertInto('referral_bonuses')
      .values({ new_customer_id: userid, referrer_id: referrerId, granted_at: environment.clock.now() })
      .execute();
  }
}
