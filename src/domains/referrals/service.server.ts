import { DAY_SECONDS, MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import { normalizeMobile } from '../../lib/mobile.ts';
import { readReferral } from '../../lib/referral-code.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { RunLimitedByKey } from '../../security/concurrency-limit.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import { findReferredAccount, lockCustomer, type ReferredAccount } from '../accounts/store.server.ts';
import { consumeGrant, type Browser } from '../verification/authentication.server.ts';
import { ledgerReference } from '../wallet/reference-rules.ts';
import { creditWallet, reverseCredit } from '../wallet/service.server.ts';
import { MAX_BONUSES, BONUS_PERIOD_DAYS, REFERRAL_BONUS_PAISE, type ReferralBonusTime } from './contract.ts';
import { countBonuses, deleteBonus, insertBonus } from './store.server.ts';

export interface BonusDependencies {
  db: Db;
  /**
   * Limits the transactions that wait for the lock of one referrer, so that they cannot use every
   * connection of this process.
   */
  limitPerReferrer: RunLimitedByKey;
  bonusTime: ReferralBonusTime;
}

interface BonusRequest {
  mob: string;
  newuser: string;
  /** The browser, which has a receipt if it created the account. */
  browser: Browser | undefined;
  /** The signed-in customer of this browser. */
  customer: SignedInCustomer | undefined;
}

/**
 * Credits the referrer that was stored at the sign-up and returns 'given'. Returns 'later' if the
 * setting pays after the first delivery. Returns 'refused' if the request names another referrer,
 * is not from the new customer, a bonus was already granted, or the referrer has the maximum number
 * of bonuses. Throws `QueueFull` if too many calls for the referrer wait.
 */
export async function requestBonus(
  { db, limitPerReferrer, bonusTime }: BonusDependencies,
  { mob, newuser, browser, customer }: BonusRequest,
  now: Date,
): Promise<'given' | 'later' | 'refused'> {
  const mobile = normalizeMobile(newuser);
  const referrerMobile = readReferral(mob);
  const referred = await findReferredAccount(db, { mobile });
  if (!referred || referred.referrer_mobile !== referrerMobile) return 'refused';

  return limitPerReferrer(referred.referrer_id, () =>
    transaction(db, async (tx) => {
      const isNewCustomer = customer?.id === referred.id;
      if (!isNewCustomer && !(await consumeGrant(tx, { browser, mobile, purpose: 'receipt' }, now))) return 'refused';
      if (bonusTime === 'first-delivery') return 'later';
      return (await grantOnce(tx, referred, now)) ? 'given' : 'refused';
    }),
  );
}

/**
 * Credits the referrer of a customer whose order was just delivered, if the customer was referred
 * and no bonus was granted for this customer yet. Credits nothing if the referrer has the mobile
 * `deliveredBy`: no person of the staff causes a credit to their own mobile.
 */
export async function grantBonusAfterDelivery(tx: Tx, customerId: string, deliveredBy: string | undefined, now: Date): Promise<void> {
  const referred = await findReferredAccount(tx, { id: customerId });
  if (referred && referred.referrer_mobile !== deliveredBy) await grantOnce(tx, referred, now);
}

/**
 * Returns false, and credits nothing, if the referrer has the maximum number of bonuses or was
 * erased, or this customer's bonus was granted.
 */
async function grantOnce(tx: Tx, referred: ReferredAccount, now: Date): Promise<boolean> {
  // Other grants to this referrer wait for this lock, so the count stays correct until the bonus
  // is stored.
  if (!(await lockCustomer(tx, referred.referrer_id, 'update'))) return false;
  const period = { since: addSeconds(now, -BONUS_PERIOD_DAYS * DAY_SECONDS), until: addSeconds(now, MAX_CLOCK_SKEW_SECONDS) };
  if ((await countBonuses(tx, referred.referrer_id, period)) >= MAX_BONUSES) return false;
  const isFirst = await insertBonus(tx, { new_customer_id: referred.id, referrer_id: referred.referrer_id, granted_at: now });
  if (isFirst) await creditBonus(tx, referred, now);
  return isFirst;
}

/**
 * Returns the reference of a credit of the bonus, from number 1. The credit after a reversal has
 * the next number.
 */
const bonusReference = (customerId: string, number: number) =>
  number === 1
    ? ledgerReference('referral', { customer: customerId })
    : ledgerReference('referral-again', { customer: customerId, number });

/**
 * Credits `REFERRAL_BONUS_PAISE` with the first reference that is not used. The row of the bonus is
 * locked.
 */
async function creditBonus(tx: Tx, { id, referrer_id: customerId }: ReferredAccount, at: Date) {
  const credit = { customerId, kind: 'promotion', amountPaise: REFERRAL_BONUS_PAISE, reason: 'Referral bonus', at } as const;
  for (let number = 1; ; number += 1) {
    if ((await creditWallet(tx, { ...credit, reference: bonusReference(id, number) })) === 'recorded') return;
  }
}

/**
 * Reverses the bonus for a customer whose first delivery was undone, so that the next delivery pays
 * it again. A referrer who has spent it keeps it as the only one for this customer.
 */
export async function takeBackBonus(tx: Tx, customerId: string, now: Date): Promise<void> {
  const referred = await findReferredAccount(tx, { id: customerId });
  if (!referred || !(await lockCustomer(tx, referred.referrer_id, 'update'))) return;
  for (let number = 1; ; number += 1) {
    const reversal = { reference: bonusReference(customerId, number), reason: 'The first delivery was undone', at: now };
    const { status } = await reverseCredit(tx, reversal);
    if (status === 'reversed') await deleteBonus(tx, customerId);
    if (status !== 'already-reversed') return;
  }
}
