import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { normalizeMobile } from '../../lib/mobile.ts';
import { readReferral } from '../../lib/referral-code.ts';
import { concurrencyLimitByKey } from '../../security/concurrency-limit.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { throwServiceBusy } from '../../security/service-busy.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import { findReferredAccount, lockCustomer, type ReferredAccount } from '../accounts/store.server.ts';
import { claimProof, type Browser } from '../verification/authentication.server.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { MOST_BONUSES, MOST_BONUSES_DAYS, REFERRAL_BONUS_PAISE } from './contract.ts';
import { countBonuses, insertBonus } from './store.server.ts';

interface BonusRequest {
  mob: string;
  newuser: string;
  /** The browser of the sign-up, which may hold its receipt. */
  browser: Browser | undefined;
  /** Whoever is signed in there. */
  customer: SignedInCustomer | undefined;
}

/** Credits the referrer that the sign-up stored, if the request names the same two people and comes from the new one. Answers whether it did. */
export async function grantBonus(db: Db, { mob, newuser, browser, customer }: BonusRequest, now: Date): Promise<boolean> {
  const mobile = normalizeMobile(newuser);
  const referrerMobile = readReferral(mob);
  const referred = await findReferredAccount(db, mobile);
  if (!referred || referred.referrer_mobile !== referrerMobile) return false;

  return runLimitedByKey(referred.referrer_id, () =>
    transaction(db, async (tx) => {
      const isOwn = customer?.id === referred.id;
      if (!isOwn && !(await claimProof(tx, { browser, mobile, purpose: 'receipt' }, now))) return false;
      return grantOnce(tx, referred, now);
    }),
  ).catch(throwServiceBusy);
}

/** The lock below holds in all processes; the turns before it keep a flood on one referrer from taking every connection of this one just to wait there. */
const runLimitedByKey = concurrencyLimitByKey({ concurrent: 1, queued: 100 });

async function grantOnce(tx: Tx, referred: ReferredAccount, now: Date): Promise<boolean> {
  // Everyone who grants to this referrer waits here, so that the count below is true until the bonus stands.
  await lockCustomer(tx, referred.referrer_id);
  const since = addSeconds(now, -MOST_BONUSES_DAYS * DAY_SECONDS);
  if ((await countBonuses(tx, referred.referrer_id, since)) >= MOST_BONUSES) return false;
  const isFirst = await insertBonus(tx, { new_customer_id: referred.id, referrer_id: referred.referrer_id, granted_at: now });
  if (isFirst) await creditBonus(tx, referred, now);
  return isFirst;
}

const creditBonus = (db: Db, referred: ReferredAccount, at: Date) =>
  creditWallet(db, {
    customerId: referred.referrer_id,
    kind: 'promotion',
    amountPaise: REFERRAL_BONUS_PAISE,
    reason: 'Referral bonus',
    reference: `referral:${referred.id}`,
    at,
  });
