/** The requests to a payment gateway, its pages and its events. */
import { sql, type ExpressionBuilder, type RawBuilder } from 'kysely';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Payments } from '../../db/tables.generated.ts';
import type { PaymentMethod, PaymentState } from './contract.ts';
import type { Gateway } from './provider.server.ts';
import { statesBefore } from './rules.ts';
import type { Paise } from '../../lib/money.ts';

/** Returns the present state and gateway page of a payment. Undefined for an unknown `tid`. */
export const findGatewayPage = (db: Db, tid: string) =>
  db.selectFrom('payments').select(['state', 'gateway_url']).where('tid', '=', tid).executeTakeFirst();

/**
 * Writes the gateway's page of a pending payment that has none. Ends `acquirePageOpening`: the new
 * page was not checked yet.
 */
export const setGatewayPage = (db: Db, tid: string, gateway_id: string, gateway_url: string) =>
  db
    .updateTable('payments')
    .set({ gateway_id, gateway_url, asked_at: null })
    .where('tid', '=', tid)
    .where('state', '=', 'pending')
    .where('gateway_id', 'is', null)
    .execute();

/** Returns undefined if no payment of this gateway has the reference. */
export const findGatewayPayment = (db: Db, gateway: Gateway['name'], reference: string) =>
  db
    .selectFrom('payments')
    .select(['tid', 'amount_paise'])
    .where('gateway', '=', gateway)
    .where('reference', '=', reference)
    .executeTakeFirst();

/** Returns false if the event is recorded already. */
export async function insertEvent(
  tx: Tx,
  event: { gateway: Gateway['name']; event_id: string; event: string; tid: string | null },
  now: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('payment_events')
    .values({ ...event, received_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return row !== undefined;
}

export const deleteEvents = (db: Db, before: Date) => db.deleteFrom('payment_events').where('received_at', '<', before).execute();

/**
 * Matches payments that may still be received: pending ones, and failed ones that began after
 * `since`.
 */
const mayBeReceivedSql = (since: Date) => (eb: ExpressionBuilder<{ payments: Payments }, 'payments'>) =>
  eb.or([
    eb('state', '=', 'pending' satisfies PaymentState),
    eb.and([eb('state', 'in', statesBefore('received')), eb('created_at', '>', since)]),
  ]);

/** Matches payments for which the gateway was not called since `since`. */
const notAskedSinceSql = (since: Date, now: Date) => (eb: ExpressionBuilder<{ payments: Payments }, 'payments'>) =>
  eb.or([
    eb('asked_at', 'is', null),
    eb('asked_at', '<=', since),
    // A clock that was ahead wrote it.
    eb('asked_at', '>', addSeconds(now, MAX_CLOCK_SKEW_SECONDS)),
  ]);

interface PaymentCheck {
  tid: string;
  gateway: Gateway['name'];
  uncheckedSince: Date;
  failedSince: Date;
}

/**
 * Acquires the check of an open payment that was not checked since `uncheckedSince`. Of concurrent
 * calls one succeeds; the others return undefined.
 */
export const acquireCheck = (db: Db, { tid, gateway, uncheckedSince, failedSince }: PaymentCheck, now: Date) =>
  db
    .updateTable('payments')
    .set({ asked_at: now })
    .where('tid', '=', tid)
    .where('gateway', '=', gateway)
    .where('gateway_id', 'is not', null)
    .where(mayBeReceivedSql(failedSince))
    .where(notAskedSinceSql(uncheckedSince, now))
    .returning(['gateway_id', 'amount_paise'])
    .executeTakeFirst();

/**
 * Lets one request open the gateway page of a pending payment that has none. Returns false if
 * another request got this after `since`.
 */
export async function acquirePageOpening(db: Db, tid: string, since: Date, now: Date): Promise<boolean> {
  const acquired = await db
    .updateTable('payments')
    .set({ asked_at: now })
    .where('tid', '=', tid)
    .where('state', '=', 'pending')
    .where('gateway_id', 'is', null)
    .where(notAskedSinceSql(since, now))
    .returning('tid')
    .executeTakeFirst();
  return acquired !== undefined;
}

/** Returns the payments of a gateway that may still be received, the longest unchecked first. */
export const listOpenPayments = (db: Db, gateway: Gateway['name'], failedSince: Date, max: number) =>
  db
    .selectFrom('payments')
    .select('tid')
    .where(mayBeReceivedSql(failedSince))
    .where('gateway', '=', gateway)
    .where('gateway_id', 'is not', null)
    .orderBy(sql`asked_at nulls first`)
    .limit(max)
    .execute();

/** SQL for a part of a query: the newest pending payment of an order at a gateway, if any. */
export const newestPendingOnlineSql = (orderid: RawBuilder<unknown>) => sql<{ amount_paise: Paise; created_at: Date }>`
  select amount_paise, created_at from payments
   where order_id = ${orderid} and method = ${sql.lit('gateway' satisfies PaymentMethod)} and state = ${sql.lit('pending' satisfies PaymentState)}
   order by created_at desc limit 1`;
