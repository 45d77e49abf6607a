/** `npm run customer -- …`: a copy of what is stored about a customer, and its erasure. */
import { findCustomer } from '../src/domains/accounts/store.server.ts';
import {
  ALL_LOSSES,
  eraseCustomer,
  exportCustomer,
  NO_LOSSES,
  type ErasureObstacle,
  type ErasureSummary,
} from '../src/domains/privacy/service.server.ts';
import type { Db } from '../src/db/database.server.ts';
import { audit } from '../src/domains/staff/audit-store.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { mobileNumberHash } from '../src/security/tokens.server.ts';
import { formatRupeesAndPaise as rupees } from '../src/lib/money.ts';
import { commandAuthor } from './command-author.ts';
import { count } from './count.ts';
import { photoStorage, requirePhotoFolder } from './photo-folder.ts';
import { programSecret } from './program-secret.ts';
import {
  UsageError,
  missingArgumentError,
  onConnection,
  printResult,
  requireSchema,
  unknownCommandError,
  withDatabase,
} from './run-command.ts';

const USAGE = `npm run -s customer -- export <mobile>          print everything that is stored about a customer as JSON
npm run customer -- erase <mobile> [forfeit]    erase it, except the amounts of orders and of the ledger
Instead of the mobile, both take the id of a customer, as in the log line 'account deleted'.`;

await printResult((settings) => {
  const [command = '', customer, ...words] = process.argv.slice(2);
  const isExport = command === 'export';
  if (!isExport && command !== 'erase') throw unknownCommandError(command, USAGE);
  if (customer === undefined) throw missingArgumentError(command, 'mobile', USAGE);
  const nothing = `Nothing was ${isExport ? 'printed' : 'erased'}.`;
  if (!/^(?:\d{10}|[0-9A-Z]{20})$/.test(customer))
    throw new UsageError(`'${customer}' is not a mobile number: ten digits, without the country code. ${nothing}`);
  const forfeits = words.join(' ') === 'forfeit' && !isExport;
  if (words.length > 0 && !forfeits) throw new UsageError(`'${words.join(' ')}' is not understood. ${nothing}`);
  return withDatabase(settings, ({ connection, dataDir }) =>
    onConnection({ connection }, async (db) => {
      await requireSchema(db);
      const { id, mobile } = await requireCustomer(db, customer);
      if (isExport) return printCopy(db, { id, mobile });
      await requirePhotoFolder(db, settings, dataDir);
      const storage = photoStorage(settings, dataDir);
      const accepted = forfeits ? ALL_LOSSES : NO_LOSSES;
      const hashMobile = mobileNumberHash(await programSecret(settings, dataDir));
      const erasure = { id, accepted, hashMobile, author: commandAuthor(), now: systemClock.now() };
      const erased = await eraseCustomer(db, storage, erasure);
      if (erased.status === 'not-erased') throw new UsageError(describeObstacle(erased.obstacle));
      const forfeited = erased.forfeitedPaise > 0 ? ` ${rupees(erased.forfeitedPaise)} can no longer be spent.` : '';
      return `Erased: the customer ${mobile}. ${describeKept(erased)}${forfeited}`;
    }),
  );
});

function describeKept({ orders, photos, areFilesDeleted }: ErasureSummary): string {
  const kept = count(orders, 'order stays', 'orders stay');
  const deleted = areFilesDeleted
    ? count(photos, 'photo is deleted', 'photos are deleted')
    : `the storage failed, so the running program deletes ${count(photos, 'photo', 'photos')} within an hour or two`;
  return `${kept} without name, number and address; ${deleted}.`;
}

async function requireCustomer(db: Db, customer: string) {
  const isMobile = customer.length === 10;
  const found = await findCustomer(db, isMobile ? { mobile: customer } : { id: customer });
  if (!found) throw new UsageError(`No customer has the ${isMobile ? 'mobile' : 'id'} '${customer}'.`);
  return found;
}

async function printCopy(db: Db, { id, mobile }: { id: string; mobile: string }): Promise<string> {
  const now = systemClock.now();
  const exported = await exportCustomer(db, { id }, now);
  if (!exported) throw new UsageError(`No customer has the id '${id}'.`);
  await audit(db, commandAuthor(), { action: 'copy-customer', subject: ['customer', mobile] }, now);
  const { data, hiddenOrders } = exported;
  // Not in the output, which the customer gets.
  if (hiddenOrders > 0) console.error(describeHidden(hiddenOrders));
  return JSON.stringify({ exported_at: now, ...data }, null, 2);
}

function describeHidden(orders: number): string {
  return `Left out: ${orders} orders that a guest placed with this number more than 60 days ago, perhaps an earlier owner of it. Somebody who knows such an order by its number gets it from: npm run order -- show <order>`;
}

function describeObstacle(obstacle: ErasureObstacle): string {
  switch (obstacle.code) {
    case 'orders-open':
      return `Deliver or cancel these orders first: ${obstacle.orderIds.join(', ')}. Before the washing: npm run order -- cancel <order>. From then on: npm run order -- move <order> <stage>, until it is delivered.`;
    case 'reports-open':
      return `Settle these reports first: ${obstacle.claimIds.join(', ')}.`;
    case 'gateway-payment-pending':
      return `A payment for the order ${obstacle.orderIds[0]} is pending at the gateway: try again when it has ended.`;
    case 'upi-payment-reported':
      return `A customer reported a UPI payment for these orders: ${obstacle.orderIds.join(', ')}. Note or dismiss it in the console first.`;
    case 'orders-unpaid':
      return `These orders are delivered and not paid: ${obstacle.orderIds.join(', ')}. Note the payments, or add the word 'forfeit'.`;
    case 'wallet-not-empty':
      return `${describeMoney(obstacle)}: pay it back and add the word 'forfeit'.`;
  }
}

function describeMoney({ balancePaise, unassignedPaise }: Extract<ErasureObstacle, { code: 'wallet-not-empty' }>): string {
  const balance = `The wallet has ${rupees(balancePaise)}`;
  const unassigned = `${rupees(unassignedPaise)} of guest orders wait for an account`;
  if (unassignedPaise === 0) return balance;
  return balancePaise === 0 ? unassigned : `${balance}, and ${unassigned}`;
}
