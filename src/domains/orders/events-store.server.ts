import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Stage } from './contract.ts';

/** What happened to an order. */
type OrderEventKind =
  /** The only kind without a notification of the processes (0012_order_events.sql). */
  | 'placed'
  /**
   * `data` has `weight_grams`, `items`, the `bags` if they were counted, `at_door` = 1 if a rider
   * weighed, and the `reason` of a correction.
   */
  | 'weighed'
  /** `data` has the `reason` of a delivery without the hand-over code. */
  | 'moved'
  /**
   * The staff corrected the stage: the order is in an earlier one again. Without a `reason`, the
   * person undid the last move.
   */
  | 'moved-back'
  /** The staff photographed the scale. `data` has the `photo_id`. */
  | 'photographed'
  /** The hand-over code was wrong too often. */
  | 'code-locked'
  /** The id of this event determines the new hand-over code. */
  | 'code-renewed'
  /**
   * A visit of the rider failed. `data` has the reason `why` and the time `came_at`, which is
   * earlier than `at` if the device of the rider was offline.
   */
  | 'attempted'
  /**
   * The evening of another delivery after a failed visit. `data` has the `delivery_day`, and the
   * `reason` of the laundry.
   */
  | 'delivery-chosen'
  /** The order has another rider, or none. `data` has the `rider_id`, which can be empty. */
  | 'assigned'
  /**
   * `data` has the cancelling `by`, the `refund_paise` of this cancellation, and the `reason` that
   * the laundry gave to the customer.
   */
  | 'cancelled'
  /** The order is in the stage from which it was cancelled. */
  | 'cancellation-undone'
  /** The customer has the clothes of a cancelled order again. */
  | 'returned'
  /** The staff corrected that: the laundry still has them. */
  | 'return-undone'
  /** `data` has the `amount_paise` that was credited to the wallet for a payment. */
  | 'refunded'
  /**
   * `data` has the new `pickup_day`, the one before, `from_day`, `by`, and the `reason` of the
   * laundry.
   */
  | 'rescheduled'
  /** `data` has the `reference` of the payment. The next three have it, too. */
  | 'paid'
  /** The customer says that a begun UPI payment is paid. */
  | 'payment-reported'
  | 'payment-failed'
  | 'payment-reversed'
  /**
   * A message in the thread of a claim. `data` has the `claim_id`, its author `by` and, if it
   * settles the claim, the `settled_paise` of the credit.
   */
  | 'claim-message';

/** An event to be written in the transaction of its change. */
export interface NewOrderEvent {
  kind: OrderEventKind;
  /** The stage that the order entered. */
  stage?: Stage;
  /** Facts that no other row keeps, or that identify another row. No personal data. */
  data?: Readonly<Record<string, string | number>>;
  at: Date;
}

/**
 * SQL for the event of a change, after the part `changed` of the same statement. `changed` returns
 * the id of the order as `order_id`, once it holds the lock of the order's row, or no row.
 */
export const orderEventSql = ({ kind, stage, data = {}, at }: NewOrderEvent) => sql<{ order_id: string }>`
  insert into order_events (order_id, kind, stage, data, at)
  select order_id, ${kind}, ${stage ?? null}, ${JSON.stringify(data)}::jsonb, ${at}::timestamptz from changed returning order_id`;

/** Locks an order until the end of the transaction and inserts an event of it. */
export const insertOrderEvent = (tx: Tx, orderid: string, event: NewOrderEvent) =>
  sql`with changed as materialized (select id as order_id from orders where id = ${orderid} for no key update)
    ${orderEventSql(event)}`.execute(tx);

/** Returns the id of the latest event of each order. For any customer: check the access before. */
export const latestEvents = async (db: Db, orderids: readonly string[]) =>
  (
    await sql<{ order_id: string; version: number }>`
      select order_id, max(id) as version from order_events where order_id = any(${orderids}::text[]) group by order_id`.execute(db)
  ).rows;

/** Returns when the events of an order with these facts were recorded. */
export async function findEventTimes(tx: Tx, orderId: string, data: Readonly<Record<string, unknown>>): Promise<Date[]> {
  const events = await tx
    .selectFrom('order_events')
    .select('at')
    .where('order_id', '=', orderId)
    .where('data', '@>', JSON.stringify(data))
    .execute();
  return events.map(({ at }) => at);
}
