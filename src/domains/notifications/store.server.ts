import { sql, type SqlBool } from 'kysely';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import { invariant } from '../../lib/invariant.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { listOrderEvents, toEvent, type EventRow } from '../orders/events-store.server.ts';
import { chosenDeliveryDay } from '../orders/progress-rules.ts';
import { readOrderWithPayments } from '../payments/queries-service.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import type { Paise } from '../../lib/money.ts';
import type { NotificationSource } from './rules.ts';

/**
 * Returns and locks the notification that is due first, undefined if none is due. Skips those that
 * another process holds.
 */
export const lockNextDue = (tx: Tx, now: Date) =>
  tx
    .selectFrom('notifications')
    .select(['event_id', 'attempts', 'error'])
    .where('state', '=', 'waiting')
    // A clock that was ahead wrote the time of the last change, and with it the next attempt.
    .where((eb) => eb.or([eb('due_at', '<=', now), eb('changed_at', '>', addSeconds(now, MAX_CLOCK_SKEW_SECONDS))]))
    .orderBy('due_at')
    .orderBy('event_id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

/** Marks a locked notification before the request to the gateway. It is never acquired again. */
export const setSending = (tx: Tx, eventId: number, text: string, now: Date) =>
  tx
    .updateTable('notifications')
    .set({ state: 'sending', text, changed_at: now, attempts: sql`attempts + 1` })
    .where('event_id', '=', eventId)
    .execute();

interface FailedAttempt {
  failure: 'not-accepted' | 'rejected' | 'unknown' | 'too-late' | 'too-many';
  error: string | null;
}

const NO_FAILURE = { failure: null, error: null };

/** Ends a notification in any state. Deletes its text unless `keepText` is set. */
export const setEnded = (
  db: Db,
  eventId: number,
  state: 'sent' | 'failed' | 'withdrawn',
  now: Date,
  { keepText = false, failed }: { keepText?: boolean; failed?: FailedAttempt } = {},
) =>
  db
    .updateTable('notifications')
    .set({ state, changed_at: now, ...(failed ?? NO_FAILURE), ...(!keepText && { text: '' }) })
    .where('event_id', '=', eventId)
    .execute();

/**
 * Makes a notification that the gateway certainly did not accept wait for another attempt. Does
 * nothing unless it is 'sending'.
 */
export const setRetry = (db: Db, eventId: number, dueAt: Date, now: Date, failed: FailedAttempt) =>
  db
    .updateTable('notifications')
    .set({ state: 'waiting', due_at: dueAt, changed_at: now, text: '', ...failed })
    .where('event_id', '=', eventId)
    .where('state', '=', 'sending')
    .execute();

/**
 * Sets the time at which the waiting notifications of these events are sent. `eventIds` must not be
 * empty.
 */
export const setNotificationsDue = (db: Db, eventIds: readonly number[], dueAt: Date) =>
  db
    .updateTable('notifications')
    .set({ due_at: dueAt })
    .where('event_id', 'in', [...eventIds])
    .where('state', '=', 'waiting')
    .execute();

/** Withdraws the notification of an event if it waits to be sent. */
export const withdrawNotification = (tx: Tx, eventId: number, now: Date) =>
  tx
    .updateTable('notifications')
    .set({ state: 'withdrawn', changed_at: now, ...NO_FAILURE })
    .where('event_id', '=', eventId)
    .where('state', '=', 'waiting')
    .execute();

/** Returns the state of a notification and locks its row. Undefined for an unknown event. */
export const lockNotification = (tx: Tx, eventId: number) =>
  tx.selectFrom('notifications').select(['state', 'failure']).where('event_id', '=', eventId).forUpdate().executeTakeFirst();

/** Makes a locked notification wait again. Its last failure stays until it is sent. */
export const setWaiting = (tx: Tx, eventId: number, now: Date) =>
  tx.updateTable('notifications').set({ state: 'waiting', due_at: now, changed_at: now }).where('event_id', '=', eventId).execute();

/**
 * Marks as failed the notifications that have been 'sending' since before `startedBefore`: their
 * process stopped.
 */
export const failStuckNotifications = (db: Db, startedBefore: Date, now: Date) =>
  db
    .updateTable('notifications')
    .set({ state: 'failed', changed_at: now, text: '', failure: 'unknown', error: null })
    .where('state', '=', 'sending')
    .where('changed_at', '<', startedBefore)
    .execute();

/** Withdraws the notifications that are not known to be sent, after a restore of the database. */
export const withdrawUnsent = (db: Db, now: Date) =>
  db
    .updateTable('notifications')
    .set({ state: 'withdrawn', changed_at: now, text: '', ...NO_FAILURE })
    .where('state', 'in', ['waiting', 'sending'])
    .execute();

export const deleteOld = (db: Db, before: Date) => db.deleteFrom('notifications').where('changed_at', '<', before).execute();

/** A row of the view. The generated types of a view are all nullable. */
interface NotificationRow extends Omit<EventRow, 'id'> {
  customer_id: string;
  is_unassigned: boolean;
  mobile: string;
  order_id: string;
  order_stage: string;
  cancelled_at: Date | null;
  returned_at: Date | null;
  pickup_day: string;
  timeslot: string;
  rate_paise: Paise;
  offer_percent: number;
  weight_grams: number | null;
  items: number | null;
}

interface StoredNotificationSource extends NotificationSource {
  customerId: string;
  /** A guest placed the order, and it is not assigned to an account. */
  isUnassigned: boolean;
  mobile: string;
}

/**
 * Returns the event of a notification with its customer, mobile and order as they are now, and the
 * payments or the evening that its message needs. Throws if the event does not exist.
 */
export async function readNotificationSource(db: Db, eventId: number): Promise<StoredNotificationSource> {
  const { rows } = await sql<NotificationRow>`
    select kind, stage, data, at, customer_id, guest_session_hash is not null as is_unassigned, mobile, order_id, order_stage, cancelled_at, pickup_day, timeslot, rate_paise,
           offer_percent, weight_grams, items, returned_at
      from notification_facts where event_id = ${eventId}`.execute(db);
  const [row] = rows;
  invariant(row, 'a notification has an event');
  const { kind, stage, data, at, customer_id: customerId, is_unassigned: isUnassigned, mobile } = row;
  const event = toEvent({ id: eventId, kind, stage, data, at });
  const order = {
    id: row.order_id,
    stage: row.order_stage,
    cancelledAt: row.cancelled_at,
    returnedAt: row.returned_at,
    pickupDay: row.pickup_day,
    timeslot: row.timeslot,
    ratePaise: row.rate_paise,
    offerPercent: row.offer_percent,
    weightGrams: row.weight_grams,
    items: row.items,
  };
  const isOfPayment = event.kind === 'paid' || event.kind === 'payment-reversed' || event.kind === 'refunded';
  const payments = (isOfPayment && (await readOrderWithPayments(db, order.id))) || null;
  const deliveryDay = event.kind === 'delivery-chosen' ? chosenDeliveryDay(await listOrderEvents(db, order.id)) : null;
  return { event, customerId, isUnassigned, mobile, order, deliveryDay, payments };
}

/** Returns the newest sent notifications about the caller's orders. */
export const listSent = (db: Db, caller: CustomerOrGuest, limit: number) =>
  db
    .selectFrom('notifications')
    .innerJoin('notification_facts', 'notification_facts.event_id', 'notifications.event_id')
    .select([sql<string>`mobile`.as('mobile'), sql<null>`null`.as('code'), 'text', 'changed_at as sent_at'])
    .where('state', '=', 'sent')
    .where((eb) =>
      caller.kind === 'guest'
        ? eb('guest_session_hash', '=', caller.sessionHash)
        : eb.and([eb('customer_id', '=', caller.id), eb('guest_session_hash', 'is', null)]),
    )
    .orderBy('changed_at', 'desc')
    .orderBy('notifications.event_id', 'desc')
    .limit(limit)
    .execute();

const selectEventIds = (db: Db, customerId: string) =>
  db.selectFrom('notification_facts').select('event_id').where('customer_id', '=', customerId);

/** Returns the notifications about orders for the export. `orderIds` must not be empty. */
export const listNotifications = (db: Db, orderIds: readonly string[]) =>
  db
    .selectFrom('notifications')
    .innerJoin('notification_facts', 'notification_facts.event_id', 'notifications.event_id')
    .select(['state', 'text', 'changed_at'])
    .where('order_id', 'in', orderIds)
    .orderBy('notifications.event_id')
    .execute();

export const deleteNotificationsOf = (tx: Tx, customerId: string) =>
  tx.deleteFrom('notifications').where('event_id', 'in', selectEventIds(tx, customerId)).execute();

/**
 * Returns the notifications with a failed attempt that are not sent, and those that wait and were
 * due before `overdueBefore`, the newest first. With null, omits those without a failed attempt.
 */
export function listUnsent(
  db: Db,
  { beforeId, overdueBefore, limit }: { beforeId: number | undefined; overdueBefore: Date | null; limit: number },
) {
  return db
    .selectFrom('notifications')
    .innerJoin('notification_facts', 'notification_facts.event_id', 'notifications.event_id')
    .select([
      'notifications.event_id',
      'notifications.state',
      'attempts',
      'due_at',
      'failure',
      'error',
      sql<string>`mobile`.as('mobile'),
      sql<string>`order_id`.as('order_id'),
      sql<string>`kind`.as('kind'),
      sql<string | null>`stage`.as('stage'),
      sql<EventRow['data']>`data`.as('data'),
      sql<Date>`at`.as('at'),
    ])
    .where((eb) =>
      eb.or([
        // A process of an older version leaves the failure of a message that it sends or withdraws.
        sql<SqlBool>`failure is not null and (notifications.state in ('waiting', 'sending', 'failed')
                       or notifications.state = 'withdrawn' and failure in ('rejected', 'too-late', 'too-many'))`,
        eb.and([eb('notifications.state', '=', 'waiting'), eb('due_at', '<', overdueBefore)]),
      ]),
    )
    .$if(beforeId !== undefined, (query) => query.where('notifications.event_id', '<', beforeId!))
    .orderBy('notifications.event_id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Returns three values. `overdue`: the number of waiting notifications that were due before
 * `overdueBefore` or have a failed attempt. `oldest`: the first due time of these. `refused`: the
 * number of notifications that the gateway has rejected since `failedSince`.
 */
export async function readUnsentCounts(db: Db, { overdueBefore, failedSince }: { overdueBefore: Date; failedSince: Date }) {
  const waiting = await db
    .selectFrom('notifications')
    .select(({ fn }) => [fn.countAll<number>().as('overdue'), fn.min<Date | null>('due_at').as('oldest')])
    .where('state', '=', 'waiting')
    .where((eb) => eb.or([eb('due_at', '<', overdueBefore), eb('failure', 'is not', null)]))
    .executeTakeFirstOrThrow();
  const { refused } = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<number>().as('refused'))
    .where('failure', '=', 'rejected')
    .where('state', '=', 'withdrawn')
    .where('changed_at', '>=', failedSince)
    .executeTakeFirstOrThrow();
  return { ...waiting, refused };
}

/** Counts the notifications that wait and are due, with the oldest due time or null. */
export const readDueNotifications = (db: Db, now: Date) =>
  db
    .selectFrom('notifications')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<Date | null>('due_at').as('oldest')])
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow();
