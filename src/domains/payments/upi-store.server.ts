/** UPI payments that customers began. The laundry notes by hand those that its bank received. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { PaymentMethod, PaymentState } from './contract.ts';

const inStateSql = (state: PaymentState) =>
  sql<boolean>`payments.method = ${sql.lit('upi' satisfies PaymentMethod)} and payments.state = ${sql.lit(state)}`;

/** SQL condition: a UPI payment that a customer began, and that is not settled. */
const isBegunSql = inStateSql('pending');
/** SQL condition: a begun UPI payment that its customer reported as paid. */
const isReportedSql = sql<boolean>`${isBegunSql} and reported_at is not null`;
/**
 * SQL condition: a reported UPI payment that the staff dismissed, because it is not at the bank.
 * It is stored as failed; its note is the reason.
 */
const isDismissedSql = sql<boolean>`${inStateSql('failed')} and reported_at is not null and note is not null`;

/**
 * SQL: the begun UPI payments, without older ones than `since` that their customer has not
 * reported as paid.
 */
export const begunUpiSql = (since: Date) => sql`
  select order_id, amount_paise, reference, created_at, reported_at
    from payments where ${isBegunSql} and (created_at >= ${since} or reported_at is not null)`;

/** SQL: the begun UPI payments that customers reported as paid. */
export const reportedUpiSql = sql`
  select order_id, amount_paise, reference, created_at, reported_at
    from payments where ${isReportedSql}`;

/** SQL: the dismissed UPI payments, with the reason. */
export const dismissedUpiSql = sql`
  select order_id, amount_paise, reference, created_at, reported_at, settled_at as dismissed_at, note as reason
    from payments where ${isDismissedSql}`;

/**
 * Returns the UPI payment of an order that the customer reported as paid, otherwise the newest one
 * that the customer began. Undefined once it is settled.
 */
export const findBegunUpi = (db: Db, orderid: string) =>
  db
    .selectFrom('payments')
    .select(['tid', 'amount_paise', 'created_at', 'reported_at'])
    .where('order_id', '=', orderid)
    .where(isBegunSql)
    .orderBy('reported_at', (by) => by.desc().nullsLast())
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/**
 * Writes that the customer reported a begun UPI payment as paid. Returns undefined if it is
 * settled or unknown, or if it was reported before. The caller inserts the event.
 */
export const setReported = (tx: Tx, { tid, orderid }: { tid: string; orderid: string }, now: Date) =>
  tx
    .updateTable('payments')
    .set({ reported_at: now })
    .where('tid', '=', tid)
    .where('order_id', '=', orderid)
    .where(isBegunSql)
    .where('reported_at', 'is', null)
    .returning('reference')
    .executeTakeFirst();

/** Returns the UPI payment of an order that the staff dismissed last, undefined without one. */
export const findDismissedUpi = (db: Db, orderid: string) =>
  db
    .selectFrom('payments')
    .select(['tid', 'amount_paise', 'reported_at', 'settled_at', 'note'])
    .where('order_id', '=', orderid)
    .where(isDismissedSql)
    .orderBy('settled_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/**
 * Dismisses a reported UPI payment, with the reason in its note. Returns undefined if it is
 * settled, unknown or not reported. The caller inserts the event.
 */
export const setDismissed = (tx: Tx, { reference, orderid, reason }: { reference: string; orderid: string; reason: string }, now: Date) =>
  tx
    .updateTable('payments')
    .set({ state: 'failed', settled_at: now, note: reason })
    .where('reference', '=', reference)
    .where('order_id', '=', orderid)
    .where(isReportedSql)
    .returning('amount_paise')
    .executeTakeFirst();
