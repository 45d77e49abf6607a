/**
 * Wallet payments a second over HTTP (session, read, write) compared with pgbench, which executes
 * the same statements on the same server. Target: half of pgbench.
 */
import { sql } from 'kysely';
import type { Db } from '../src/db/database.server.ts';
import { insertWalletPayment, readWalletPayment } from '../src/domains/payments/store.server.ts';
import { creditWallet } from '../src/domains/wallet/service.server.ts';
import { asPaise } from '../src/lib/money.ts';
import { besidePgbench, TOTALS } from './beside-pgbench.ts';
import { insertCustomers, now } from '../test/support/bulk-data.ts';
import { authenticate } from './authenticate.ts';
import { callText } from './load.ts';
import { asPgbench } from './pgbench.ts';
import { onScratch, type Scratch } from './scratch.ts';

const CUSTOMERS = 64;
/** Two kilograms at ₹38; the wallet pays half. */
const FINAL_PAISE = 7600;
const HALF_PAISE = 3800;

const PATH = '/combinedata/paywithwallet';

export const run = () =>
  onScratch(async (scratch) => {
    await fill(scratch.db);
    await besidePgbench(scratch, {
      name: 'wallet payments',
      target: 0.5,
      request: {
        path: PATH,
        request: (number) =>
          callText(PATH, `T${number % CUSTOMERS}`, { orderid: `A${number}`, walletpayment: HALF_PAISE / 100, walletbalance: 0 }),
        isExpected: (body) => body.includes('"success"'),
      },
      script: () => scriptOf(scratch),
    });
    await checkPayments(scratch.db);
  });

/** Fills wallets and inserts orders in stage `queue`: A… for the program, B… for pgbench. */
async function fill(db: Db) {
  await insertCustomers(db, CUSTOMERS);
  const credit = { kind: 'promotion', amountPaise: asPaise(1_000_000_000), reason: 'A bench', at: now } as const;
  for (let number = 0; number < CUSTOMERS; number += 1)
    await creditWallet(db, { ...credit, customerId: `C${number}`, reference: `bench:C${number}` });
  await sql`insert into orders (id, customer_id, program_id, program_name, unit, area, base_rate_paise, surcharge_paise, rate_paise, order_rate_paise,
      timeslot, pickup_day, detergent, conditioner, iron, stage, weight_grams, items, ship_name, ship_mobile, ship_address1, ship_address2, ship_landmark,
      ship_pincode, ship_city, ship_state, placed_at)
    select side || n, 'C' || n % ${CUSTOMERS}::int, 'wash', 'Wash', 'kg', 'manesar', 3800, 0, 3800, 3800, '05:00 - 09:00 PM', '2026-11-21', '', '', '',
      'queue', 2000, 5, 'Bench', '9000000000', 'House 1', 'Street 2', 'Park', '122052', 'Gurugram', 'Haryana', ${now}
      from (values ('A', ${TOTALS.requests}::int), ('B', ${TOTALS.transactions}::int)) sides (side, many), generate_series(0, many - 1) n`.execute(
    db,
  );
}

/**
 * Returns the statements of a payment. Values that differ between payments come from pgbench's
 * counter.
 */
async function scriptOf({ db, statements }: Scratch): Promise<string[]> {
  const example = { orderid: 'an order', entryId: 'an entry', tid: 'a tid of 22 characters', paymentReference: 'a reference' };
  statements.length = 0;
  const customer = await authenticate(db);
  await readWalletPayment(db, customer, example.orderid);
  const debit = {
    entryId: example.entryId,
    customerId: customer.id,
    kind: 'paid',
    walletPaise: -HALF_PAISE,
    reason: 'Paid from the wallet',
    reference: `order:${example.orderid}:wallet`,
    orderId: example.orderid,
    at: now,
  } as const;
  // Only the text is needed. The database rejects a payment for an unknown order.
  await insertWalletPayment(db, debit, { ...example, amountPaise: HALF_PAISE, duePaise: FINAL_PAISE }).catch(() => {});
  const expressions = new Map<unknown, string>([
    [customer.sessionHash.toString('hex'), "sha256(('T' || :c::text)::bytea)"],
    [customer.id, "('C' || :c::text)"],
    [`wallet:${customer.id}`, "('wallet' || chr(58) || 'C' || :c::text)"],
    [example.orderid, "('B' || :n::text)"],
    [example.entryId, "('entry B' || :n::text)"],
    [example.tid, "lpad(:n::text, 22, 't')"],
    [example.paymentReference, "lpad(:n::text, 20, 'r')"],
    [debit.reference, "('order' || chr(58) || 'B' || :n::text || chr(58) || 'wallet')"],
  ]);
  return [`\\set c :n % ${CUSTOMERS}`, ...statements.map((statement) => asPgbench(statement, expressions))];
}

/** Throws unless every request and transaction made exactly one payment. */
async function checkPayments(db: Db) {
  const { rows } = await sql<{ side: string; paid: number; paise: number }>`
    select left(order_id, 1) as side, count(*)::int as paid, sum(amount_paise)::float8 as paise from payments where order_id ~ '^[AB][0-9]+$' group by 1 order by 1`.execute(
    db,
  );
  for (const { side, paid, paise } of rows) {
    const expected = side === 'A' ? TOTALS.requests : TOTALS.transactions;
    if (paid !== expected || paise !== paid * HALF_PAISE)
      throw new Error(`side ${side} made ${paid} payments of ${paise} paise instead of ${expected}`);
  }
}
