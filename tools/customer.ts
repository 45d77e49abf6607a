/** `npm run customer -- …`: a copy of what is stored about a customer, and its erasure. */
import { eraseCustomer, exportCustomer } from '../src/domains/privacy/service.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { asPaise, formatRupeesAndPaise as rupees } from '../src/lib/money.ts';
import { photoStorage } from './photo-folder.ts';
import { UsageError, onConnection, printResult, withDatabase } from './run-command.ts';

const USAGE = `npm run -s customer -- export <mobile>          print everything that is stored about a customer as JSON
npm run customer -- erase <mobile> [forfeit]    erase it, except the amounts of orders and of the ledger`;

await printResult((settings) => {
  const [command, mobile = '', word, ...more] = process.argv.slice(2);
  const isExport = command === 'export' && word === undefined;
  const isErasure = command === 'erase' && (word === undefined || word === 'forfeit') && more.length === 0;
  if (!/^\d{10}$/.test(mobile) || !(isExport || isErasure)) throw new UsageError(USAGE);
  return withDatabase(settings, ({ connection, dataDir }) =>
    onConnection({ connection }, async (db) => {
      if (isExport) {
        const now = systemClock.now();
        const exported = await exportCustomer(db, mobile, now);
        if (!exported) throw new UsageError(`No customer has the mobile '${mobile}'.`);
        const { data, hiddenOrders } = exported;
        // Not in the output, which the customer gets.
        if (hiddenOrders > 0) console.error(describeHidden(hiddenOrders));
        return JSON.stringify({ exported_at: now, ...data }, null, 2);
      }
      const erased = await eraseCustomer(db, photoStorage(settings, dataDir), { mobile, forfeitsWallet: word === 'forfeit' });
      const forfeited = erased.forfeitedPaise > 0 ? ` ${rupees(asPaise(erased.forfeitedPaise))} can no longer be spent.` : '';
      return `Erased: the customer ${mobile}. ${erased.orders} orders stay without name, number and address; ${erased.photos} photos are deleted.${forfeited}`;
    }),
  );
});

function describeHidden(orders: number): string {
  return `Left out: ${orders} orders that a guest placed with this number more than 60 days ago, perhaps an earlier owner of it. Somebody who knows such an order by its number gets it from: npm run order -- show <order>`;
}
