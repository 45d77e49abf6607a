import { sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Tx } from '../../db/database.server.ts';
import { selectOrdersForPayments, type PaymentsSql, type RecordedPaymentRow } from '../orders/store.server.ts';
import type { PaymentMethod, PaymentState } from './contract.ts';
import { paidSql, toPayableOrder } from './store.server.ts';

/** The payments of `orders.id` for its history: received, also if they were reversed later. */
const recordedOfOrderSql = jsonArrayFrom(sql<RecordedPaymentRow>`(
  select reference, method, amount_paise, settled_at from payments where order_id = orders.id and state = 'received')`);

export const paymentsOfOrderSql: PaymentsSql = { paid: paidSql(sql`order_id = orders.id`), recorded: recordedOfOrderSql };

/** Returns all payments for the export of a customer's data. `orderIds` must not be empty. */
export const listPaymentsOfOrders = (db: Db, orderIds: readonly string[]) =>
  db
    .selectFrom('payments')
    .leftJoin('payment_reversals', 'payment_reversals.tid', 'payments.tid')
    .select([
      'order_id',
      'method',
      'state',
      'amount_paise',
      'reference',
      'transaction_id',
      'note',
      'created_at',
      'reported_at',
      'settled_at',
    ])
    .select(['reversed_at', 'reason'])
    .where('order_id', 'in', orderIds)
    .orderBy('created_at')
    .execute();

/**
 * Removes the notes and reasons that the staff wrote about the payments of orders. The triggers of
 * these tables allow this change of a received payment and of a reversal, and no other. `orderIds`
 * must not be empty.
 */
export async function eraseNotesOfPayments(tx: Tx, orderIds: readonly string[]) {
  await tx.updateTable('payments').set({ note: null }).where('order_id', 'in', orderIds).where('note', 'is not', null).execute();
  await tx
    .updateTable('payment_reversals')
    .set({ reason: 'erased' })
    .where('tid', 'in', (eb) => eb.selectFrom('payments').select('tid').where('order_id', 'in', orderIds))
    .execute();
}

/**
 * Returns those of the orders that are not assigned to an account, with the amount paid. `orderids`
 * must not be empty.
 */
export async function listUnassignedOrders(db: Db, orderids: readonly string[]) {
  const rows = await db
    .selectFrom(selectOrdersForPayments(db).as('paid_for'))
    .select(['id', 'stage', 'rate_paise', 'offer_percent', 'weight_grams', paidSql(sql`order_id = paid_for.id`).as('paid_paise')])
    .where('id', 'in', orderids)
    .where('is_unassigned', '=', true)
    .execute();
  return rows.map((row) => ({ orderid: row.id, paidPaise: row.paid_paise, order: toPayableOrder(row) }));
}

/** Counts the pending payments of each method. A method without one has no row. */
export const listPendingCounts = (db: Db) =>
  db
    .selectFrom('payments')
    .select('method')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<Date | null>('created_at').as('oldest')])
    .where('state', '=', 'pending')
    .groupBy('method')
    .execute();

export interface PaymentCount {
  method: PaymentMethod;
  state: PaymentState;
  count: number;
}

/**
 * Counts the pending payments, and those that were received or failed since `since`, of each
 * method. A method and state without a payment is absent. Each part reads an index of its own.
 */
export async function listPaymentCounts(db: Db, since: Date): Promise<PaymentCount[]> {
  const countSql = (condition: RawBuilder<boolean>) =>
    sql`select method, state, count(*) as count from payments where ${condition} group by 1, 2`;
  const { rows } = await sql<PaymentCount>`
    ${countSql(sql`state = 'pending'`)}
    union all ${countSql(sql`state = 'received' and settled_at >= ${since}`)}
    union all ${countSql(sql`state = 'failed' and settled_at >= ${since}`)}`.execute(db);
  return rows;
}

/** Returns the order of each payment. An unknown one has no row. */
export const listOrdersOfPayments = async (db: Db, tids: readonly string[]) =>
  tids.length === 0 ? [] : db.selectFrom('payments').select(['tid', 'order_id']).where('tid', 'in', tids).execute();
