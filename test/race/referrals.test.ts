/** Concurrent requests for a referral bonus through two processes (docs/security.md, M9). */
import { expect, test } from 'vitest';
import { giveReferralBonus, MAX_BONUSES } from '../../src/domains/referrals/contract.ts';
import { getUserDetails } from '../../src/domains/profile/contract.ts';
import type { Caller } from '../support/caller.ts';
import { newTestEnvironment } from '../support/test-environment.ts';
import { signUpCustomer } from '../support/customer.ts';
import { newCustomer, randomMobile } from '../support/seed-customers.ts';
import { size } from '../support/size.ts';

const walletOf = async (caller: Caller) => (await caller.send(getUserDetails, {})).data?.wallet;

test('M9: a hundred concurrent requests for one new customer through two processes: one bonus', { timeout: 120_000 }, async () => {
  const environment = await newTestEnvironment();
  await Promise.all([environment.start(), environment.start()]);
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
  const environment = await newTestEnvironment();
  await Promise.all([environment.start(), environment.start()]);
  const referrer = await newCustomer(environment);
  const friends = [];
  for (let count = 0; count < 8; count += 1)
    friends.push(await signUpCustomer(environment, { mobile: randomMobile(), referral: referrer.mobile }));
  for (let count = 0; count < MAX_BONUSES - 1; count += 1) {
    const { userid } = await newCustomer(environment);
    await environment.db
      .insertInto('referral_bonuses')
      .values({ new_customer_id: userid, referrer_id: referrer.userid, granted_at: environment.clock.now() })
      .execute();
  }
  const responses = await Promise.all(
    friends.map(({ caller, mobile }) => caller.send(giveReferralBonus, { mob: referrer.mobile, newuser: mobile })),
  );
  expect(responses.filter(({ response }) => response === 'success')).toHaveLength(1);
  expect(await walletOf(referrer.caller)).toBe(5000);
});
