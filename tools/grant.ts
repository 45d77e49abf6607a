/**
 * `npm run grant -- …`: grants a customer an offer or a wallet credit. A repeated grant with the
 * same values and reason fails, so that a retry after a lost connection is safe. Grants cannot be
 * deleted.
 */
import { createHash } from 'node:crypto';
import type { Db } from '../src/db/database.server.ts';
import { findAccount } from '../src/domains/accounts/store.server.ts';
import { grantOfferOnce } from '../src/domains/offers/service.server.ts';
import type { CreditKind } from '../src/domains/wallet/contract.ts';
import { creditWallet } from '../src/domains/wallet/service.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { formatRupees } from '../src/lib/money.ts';
import { parseWholeNumber, parseRupees } from './amounts.ts';
import { UsageError, runCommand, type Commands } from './run-command.ts';

const USAGE = `npm run grant -- offer <mobile> <percent> <days> <reason>
npm run grant -- <compensation | promotion | cashback> <mobile> <rupees> <reason>
A customer receives the same grant for the same reason once. To grant it again, give another reason.`;

/** In paise. */
const CREDITS = { min: 1, max: 1_000_000 };

const commands: Commands = {
  async offer(db, mobile = '', percent = '', days = '', ...reason) {
    const now = systemClock.now();
    const offer = {
      percent: parseWholeNumber(percent, 'percent', 100),
      validDays: parseWholeNumber(days, 'days', 3650),
      reason: parseReason(reason),
      startsAt: now,
    };
    const customerId = await customerIdOf(db, mobile);
    const id = grantId([customerId, 'offer', offer.percent, offer.validDays, offer.reason]);
    if (!(await grantOfferOnce(db, id, { ...offer, customerId }, now))) throw alreadyGrantedError(mobile, offer.reason, id);
    return `${mobile} has ${percent}% off for ${days} days from now.`;
  },
  compensation: creditCommand('compensation'),
  promotion: creditCommand('promotion'),
  cashback: creditCommand('cashback'),
};

function creditCommand(kind: CreditKind) {
  return async (db: Db, mobile = '', rupees = '', ...reason: string[]) => {
    const credit = { kind, amountPaise: parseRupees(rupees, CREDITS), reason: parseReason(reason) };
    const customerId = await customerIdOf(db, mobile);
    const reference = `grant:${grantId([customerId, kind, credit.amountPaise, credit.reason])}`;
    const outcome = await creditWallet(db, { ...credit, reference, customerId, at: systemClock.now() });
    if (outcome === 'already-recorded') throw alreadyGrantedError(mobile, credit.reason, reference);
    return `${mobile} received ${formatRupees(credit.amountPaise)} (${kind}), reference ${reference}.`;
  };
}

/**
 * Equal for equal grants, so that the database rejects the second one. Not guessable without the
 * customer's id.
 */
const grantId = (grant: readonly (string | number)[]) =>
  createHash('sha256').update(JSON.stringify(grant)).digest('hex').slice(0, 20).toUpperCase();

const alreadyGrantedError = (mobile: string, reason: string, reference: string) =>
  new UsageError(`${mobile} already received this grant for '${reason}', reference ${reference}. To grant it again, give another reason.`);

/** Throws `UsageError` if no customer has the mobile. */
async function customerIdOf(db: Db, mobile: string): Promise<string> {
  const account = await findAccount(db, mobile);
  if (!account) throw new UsageError(`No customer has the mobile '${mobile}'.`);
  return account.id;
}

/** Throws `UsageError` if the reason is too short or too long. */
function parseReason(words: readonly string[]): string {
  const reason = words.join(' ').trim();
  if (reason.length < 3 || reason.length > 200) throw new UsageError(`Give a reason of 3 to 200 characters.\n${USAGE}`);
  return reason;
}

await runCommand(commands, USAGE);
