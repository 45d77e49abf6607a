/**
 * `npm run grant -- …`: grants a customer an offer or a wallet credit, and records money of a
 * wallet that is paid back. A repeated grant or payout with the same values and reason fails, so
 * that a retry after a lost connection is safe. Grants cannot be deleted. A credit can be reversed
 * while the wallet covers it.
 */
import { createHash } from 'node:crypto';
import { transaction, type Db, type Tx } from '../src/db/database.server.ts';
import { selectCustomerContacts, findAccount, findCustomer, lockCustomer } from '../src/domains/accounts/store.server.ts';
import { GRANT_LIMITS } from '../src/domains/customers/desk/contract.ts';
import { OFFER_LIMITS } from '../src/domains/offers/rules.ts';
import { grantOfferOnce } from '../src/domains/offers/service.server.ts';
import { hasGuestOrders } from '../src/domains/orders/guest-orders-store.server.ts';
import { audit } from '../src/domains/staff/audit-store.server.ts';
import type { CreditKind } from '../src/domains/wallet/contract.ts';
import { ledgerReference } from '../src/domains/wallet/reference-rules.ts';
import { creditWallet, payOutOfWallet, reverseGrant, type CreditReversal } from '../src/domains/wallet/service.server.ts';
import { findEntry } from '../src/domains/wallet/store.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { kolkataDateTime } from '../src/lib/dates.ts';
import { formatRupeesAndPaise as rupees } from '../src/lib/money.ts';
import { printableLine } from '../src/lib/printable-text.ts';
import { commandAuthor } from './command-author.ts';
import { parseRupees, parseText, parseWholeNumber } from './amounts.ts';
import { UsageError, runCommand, type Commands } from './run-command.ts';

const USAGE = `npm run grant -- offer <mobile> <percent> <days> <reason>
npm run grant -- <compensation | promotion | cashback> <mobile> <rupees> <reason>
npm run grant -- reverse <reference> <reason>
npm run grant -- payout <mobile> <rupees> <reason>
A customer receives the same grant or payout for the same reason once. To repeat it, give another reason.`;

/** The balance limits a payout further. */
const PAYOUT_LIMITS = { min: 1, max: 99_999_999 };

const commands: Commands = {
  offer: {
    parameters: ['mobile', 'percent', 'days'],
    acceptsMore: true,
    async run(db, mobile: string, percent: string, days: string, ...reason: string[]) {
      const now = systemClock.now();
      const offer = {
        percent: parseWholeNumber(percent, 'percent', OFFER_LIMITS.percent),
        validDays: parseWholeNumber(days, 'days', OFFER_LIMITS.days),
        reason: parseText(reason, 'reason'),
        startsAt: now,
      };
      const customer = await customerOf(db, mobile);
      const id = grantId([customer.id, 'offer', offer.percent, offer.validDays, offer.reason]);
      const isGiven = await transaction(db, async (tx) => {
        if (!(await lockCustomer(tx, customer.id, 'key share'))) throw unknownError(mobile);
        if (!(await grantOfferOnce(tx, id, { ...offer, customerId: customer.id }, now))) return false;
        const after = { percent: offer.percent, days: offer.validDays, reason: offer.reason, offer: id };
        await audit(tx, commandAuthor(), { action: 'grant-offer', subject: ['customer', mobile], after }, now);
        return true;
      });
      if (!isGiven) throw alreadyGrantedError(mobile, offer.reason, id);
      return `Granted: ${offer.percent}% off for ${offer.validDays} days from now to ${mobile} of ${printableLine(customer.name)}, for '${offer.reason}'.`;
    },
  },
  compensation: creditCommand('compensation'),
  promotion: creditCommand('promotion'),
  cashback: creditCommand('cashback'),
  reverse: {
    parameters: ['reference'],
    acceptsMore: true,
    async run(db, reference: string, ...reason: string[]) {
      const reversal = { reference, reason: parseText(reason, 'reason'), at: systemClock.now() };
      return describeReversal(reference, await transaction(db, (tx) => reverseWithAudit(tx, reversal)));
    },
  },
  payout: {
    parameters: ['mobile', 'rupees'],
    acceptsMore: true,
    async run(db, mobile: string, amount: string, ...words: string[]) {
      const [amountPaise, reason] = [parseRupees(amount, PAYOUT_LIMITS), parseText(words, 'reason')];
      const customer = await customerOf(db, mobile);
      const reference = ledgerReference('payout', { payout: grantId([customer.id, 'payout', amountPaise, reason]) });
      const now = systemClock.now();
      const result = await transaction(db, async (tx) => {
        if (!(await lockCustomer(tx, customer.id, 'key share'))) throw unknownError(mobile);
        const made = await payOutOfWallet(tx, { customerId: customer.id, amountPaise, reason, reference, at: now });
        if (made.status !== 'paid-out') return made;
        const entry = await findEntry(tx, { reference });
        const after = { paid_back_paise: amountPaise, reason, entry: entry?.id ?? null };
        await audit(tx, commandAuthor(), { action: 'pay-out', subject: ['customer', mobile], after }, now);
        return made;
      });
      switch (result.status) {
        case 'paid-out':
          return `Paid out: ${rupees(amountPaise)} of the wallet of ${mobile} of ${printableLine(customer.name)}, for '${reason}', reference ${reference}.`;
        case 'already-recorded':
          throw new UsageError(
            `This payout to ${mobile} for '${reason}' is recorded already, reference ${reference}. To repeat it, give another reason.`,
          );
        case 'exceeds-balance':
          throw new UsageError(`Nothing was paid out: the wallet has ${rupees(result.balancePaise)}.`);
      }
    },
  },
};

function creditCommand(kind: CreditKind): Commands[string] {
  return {
    parameters: ['mobile', 'rupees'],
    acceptsMore: true,
    async run(db, mobile: string, amount: string, ...reason: string[]) {
      const credit = { kind, amountPaise: parseRupees(amount, GRANT_LIMITS), reason: parseText(reason, 'reason') };
      const customer = await customerOf(db, mobile);
      const reference = ledgerReference('grant', { grant: grantId([customer.id, kind, credit.amountPaise, credit.reason]) });
      const isGiven = await transaction(db, async (tx) => {
        if (!(await lockCustomer(tx, customer.id, 'key share'))) throw unknownError(mobile);
        const now = systemClock.now();
        const outcome = await creditWallet(tx, { ...credit, reference, customerId: customer.id, at: now });
        if (outcome === 'already-recorded') return false;
        const entry = await findEntry(tx, { reference });
        const after = { kind, amount_paise: credit.amountPaise, reason: credit.reason, entry: entry?.id ?? null };
        await audit(tx, commandAuthor(), { action: 'grant-credit', subject: ['customer', mobile], after }, now);
        return true;
      });
      if (!isGiven) throw alreadyGrantedError(mobile, credit.reason, reference);
      return `Granted: ${kind} ${rupees(credit.amountPaise)} to ${mobile} of ${printableLine(customer.name)}, for '${credit.reason}', reference ${reference}.`;
    },
  };
}

async function reverseWithAudit(tx: Tx, reversal: { reference: string; reason: string; at: Date }): Promise<CreditReversal> {
  const result = await reverseGrant(tx, reversal);
  const entry = result.status === 'reversed' ? await findEntry(tx, reversal) : undefined;
  if (result.status !== 'reversed' || !entry) return result;
  const { mobile } = await selectCustomerContacts(tx).where('id', '=', entry.customer_id!).executeTakeFirstOrThrow();
  const after = { entry: entry.id, reversed_paise: result.amountPaise, reason: result.reason };
  await audit(tx, commandAuthor(), { action: 'reverse-grant', subject: ['customer', mobile], after }, reversal.at);
  return result;
}

/** Returns what was reversed. Throws `UsageError` if nothing was. */
function describeReversal(reference: string, result: CreditReversal): string {
  switch (result.status) {
    case 'reversed':
      return `Reversed: ${rupees(result.amountPaise)} of ${reference}, for '${printableLine(result.reason)}'.`;
    case 'unknown-credit':
      throw new UsageError(`There is no grant '${reference}'.`);
    case 'already-reversed':
      throw new UsageError(
        `Nothing was reversed: ${reference} was reversed on ${kolkataDateTime(result.at)} for '${printableLine(result.reason)}'.`,
      );
    case 'spent':
      throw new UsageError(
        `Nothing was reversed: the wallet has ${rupees(result.balancePaise)} left of the ${rupees(result.amountPaise)} that was granted.`,
      );
  }
}

/**
 * Equal for equal grants, so that the database rejects the second one. Not guessable without the
 * customer's id.
 */
const grantId = (grant: readonly (string | number)[]) =>
  createHash('sha256').update(JSON.stringify(grant)).digest('hex').slice(0, 20).toUpperCase();

const alreadyGrantedError = (mobile: string, reason: string, reference: string) =>
  new UsageError(`${mobile} already received this grant for '${reason}', reference ${reference}. To grant it again, give another reason.`);

/** Throws `UsageError` if no account has the mobile. */
async function customerOf(db: Db, mobile: string): Promise<{ id: string; name: string }> {
  const account = await findAccount(db, mobile);
  if (account) return account;
  const guest = await findCustomer(db, { mobile });
  if (guest && (await hasGuestOrders(db, guest.id)))
    throw new UsageError(
      `The mobile '${mobile}' has orders as a guest, but no account and so no wallet: pay the money back by UPI or cash.`,
    );
  throw unknownError(mobile);
}

const unknownError = (mobile: string) => new UsageError(`No customer has the mobile '${mobile}'.`);

await runCommand(commands, USAGE);
