/** UPI payments that customers began. The laundry notes by hand those that its bank received. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { PaymentMethod, PaymentState } from './contract.ts';

const BEGUN = { method: 'upi' satisfies PaymentMethod, state: 'pending' satisfies PaymentState } as const;

/** SQL: the UPI payments that customers began since then and that are not settled. */
export const begunUpiSql = (since: Date) => sql`
  select order_id, amount_paise, reference, created_at, reported_at
    from payments where state = 'pending' and method = 'upi' and created_at >= ${since}`;

/**
 * Returns the UPI payment of an order that the customer said is paid, otherwise the newest one that
 * the customer began. Undefined once it is settled.
 */
export const findBegunUpi = (db: Db, orderid: string) =>
  db
    .selectFrom('payments')
    .select(['tid', 'amount_paise', 'created_at', 'reported_at'])
    .where('order_id', '=', orderid)
    .where('method', '=', BEGUN.method)
    .where('state', '=', BEGUN.state)
    .orderBy('reported_at', (by) => by.desc().nullsLast())
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/**
 * Writes that the customer said that a begun UPI payment is paid. Returns undefined if it is
 * settled or unknown, or if the customer said so before.
 */
export const setReported = (tx: Tx, { tid, orderid }: { tid: string; orderid: string }, now: Date) =>
  tx
    .updateTable('payments')
    .set({ reported_at: now })
    .where('tid', '=', tid)
    .where('order_id', '=', orderid)
    .where('method', '=', BEGUN.method)
    .where('state', '=', BEGUN.state)
    .where('reported_at', 'is', null)
    .returning('reference')
    .executeTakeFirst();
