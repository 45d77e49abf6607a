/**
 * `npm run seed -- --orders N`: fills a demonstration with sample people and their orders of past
 * months, to try the console and to measure. `--end-accounts` ends all sample accounts.
 */
import { parseArgs } from 'node:util';
import { migrate } from '../src/db/migrate.server.ts';
import type { DatabaseConfig } from '../src/db/hosts.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createPasswords } from '../src/security/passwords.server.ts';
import { endSampleAccounts, SAMPLE_CUSTOMER, SEEDED_MOBILES } from '../src/server/demo/demo.server.ts';
import { refuseLiveDatabase } from '../src/server/demo/live-use.server.ts';
import { readMigrations } from './migration-files.ts';
import { onConnection, printResult, UsageError, withDatabase } from './run-command.ts';
import { writeSamples } from './samples/write-samples.ts';

const USAGE = `npm run seed -- --orders <number>    add sample people with this number of orders, at most 5000000
  --days <number>                    spread over these days until now, 1 to 3650 (default 365)
  --seed <number>                    another number makes other orders (default 1)
  --beside-other-orders              also into a database with orders of other people
npm run seed -- --end-accounts       nobody can log in to the sample accounts any more, before live mode`;

/** A large demonstration has hundreds of thousands of accounts. */
const END_ACCOUNTS_MS = 120_000;

const LIMITS = { orders: { min: 1, max: 5_000_000 }, days: { min: 1, max: 3650 }, seed: { min: 0, max: 2 ** 31 } } as const;

await printResult(async (settings) => {
  const args = process.argv.slice(2);
  if (args.includes('--end-accounts')) {
    if (args.length > 1) throw new UsageError(USAGE);
    return withDatabase(settings, ({ connection }) =>
      onConnection({ connection, statementMs: END_ACCOUNTS_MS }, async (db) => {
        const accounts = await endSampleAccounts(db, systemClock.now());
        return `Ended: ${accounts} accounts of the demonstration. Their orders and payments stay: cancel what is open in the console.`;
      }),
    );
  }
  const request = parseRequest(args);
  if (settings.mode === 'live') throw new Error('Samples are for demonstrations only: MODE is live. Nothing was written.');
  const migrations = await readMigrations();
  return withDatabase(
    settings,
    async ({ connection }) => {
      await migrate(connection, migrations, { log: (line) => console.error(line) });
      await onConnection({ connection }, refuseLiveDatabase);
      if (!request.besideOtherOrders) await refuseOtherOrders(connection);
      const startedAt = performance.now();
      const until = new Date(Math.floor(systemClock.now().getTime() / 1000) * 1000);
      const passwordHash = await createPasswords().hash(SAMPLE_CUSTOMER.password);
      const onProgress = (orders: number) => process.stderr.isTTY && process.stderr.write(`\r${orders} orders …`);
      const { people } = await writeSamples({ ...request, connection, until, passwordHash, onProgress });
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      return `Wrote ${request.orders} orders of ${people} sample people (seed ${request.seed}) in ${seconds} s. The ledger is balanced.`;
    },
    { createsDatabase: true },
  );
});

function parseRequest(args: string[]) {
  const { values } = parseOptions(args);
  const number = (name: keyof typeof LIMITS, text: string | undefined) => {
    const value = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    const { min, max } = LIMITS[name];
    if (!(value >= min && value <= max))
      throw new UsageError(`--${name} is a whole number from ${min} to ${max}. Nothing was done.\n${USAGE}`);
    return value;
  };
  return {
    orders: number('orders', values.orders),
    days: number('days', values.days),
    seed: number('seed', values.seed),
    besideOtherOrders: values['beside-other-orders'],
  };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        orders: { type: 'string' },
        days: { type: 'string', default: '365' },
        seed: { type: 'string', default: '1' },
        'beside-other-orders': { type: 'boolean', default: false },
      },
    });
  } catch {
    throw new UsageError(USAGE);
  }
}

/** Sample orders cannot be removed again: the ledger and payments are kept. */
function refuseOtherOrders(connection: DatabaseConfig) {
  return onConnection({ connection }, async (db) => {
    const other = await db
      .selectFrom('customers')
      .select('id')
      .where('mobile', 'not like', SEEDED_MOBILES)
      .where('mobile', '<>', SAMPLE_CUSTOMER.mobile)
      .where(({ exists, selectFrom }) => exists(selectFrom('orders').select('orders.id').whereRef('customer_id', '=', 'customers.id')))
      .limit(1)
      .executeTakeFirst();
    if (other)
      throw new Error(
        'The database has orders of other people. Samples cannot be removed again: add --beside-other-orders, or set DATA_DIR to another folder. Nothing was written.',
      );
  });
}
