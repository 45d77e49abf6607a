/** Reads the received payments of orders as the staff sees them. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import { STAGES } from '../orders/contract.ts';
import type { PaymentMethod } from '../payments/contract.ts';
import { newestPendingOnlineSql } from '../payments/gateway-store.server.ts';
import { uncoveredPaise } from '../payments/rules.ts';
import { toPayableOrder } from '../payments/store.server.ts';
import { begunUpiSql, dismissedUpiSql, reportedUpiSql } from '../payments/upi-store.server.ts';
import { MAX_COUNTED } from './desk/contract.ts';
import type { Paise } from '../../lib/money.ts';

export interface PaymentRow {
  tid: string;
  order_id: string;
  reference: string;
  method: PaymentMethod;
  amount_paise: Paise;
  settled_at: Date;
  note: string | null;
  reversed_at: Date | null;
  reversal_reason: string | null;
  received_by: string | null;
  /** Null for a command, and for a payment of the wallet or the gateway. */
  received_by_id: string | null;
}

const PAYMENT_COLUMNS = sql`tid, order_id, reference, method, amount_paise, settled_at, note, reversed_at, reversal_reason, received_by,
  received_by_id`;

/** Returns the received payments of an order, reversed ones included, the oldest first. */
export const listPayments = async (db: Db, orderid: string): Promise<PaymentRow[]> =>
  (await sql<PaymentRow>`select ${PAYMENT_COLUMNS} from desk_payments where order_id = ${orderid} order by settled_at, tid`.execute(db))
    .rows;

/**
 * Returns the UPI payments received from `from` to before `until`, reversed ones included, the
 * newest first.
 */
export const listReceivedUpi = async (db: Db, { from, until }: { from: Date; until: Date }, limit: number): Promise<PaymentRow[]> =>
  (
    await sql<PaymentRow>`
      select ${PAYMENT_COLUMNS} from desk_payments
       where method = ${'upi' satisfies PaymentMethod} and settled_at >= ${from} and settled_at < ${until}
       order by settled_at desc, tid desc limit ${limit}`.execute(db)
  ).rows;

export interface BegunUpiRow {
  order_id: string;
  amount_paise: Paise;
  reference: string;
  created_at: Date;
  reported_at: Date | null;
  /** The largest payment of which nothing goes to the wallet. */
  uncovered_paise: Paise;
}

type OrderColumns = Parameters<typeof toPayableOrder>[0] & { received_paise: number };

/** The columns of `desk_orders` that determine `uncovered_paise`. */
const ORDER_COLUMNS = sql`stage, rate_paise, weight_grams, offer_percent, received_paise`;

function withUncovered<Row extends OrderColumns>({ stage, rate_paise, weight_grams, offer_percent, received_paise, ...row }: Row) {
  const order = toPayableOrder({ stage, rate_paise, weight_grams, offer_percent });
  return { ...row, uncovered_paise: uncoveredPaise(order, received_paise) };
}

const payableStagesSql = sql.join(STAGES.filter(({ isPayable }) => isPayable).map(({ stage }) => sql.lit(stage)));

/** SQL condition on `desk_orders`: the order has an unpaid amount. */
const isUnpaidSql = sql<boolean>`(stage in (${payableStagesSql})
  and order_final_paise(rate_paise, weight_grams, offer_percent) > received_paise)`;

/**
 * Returns the unrecorded UPI payments: reported ones first, then those that began after `since`, of
 * orders with an unpaid amount, the newest first.
 */
export const listBegunUpi = async (db: Db, { since, orderid }: { since: Date; orderid?: string }, limit: number): Promise<BegunUpiRow[]> =>
  (
    await sql<Omit<BegunUpiRow, 'uncovered_paise'> & OrderColumns>`
      select begun.order_id, begun.amount_paise, begun.reference, begun.created_at, begun.reported_at, ${ORDER_COLUMNS}
        from (${begunUpiSql(since)}) begun join desk_orders on desk_orders.id = begun.order_id
       where ${orderid === undefined ? sql`true` : sql`begun.order_id = ${orderid}`}
         and (begun.reported_at is not null or ${isUnpaidSql})
       order by begun.reported_at desc nulls last, begun.created_at desc, begun.reference limit ${limit}`.execute(db)
  ).rows.map(withUncovered);

export interface BegunOnlineRow {
  amount_paise: Paise;
  created_at: Date;
}

/** Returns the newest pending payment of an order at the gateway. */
export const findBegunOnline = async (db: Db, orderid: string): Promise<BegunOnlineRow | undefined> =>
  (await newestPendingOnlineSql(sql.val(orderid)).execute(db)).rows[0];

/**
 * Counts the UPI payments that customers reported as paid and that wait for the owner, at most
 * `MAX_COUNTED`.
 */
export async function countReportedUpi(db: Db): Promise<number> {
  const { rows } = await sql<{ payments: number }>`
    select count(*) as payments from (${reportedUpiSql} limit ${sql.lit(MAX_COUNTED)}) reported`.execute(db);
  return rows[0]?.payments ?? 0;
}

export interface DismissedUpiRow extends BegunUpiRow {
  dismissed_at: Date;
  reason: string;
}

/**
 * Returns the payment of `findDismissedUpi` for the console, with its `uncovered_paise`. Undefined
 * without one.
 */
export const findDismissedDeskUpi = async (db: Db, orderid: string): Promise<DismissedUpiRow | undefined> =>
  (
    await sql<Omit<DismissedUpiRow, 'uncovered_paise'> & OrderColumns>`
      select dismissed.order_id, dismissed.amount_paise, dismissed.reference, dismissed.created_at, dismissed.reported_at,
             dismissed.dismissed_at, dismissed.reason, ${ORDER_COLUMNS}
        from (${dismissedUpiSql}) dismissed join desk_orders on desk_orders.id = dismissed.order_id
       where dismissed.order_id = ${orderid} order by dismissed.dismissed_at desc limit 1`.execute(db)
  ).rows.map(withUncovered)[0];

/**
 * Returns the paise that the wallet and the gateway have paid for an order, without reversed ones.
 */
export async function sumPaidByCustomer(db: Db, orderid: string): Promise<number> {
  const methods = ['wallet', 'gateway'] as const satisfies readonly PaymentMethod[];
  const payments = await listPayments(db, orderid);
  return payments
    .filter(({ method, reversed_at: reversedAt }) => reversedAt === null && methods.some((name) => name === method))
    .reduce((sum, { amount_paise: paise }) => sum + paise, 0);
}

/** Returns a received payment, also a reversed one. Undefined for an unknown or pending one. */
export const findPayment = async (db: Db, tid: string): Promise<PaymentRow | undefined> =>
  (await sql<PaymentRow>`select ${PAYMENT_COLUMNS} from desk_payments where tid = ${tid}`.execute(db)).rows[0];
