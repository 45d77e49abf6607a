import type { Db } from '../../db/database.server.ts';

/** For the export of a customer's data. */
export const paymentsOf = (db: Db, orderIds: readonly string[]) =>
  db
    .selectFrom('payments')
    .leftJoin('payment_reversals', 'payment_reversals.tid', 'payments.tid')
    .select(['order_id', 'method', 'state', 'amount_paise', 'reference', 'transaction_id', 'note', 'created_at', 'settled_at'])
    .select(['reversed_at', 'reason'])
    .where('order_id', 'in', orderIds)
    .orderBy('created_at')
    .execute();

/** Counts the pending payments of each method. */
export const pendingPayments = (db: Db) =>
  db
    .selectFrom('payments')
    .select('method')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<Date | null>('created_at').as('oldest')])
    .where('state', '=', 'pending')
    .groupBy('method')
    .execute();
