/**
 * `npm run grant -- …`: gives a customer an offer, or money into the wallet, once: who gives the same again for the same reason, after a lost connection or by
 * mistake, is told so. What was given stays in the books.
 */
import { createHash } from 'node:crypto';
import type { Db } from '../src/db/database.server.ts';
import { findAccount } from '../src/domains/accounts/store.server.ts';
import { grantOfferOnce } from '../src/domains/offers/service.server.ts';
import type { CreditKind } from '../src/domains/wallet/contract.ts';
import { creditWallet } from '../src/domains/wallet/service.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { formatRupees } from '../src/lib/money.ts';
import { numberOf, paiseOf } from './amounts.ts';
import { Misused, runOneOf, type Commands } from './on-database.ts';

const USAGE = `npm run grant -- offer <mobile> <percent> <days> <reason>
npm run grant -- <compensation | promotion | cashback> <mobile> <rupees> <reason>
The same is given to a customer for the same reason once: for another time, name another reason.`;

const MONEY = { least: 1, most: 1_000_000 };

const commands: Commands = {
  async offer(db, mobile = '', percent = '', days = '', ...reason) {
    const now = systemClock.now();
    const offer = {
      percent: numberOf(percent, 'percent', 100),
      validDays: numberOf(days, 'days', 3650),
      reason: reasonOf(reason),
      startsAt: now,
    };
    const customerId = await customerWith(db, mobile);
    const id = idOf([customerId, 'offer', offer.percent, offer.validDays, offer.reason]);
    if (!(await grantOfferOnce(db, id, { ...offer, customerId }, now))) throw given(mobile, offer.reason, id);
    return `${mobile} has ${percent}% off for ${days} days from now.`;
  },
  compensation: credit('compensation'),
  promotion: credit('promotion'),
  cashback: credit('cashback'),
};

function credit(kind: CreditKind) {
  return async (db: Db, mobile = '', rupees = '', ...reason: string[]) => {
    const what = { kind, amountPaise: paiseOf(rupees, MONEY), reason: reasonOf(reason) };
    const customerId = await customerWith(db, mobile);
    const reference = `grant:${idOf([customerId, kind, what.amountPaise, what.reason])}`;
    const outcome = await creditWallet(db, { ...what, reference, customerId, at: systemClock.now() });
    if (outcome === 'already-recorded') throw given(mobile, what.reason, reference);
    return `${mobile} was given ${formatRupees(what.amountPaise)} (${kind}), reference ${reference}.`;
  };
}

/** The same for the same grant, so that the database refuses the second one. Nobody can work it out who does not know the customer's id. */
const idOf = (grant: readonly (string | number)[]) =>
  createHash('sha256').update(JSON.stringify(grant)).digest('hex').slice(0, 20).toUpperCase();

const given = (mobile: string, reason: string, reference: string) =>
  new Misused(
    `${mobile} was given exactly this for '${reason}' before, reference ${reference}. Nothing is given twice: for another time, name another reason.`,
  );

async function customerWith(db: Db, mobile: string): Promise<string> {
  const account = await findAccount(db, mobile);
  if (!account) throw new Misused(`No customer has the mobile '${mobile}'.`);
  return account.id;
}

function reasonOf(words: readonly string[]): string {
  const reason = words.join(' ').trim();
  if (reason.length < 3 || reason.length > 200) throw new Misused(`Give a reason of 3 to 200 characters.\n${USAGE}`);
  return reason;
}

await runOneOf(commands, USAGE);
