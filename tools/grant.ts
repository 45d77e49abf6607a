/** `npm run grant -- …`: gives a customer an offer, or money into the wallet. Each run gives once more; what was given stays in the books. */
import type { Db } from '../src/db/database.server.ts';
import { findAccount } from '../src/domains/accounts/store.server.ts';
import { grantOffer } from '../src/domains/offers/service.server.ts';
import type { CreditKind } from '../src/domains/wallet/contract.ts';
import { creditWallet } from '../src/domains/wallet/service.server.ts';
import { systemClock } from '../src/kit/clock.ts';
import { newId } from '../src/kit/ids.ts';
import { formatRupees } from '../src/kit/money.ts';
import { numberOf, paiseOf } from './amounts.ts';
import { Misused, runCommand } from './on-database.ts';

const USAGE = `npm run grant -- offer <mobile> <percent> <days> <reason>
npm run grant -- <compensation | promotion | cashback> <mobile> <rupees> <reason>`;

const MONEY = { least: 1, most: 1_000_000 };

const commands: Record<string, (db: Db, ...words: string[]) => Promise<string>> = {
  async offer(db, mobile = '', percent = '', days = '', ...reason) {
    const now = systemClock.now();
    const offer = {
      percent: numberOf(percent, 'percent', 100),
      validDays: numberOf(days, 'days', 3650),
      reason: reasonOf(reason),
      startsAt: now,
    };
    await grantOffer(db, { ...offer, customerId: await customerWith(db, mobile) }, now);
    return `${mobile} has ${percent}% off for ${days} days from now.`;
  },
  compensation: credit('compensation'),
  promotion: credit('promotion'),
  cashback: credit('cashback'),
};

function credit(kind: CreditKind) {
  return async (db: Db, mobile = '', rupees = '', ...reason: string[]) => {
    const reference = `grant:${newId()}`;
    const facts = { kind, amountPaise: paiseOf(rupees, MONEY), reason: reasonOf(reason), reference, at: systemClock.now() };
    await creditWallet(db, { ...facts, customerId: await customerWith(db, mobile) });
    return `${mobile} was given ${formatRupees(facts.amountPaise)} (${kind}), reference ${reference}.`;
  };
}

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

const [name = '', ...words] = process.argv.slice(2);
await runCommand(async (db) => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Misused(USAGE);
  return command(db, ...words);
});
