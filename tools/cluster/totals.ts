/** The totals of the database, compared with the actions of the customers. */
import { sql } from 'kysely';
import type { Db } from '../../src/db/database.server.ts';
import { auditLedger, isSound } from '../../src/domains/wallet/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { CREDIT_PAISE, type Counts, type Customer } from './customers.ts';

export interface Found {
  orders: number;
  payments: number;
}

/** Counts the orders of the customers, and their payments. */
export async function countFound(db: Db, customers: readonly Customer[]): Promise<Found> {
  const ids = customers.map(({ userid }) => userid);
  const { rows } = await sql<Found>`
    select (select count(*)::int from orders where customer_id = any(${ids})) as orders,
           (select count(*)::int from payments join orders on orders.id = order_id where customer_id = any(${ids})) as payments`.execute(
    db,
  );
  return rows[0] ?? { orders: 0, payments: 0 };
}

export interface Phase {
  name: string;
  counts: Counts;
  found: Found;
}

const HEADINGS = [
  'phase',
  'orders sent',
  'acknowledged',
  'found',
  'doubled',
  'payments sent',
  'acknowledged',
  'found',
  'doubled',
  'sent twice',
  'busy (503)',
  'failures',
  'longest',
];

/** Returns the columns of a phase and whether its numbers are right. */
function rowOf({ name, counts, found }: Phase): { row: string[]; isRight: boolean } {
  const { sent, acknowledged, paymentsSent, paymentsAcknowledged } = counts;
  const doubled = Math.max(found.orders - sent, 0);
  const paidTwice = Math.max(found.payments - paymentsSent, 0);
  const failures = [...counts.failures.values()].reduce((total, times) => total + times, 0);
  const orders = [sent, acknowledged, found.orders, doubled];
  const payments = [paymentsSent, paymentsAcknowledged, found.payments, paidTwice];
  const numbers = [...orders, ...payments, counts.raced, counts.busy, failures];
  const isRight =
    [acknowledged, found.orders].every((number) => number === sent) &&
    [paymentsAcknowledged, found.payments].every((number) => number === paymentsSent);
  return { row: [name, ...numbers.map(String), `${(counts.longestMs / 1000).toFixed(1)} s`], isRight: isRight && failures === 0 };
}

/** Returns the table of the phases and what is wrong with them. */
export function tableOf(phases: readonly Phase[]): { table: string; problems: string[] } {
  const rows = phases.map(rowOf);
  const all = [HEADINGS, ...rows.map(({ row }) => row)];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const table = all
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
    )
    .join('\n');
  const problems = phases.flatMap(({ name, counts }, index) => {
    const failures = [...counts.failures].map(([what, times]) => `${name}: ${what} (${times})`);
    return rows[index]?.isRight ? [] : [`${name}: the numbers differ, or a response failed`, ...failures];
  });
  return { table, problems };
}

/** Returns what is wrong with the wallets, the orders and the ledger. */
export async function checkBooks(db: Db, customers: readonly Customer[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { userid, placed, paidPaise } of customers) {
    const rows = await db.selectFrom('orders').select('id').where('customer_id', '=', userid).execute();
    const found = new Set(rows.map(({ id }) => id));
    const lost = placed.filter((id) => !found.has(id));
    if (lost.length > 0) problems.push(`acknowledged orders are lost: ${lost.join(', ')}`);
    const balance = await readBalance(db, userid);
    if (balance !== CREDIT_PAISE - paidPaise) problems.push(`a wallet has ${balance} paise instead of ${CREDIT_PAISE - paidPaise}`);
  }
  const audit = await auditLedger(db);
  if (!isSound(audit)) problems.push(`the ledger is not balanced: ${JSON.stringify(audit)}`);
  return problems;
}
