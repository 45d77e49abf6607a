/**
 * Orders a second over HTTP (session, read, write) compared with pgbench, which executes the same
 * statements on the same server. Target: half of pgbench.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../src/db/database.server.ts';
import { placeOrder } from '../src/domains/orders/placing-service.server.ts';
import { TIMESLOT } from '../src/domains/orders/contract.ts';
import { asPaise } from '../src/lib/money.ts';
import { besidePgbench, TOTALS } from './beside-pgbench.ts';
import { insertCustomers, now } from '../test/support/bulk-data.ts';
import { authenticate } from './authenticate.ts';
import { callText } from './load.ts';
import { asPgbench } from './pgbench.ts';
import { onScratch, type Scratch } from './scratch.ts';

const CUSTOMERS = 64;
export const ORDER_PATH = '/orders/addorder';

const wash = { timeslot: TIMESLOT, program: 'wash', area: 'manesar', detergent: 'surfexcel', conditioner: 'softtouch', iron: '' } as const;

/** Returns the body of an order of this customer. */
export const orderBody = (customer: number) => ({ ...wash, addressid: `D${customer}`, programrate: 38, orderrate: 38 });

const NUMBER_HASH = Buffer.from('C0');

export const run = () =>
  onScratch(async (scratch) => {
    await insertCustomers(scratch.db, CUSTOMERS);
    const samples = await countOrders(scratch.db);
    await besidePgbench(scratch, {
      name: 'orders',
      target: 0.5,
      request: {
        path: ORDER_PATH,
        request: (number) => {
          const customer = number % CUSTOMERS;
          return callText(ORDER_PATH, `T${customer}`, orderBody(customer), { 'idempotency-key': `number-${number}` });
        },
        isExpected: (body) => body.includes('"success"'),
      },
      script: () => scriptOf(scratch),
    });
    const placed = (await countOrders(scratch.db)) - samples;
    if (placed !== TOTALS.requests + TOTALS.transactions) throw new Error(`${placed} orders were placed`);
  });

/**
 * Returns the statements that place an order. Values that differ between orders come from pgbench's
 * counter.
 */
export async function scriptOf({ db, statements }: Pick<Scratch, 'db' | 'statements'>, customers = CUSTOMERS): Promise<string[]> {
  const key = 'number-of-pgbench';
  const rates = { programrate: asPaise(3800), orderrate: asPaise(3800) };
  const rollback = new Error('rolls back the example order');
  statements.length = 0;
  const customer = await authenticate(db);
  const placed: { id?: string } = {};
  await db
    .transaction()
    .execute(async (tx) => {
      const placing = { db: tx, maxOrdersPerDay: 100_000, hashMobile: () => NUMBER_HASH };
      const { data, error } = await placeOrder(placing, customer, { ...wash, ...rates, addressid: 'D0' }, key, now);
      if (error) throw new Error(error.code);
      placed.id = data.orderid;
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  const expressions = new Map<unknown, string>([
    [customer.sessionHash.toString('hex'), "sha256(('T' || :c::text)::bytea)"],
    [customer.id, "('C' || :c::text)"],
    ['D0', "('D' || :c::text)"],
    [key, "('pgbench-' || :n::text)"],
    [placed.id, "('pgbench ' || :n::text)"],
    // The subject of the daily order limit: another one for each customer.
    [createHash('sha256').update(NUMBER_HASH.toString('hex')).digest('hex'), "sha256(('C' || :c::text)::bytea)"],
  ]);
  const sent = statements.filter(({ sql: text }) => /sessions|idempotency_keys/.test(text));
  return [`\\set c :n % ${customers}`, ...sent.map((statement) => asPgbench(statement, expressions))];
}

async function countOrders(db: Db): Promise<number> {
  const { rows } = await sql<{ orders: number }>`select count(*)::int as orders from orders`.execute(db);
  return rows[0]?.orders ?? 0;
}
