/**
 * Looks customers up, gives credits and offers, and pays money of a wallet back, with the functions
 * of the terminal commands.
 * Each change runs in the transaction of its call, with its audit row.
 */
import { kolkataDateTime } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, excessPaise, formatAmount, type Paise } from '../../lib/money.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { selectCustomerContacts, findAccount, lockCustomer } from '../accounts/store.server.ts';
import { lockClaimForLaundry } from '../claims/service.server.ts';
import { OFFER_LIMITS, activeOffer, isActive, offerEnds } from '../offers/rules.ts';
import { grantOfferOnce, toOffers } from '../offers/service.server.ts';
import { findOffer, listGrantedOffers, setOfferEnd } from '../offers/store.server.ts';
import { listOrders } from '../order-desk/lists-service.server.ts';
import type { StaffMember } from '../staff/authentication.server.ts';
import { staffError } from '../staff/desk/contract.ts';
import { checkCredit, countChangesToday, creditsLeft, type CreditLimit } from '../staff/credits-service.server.ts';
import type { StaffOutcome, StaffTransaction } from '../staff/service.server.ts';
import { audit, deleteCredit } from '../staff/audit-store.server.ts';
import { causeOf, claimOfCredit, isGrant, ledgerReference } from '../wallet/reference-rules.ts';
import { creditWallet, payOutOfWallet, readOwnMoney, reverseClaimCredit, reverseGrant } from '../wallet/service.server.ts';
import { readBalance, findEntry, listEntries, type WalletEntry } from '../wallet/store.server.ts';
import {
  GRANT_LIMITS,
  MAX_OPERATOR_OFFERS_PER_DAY,
  MAX_OPERATOR_OFFER_DAYS,
  MAX_SHOWN,
  customerError,
  type DeskCustomer,
  type GivenOffer,
  type Grant,
  type PayOut,
  type WalletMovement,
} from './desk/contract.ts';

export interface GrantLimits extends CreditLimit {
  /** The largest offer that an operator gives. */
  operatorOfferPercent: number;
}

/** Returns the stored data of a customer. Every look-up is audited, also of an unknown number. */
export const lookUpCustomer = (
  db: Db,
  limits: GrantLimits,
  staff: StaffMember,
  mobile: string,
  now: Date,
): Promise<Outcome<DeskCustomer, 'unknown-customer'>> =>
  transaction(db, async (tx) => {
    const row = await selectCustomerContacts(tx).where('mobile', '=', mobile).executeTakeFirst();
    // An erasure that waits for this lock also erases the audit row.
    const found = row && (await lockCustomer(tx, row.id, 'key share')) ? row : undefined;
    await audit(tx, staff, { action: 'look-up-customer', subject: ['customer', mobile], after: { is_known: found !== undefined } }, now);
    if (!found) return { error: customerError('unknown-customer') };
    const { orders, next } = await listOrders(tx, { customerId: found.id }, staff, now);
    const entries = await listEntries(tx, found.id, MAX_SHOWN);
    const offers = await listGrantedOffers(tx, found.id, MAX_SHOWN);
    const balancePaise = await readBalance(tx, found.id);
    return {
      data: {
        name: found.name,
        mobile: found.mobile,
        is_guest: found.is_guest,
        since: kolkataDateTime(found.created_at),
        wallet: asPaise(balancePaise),
        wallet_promotional: excessPaise(balancePaise, await readOwnMoney(tx, found.id)),
        orders,
        has_more_orders: next !== null,
        transactions: entries.map(toMovement),
        offers: offers.map((row) => toOffer(row, now)),
        limits: await limitsOf(tx, limits, staff, now),
      },
    };
  });

/** Returns null for owners, who have no limits. */
async function limitsOf(tx: Tx, limits: GrantLimits, staff: StaffMember, now: Date): Promise<DeskCustomer['limits']> {
  const left = await creditsLeft(tx, staff, limits, now);
  return left === null ? null : { credits_today: left, offer_percent: limits.operatorOfferPercent, offer_days: MAX_OPERATOR_OFFER_DAYS };
}

const toMovement = (row: WalletEntry): WalletMovement => ({
  entryid: row.id,
  kind: row.kind,
  amount: row.amount_paise,
  reason: row.reason,
  at: kolkataDateTime(row.created_at),
  orderid: row.order_id,
  reversal: row.reversed_at && { at: kolkataDateTime(row.reversed_at), reason: row.reversal_reason ?? '' },
  cause: causeOf(row.reference),
  is_reversible: (isGrant(row.reference) || claimOfCredit(row.reference) !== undefined) && row.reversed_at === null,
});

function toOffer(row: Awaited<ReturnType<typeof listGrantedOffers>>[number], now: Date): GivenOffer {
  const { id, percent, valid_days: validDays, starts_at: startsAt, ended_at: endedAt, reason } = row;
  const offer = { id, percent, validDays, startsAt };
  return {
    offerid: id,
    percent,
    days: validDays,
    starts_at: kolkataDateTime(startsAt),
    ends_at: kolkataDateTime(endedAt ?? offerEnds(offer)),
    is_active: endedAt === null && isActive(offer, now),
    can_end: endedAt === null && now <= offerEnds(offer),
    reason,
  };
}

/**
 * Credits a wallet or gives an offer, each time it is called. Returns an error for a number without
 * an account, the person's own number, and a grant that the person may not give.
 */
export async function grantAtDesk(
  limits: GrantLimits,
  context: StaffTransaction,
  request: Grant,
): Promise<StaffOutcome<GrantResult, GrantCode>> {
  const { tx, staff } = context;
  const account = await findAccount(tx, request.mobile);
  // A deletion of the account waits for this lock, and then asks to confirm the loss of the credit.
  // An offer is compared with the active one, so that offers are given one after another.
  const lock = request.kind === 'offer' ? 'update' : 'key share';
  if (!account || !(await lockCustomer(tx, account.id, lock))) return { error: customerError('customer-without-account') };
  if (request.mobile === staff.mobile) return { error: staffError('own-mobile') };
  return request.kind === 'offer' ? giveOffer(limits, context, account.id, request) : giveCredit(limits, context, account.id, request);
}

/**
 * Credits the wallet and returns the audit row, or the error of an amount outside `GRANT_LIMITS` or
 * above the limit of the day. Throws like `checkCredit`.
 */
async function giveCredit(
  limits: GrantLimits,
  { tx, staff, now }: StaffTransaction,
  customerId: string,
  { kind, mobile, amount: amountPaise, reason }: Exclude<Grant, { kind: 'offer' }>,
): Promise<StaffOutcome<GrantResult, 'impossible-credit' | 'own-mobile' | 'over-daily-credits'>> {
  if (amountPaise < GRANT_LIMITS.min || amountPaise > GRANT_LIMITS.max) return { error: customerError('impossible-credit') };
  const refused = await checkCredit(tx, staff, { mobile, amountPaise }, limits, now);
  if (refused) return { error: refused };
  const reference = ledgerReference('grant', { grant: newId() });
  await creditWallet(tx, { customerId, kind, amountPaise, reason, reference, at: now });
  const entry = await findEntry(tx, { reference });
  invariant(entry, 'a credit with a new reference is recorded');
  const after = { kind, amount_paise: amountPaise, reason, entry: entry.id };
  return {
    data: { entry: toMovement(entry), offer: null },
    audit: [{ action: 'grant-credit', subject: ['customer', mobile], after, limitedPaise: amountPaise }],
  };
}

type GrantCode =
  | 'customer-without-account'
  | 'own-mobile'
  | 'impossible-credit'
  | 'over-daily-credits'
  | 'impossible-offer'
  | OperatorOfferCode;

/** The reasons to refuse an offer of an operator. */
type OperatorOfferCode = 'offer-above-limit' | 'over-daily-offers' | 'better-offer-active';

interface GrantResult {
  entry: WalletMovement | null;
  offer: GivenOffer | null;
}

/**
 * Gives the offer and returns the audit row, or the error of values outside `OFFER_LIMITS` or above
 * the limits of operators.
 */
async function giveOffer(
  limits: GrantLimits,
  context: StaffTransaction,
  customerId: string,
  { mobile, percent, days, reason }: Extract<Grant, { kind: 'offer' }>,
): Promise<StaffOutcome<GrantResult, 'impossible-offer' | OperatorOfferCode>> {
  const { tx, staff, now } = context;
  if (percent < 1 || percent > OFFER_LIMITS.percent || days < 1 || days > OFFER_LIMITS.days)
    return { error: customerError('impossible-offer') };
  const refused = staff.role === 'owner' ? null : await checkOperatorOffer(limits, context, customerId, { percent, days });
  if (refused) return { error: refused };
  const id = newId();
  await grantOfferOnce(tx, id, { customerId, percent, validDays: days, reason, startsAt: now }, now);
  const row = (await listGrantedOffers(tx, customerId, MAX_SHOWN)).find((offer) => offer.id === id);
  invariant(row, 'a new offer is among the newest');
  return {
    data: { entry: null, offer: toOffer(row, now) },
    audit: [{ action: 'grant-offer', subject: ['customer', mobile], after: { percent, days, reason, offer: id } }],
  };
}

/**
 * Returns null if an operator may give the offer, otherwise the error of the grant. Counts the
 * offers of the day one after another.
 */
async function checkOperatorOffer(
  { operatorOfferPercent }: GrantLimits,
  { tx, staff, now }: StaffTransaction,
  customerId: string,
  { percent, days }: { percent: number; days: number },
): Promise<ErrorMessage<OperatorOfferCode> | null> {
  if (percent > operatorOfferPercent || days > MAX_OPERATOR_OFFER_DAYS) {
    return customerError('offer-above-limit', { percent: operatorOfferPercent, days: MAX_OPERATOR_OFFER_DAYS });
  }
  const given = await countChangesToday(tx, staff, 'grant-offer', now);
  if (given >= MAX_OPERATOR_OFFERS_PER_DAY) return customerError('over-daily-offers', { max: MAX_OPERATOR_OFFERS_PER_DAY });
  // The newest offer applies, also if it is the smaller one.
  const offers = (await listGrantedOffers(tx, customerId, MAX_SHOWN)).filter(({ ended_at: endedAt }) => endedAt === null);
  const active = activeOffer(toOffers(offers), now);
  return active && active.percent > percent ? customerError('better-offer-active', { percent: active.percent }) : null;
}

/**
 * Ends an offer before its last day. Orders that were placed with it keep it. Only the staff reads
 * the reason.
 */
export async function endOfferAtDesk(
  { tx, now }: StaffTransaction,
  { offerid, reason }: { offerid: string; reason: string },
): Promise<StaffOutcome<GivenOffer, 'offer-not-found' | 'offer-ended'>> {
  const offer = await findOffer(tx, offerid);
  // An erasure that waits for this lock also erases the audit row.
  if (!offer || !(await lockCustomer(tx, offer.customer_id, 'key share'))) return { error: customerError('offer-not-found') };
  const canEnd = toOffer(offer, now).can_end && (await setOfferEnd(tx, offerid, now));
  if (!canEnd) return { error: customerError('offer-ended') };
  const { mobile } = await selectCustomerContacts(tx).where('id', '=', offer.customer_id).executeTakeFirstOrThrow();
  return {
    data: toOffer({ ...offer, ended_at: now }, now),
    audit: [{ action: 'end-offer', subject: ['customer', mobile], after: { offer: offerid, percent: offer.percent, reason } }],
  };
}

/**
 * Debits a grant, or the credit of a report, from the wallet again, once. Returns an error if it is
 * unknown, another credit or reversed already, or if the customer has spent it. Only the staff
 * reads the reason.
 */
export async function reverseAtDesk(
  { tx, now }: StaffTransaction,
  { entryid, reason }: { entryid: string; reason: string },
): Promise<StaffOutcome<WalletMovement, 'entry-not-found' | 'not-a-grant' | 'credit-reversed' | 'credit-spent'>> {
  const entry = await findEntry(tx, { id: entryid });
  if (!entry) return { error: customerError('entry-not-found') };
  const { reference } = entry;
  const claimid = claimOfCredit(reference);
  if (claimid !== undefined) await lockClaimForLaundry(tx, claimid);
  const reversal = { reference, reason, at: now };
  const result = await (claimid === undefined ? reverseGrant(tx, reversal) : reverseClaimCredit(tx, reversal));
  switch (result.status) {
    case 'unknown-credit':
      return { error: customerError('not-a-grant') };
    case 'already-reversed':
      return { error: customerError('credit-reversed') };
    case 'spent':
      return { error: customerError('credit-spent', spentParams(result)) };
    case 'reversed': {
      const reversed = await findEntry(tx, { id: entryid });
      invariant(reversed, 'an entry is never removed');
      const subject = await selectCustomerContacts(tx).where('id', '=', entry.customer_id!).executeTakeFirstOrThrow();
      const credit =
        claimid === undefined
          ? ({ action: 'grant-credit', subject: ['customer', subject.mobile], matches: { after: { entry: entryid } } } as const)
          : ({ action: 'settle-claim', subject: ['claim', claimid], matches: { after: { amount_paise: entry.amount_paise } } } as const);
      await deleteCredit(tx, { ...credit, at: entry.created_at });
      const after = { entry: entryid, reversed_paise: result.amountPaise, reason };
      return { data: toMovement(reversed), audit: [{ action: 'reverse-grant', subject: ['customer', subject.mobile], after }] };
    }
  }
}

const spentParams = ({ amountPaise, balancePaise }: { amountPaise: Paise; balancePaise: Paise }) => ({
  amount: formatAmount(amountPaise),
  balance: formatAmount(balancePaise),
});

/**
 * Records money of a wallet that the laundry pays back outside of the program. Returns an error for
 * a number without an account, such as an erased one, the person's own number, an amount that is
 * not positive, and one above the balance.
 */
export async function payOutAtDesk(
  { tx, staff, now }: StaffTransaction,
  { mobile, amount: amountPaise, reason }: PayOut,
): Promise<StaffOutcome<WalletMovement, 'customer-without-account' | 'own-mobile' | 'impossible-payout' | 'payout-above-balance'>> {
  const account = await findAccount(tx, mobile);
  if (!account || !(await lockCustomer(tx, account.id, 'key share'))) return { error: customerError('customer-without-account') };
  if (mobile === staff.mobile) return { error: staffError('own-mobile') };
  if (amountPaise <= 0) return { error: customerError('impossible-payout') };
  const reference = ledgerReference('payout', { payout: newId() });
  const result = await payOutOfWallet(tx, { customerId: account.id, amountPaise, reason, reference, at: now });
  if (result.status === 'exceeds-balance') {
    return { error: customerError('payout-above-balance', { balance: formatAmount(result.balancePaise) }) };
  }
  const entry = await findEntry(tx, { reference });
  invariant(entry, 'a payout with a new reference is recorded');
  const after = { paid_back_paise: amountPaise, reason, entry: entry.id };
  return { data: toMovement(entry), audit: [{ action: 'pay-out', subject: ['customer', mobile], after }] };
}
