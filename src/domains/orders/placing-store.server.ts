import { sql, type Insertable, type Selectable } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { BODY_KEY_PREFIX } from '../../contract/body-key.ts';
import { transactionUnlessRefused, type Db } from '../../db/database.server.ts';
import { countUseSql, releaseUse, type LimitUse } from '../../db/limits.server.ts';
import type { Orders } from '../../db/tables.generated.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { isErased, lockUnerasedSql, mobileSql } from '../accounts/store.server.ts';
import { addressSql } from '../addresses/store.server.ts';
import { insertConsentSql, type NewConsent } from '../consents/store.server.ts';
import { programRatesSql } from '../catalogue/store.server.ts';
import { changedPlansSql, currentPlanSql, releaseBooking, bookSql, type EveningBooking } from '../evenings/store.server.ts';
import { newestOffersSql, type StoredOffer } from '../offers/store.server.ts';
import type { OrderEventKind } from './events-contract.ts';
import { MAX_PICKUPS_PER_EVENING } from './pickup-rules.ts';
import { columnsSql, countOtherPickups, SHIP_TO, type Column } from './store.server.ts';

/** The columns of a new order. Its weight and items are recorded at pickup. */
const NEW_ORDER_COLUMNS = [
  'id',
  'customer_id',
  'guest_session_hash',
  'program_id',
  'program_name',
  'unit',
  'area',
  'base_rate_paise',
  'surcharge_paise',
  'rate_paise',
  'offer_id',
  'offer_percent',
  'order_rate_paise',
  'timeslot',
  'pickup_day',
  'return_day',
  'detergent',
  'conditioner',
  'iron',
  'stage',
  ...SHIP_TO,
  'placed_at',
] as const satisfies readonly Column[];

export type NewOrder = Required<Pick<Insertable<Orders>, (typeof NEW_ORDER_COLUMNS)[number]>>;

/** The columns that placing an order returns. */
const PLACED_COLUMNS = [
  'id',
  'timeslot',
  'pickup_day',
  'return_day',
  'area',
  'offer_percent',
  'order_rate_paise',
] as const satisfies readonly Column[];

export type PlacedRow = Pick<Selectable<Orders>, (typeof PLACED_COLUMNS)[number]>;

/** The idempotency key of a request. Requests with the same key place one order. */
export interface OrderKey {
  key: string;
  /** A request with the same key and another body is refused. */
  bodyHash: Buffer;
  /** Bindings of the key at this time or earlier have expired. Clients' keys never expire. */
  boundAfter: Date;
  /** A clock that was ahead wrote later bindings. They have expired, too. */
  boundBefore: Date;
}

/**
 * Returns the rows that an order is placed from, each null if it does not exist. `placed` is the
 * order of an unexpired `key`. A guest has no saved address and no offers.
 */
export const readOrderInputs = (
  db: Db,
  caller: CustomerOrGuest,
  { addressid, programid, key, today }: { addressid: string; programid: string; key: OrderKey; today: string },
) =>
  db
    .selectNoFrom([
      jsonObjectFrom(orderOfKeySql(caller, key)).as('placed'),
      jsonObjectFrom(programRatesSql(programid)).as('program'),
      mobileSql(caller.id).as('verifiedMobile'),
      jsonArrayFrom(changedPlansSql(today)).as('eveningPlans'),
      (caller.kind === 'customer' ? jsonObjectFrom(addressSql(caller, addressid)) : sql<null>`null`).as('address'),
      (caller.kind === 'customer' ? jsonArrayFrom(newestOffersSql(caller)) : sql<StoredOffer[]>`'[]'::json`).as('customerOffers'),
    ])
    .executeTakeFirstOrThrow();

/**
 * SQL for the order of an unexpired key. `same_body` is false if the key was used for a different
 * request.
 */
const orderOfKeySql = (caller: CustomerOrGuest, { key, bodyHash, boundAfter, boundBefore }: OrderKey) => sql<
  PlacedRow & { same_body: boolean }
>`(
  select ${columnsSql(PLACED_COLUMNS)}, body_hash = ${bodyHash} as same_body
    from idempotency_keys join orders on orders.id = order_id
   where idempotency_keys.customer_id = ${caller.id} and key = ${key}
     and created_at > ${boundAfter} and created_at <= ${boundBefore})`;

/**
 * Returns the order of a key, undefined if no unexpired binding exists. Like `orderOfKeySql`, it
 * also returns an order that was placed by a different request: check `same_body`.
 */
export const findOrderOfKey = async (db: Db, caller: CustomerOrGuest, key: OrderKey) =>
  (await orderOfKeySql(caller, key).execute(db)).rows[0];

/**
 * Deletes the keys derived from bodies that were bound at `boundBefore` or earlier. The condition
 * of the index order_keys_that_expire repeats the prefix.
 */
export const deleteBodyKeys = (db: Db, boundBefore: Date) =>
  db
    .deleteFrom('idempotency_keys')
    // A literal: a plan for any parameter could not use the index.
    .where('key', 'like', sql.lit(`${BODY_KEY_PREFIX}%`))
    .where('created_at', '<=', boundBefore)
    .execute();

/**
 * `key-used`: a concurrent request with this key placed an order. `limit-exceeded`: the daily count
 * is reached. `evening-full`: the evening is full. `evening-limit`: the customer has
 * `MAX_PICKUPS_PER_EVENING` there. `plan-changed`: the plan of the evenings is another one.
 * `erased`: the customer was erased since the request was authenticated.
 */
export type InsertStatus = 'placed' | 'erased' | 'key-used' | 'limit-exceeded' | 'evening-full' | 'evening-limit' | 'plan-changed';

export interface Placing {
  order: NewOrder;
  /** The consent of a guest, stored with the order. Undefined for a customer. */
  consent: NewConsent | undefined;
}

/**
 * Increments the daily count, books the evening, binds the key, inserts the order, its first event
 * and the consent. If one of them is refused, the later ones are not done, and the count and the
 * booking are released.
 *
 * Concurrent requests wait for the locks of the count, of the key, and of an evening with a
 * capacity. Without a capacity it is one statement and no transaction (docs/decisions/0023).
 *
 * The key is checked last: 'limit-exceeded', 'evening-full' and 'plan-changed' can also mean that a
 * request with this key placed the order. Call `findOrderOfKey`, or retry.
 */
export async function insertOrder(
  db: Db,
  placing: Placing,
  key: OrderKey,
  limit: LimitUse,
  booking: EveningBooking,
): Promise<InsertStatus> {
  if (booking.capacity === null) return insertWithBooking(db, placing, key, limit, booking);
  // A second statement counts the pickups of the customer. A transaction, so that a process which
  // ends here leaves no booking without an order.
  const isRefused = (status: InsertStatus) => status === 'evening-limit';
  return transactionUnlessRefused(db, isRefused, async (tx): Promise<InsertStatus> => {
    const status = await insertWithBooking(tx, placing, key, limit, booking);
    // A statement of its own sees the orders that held the lock of the evening's count before.
    const order = { ...placing.order, is_unassigned: placing.order.guest_session_hash !== null };
    const isOverLimit = status === 'placed' && (await countOtherPickups(tx, order)) >= MAX_PICKUPS_PER_EVENING;
    return isOverLimit ? 'evening-limit' : status;
  });
}

/** Does the same without the limit of pickups per evening. Never returns 'evening-limit'. */
async function insertWithBooking(
  db: Db,
  { order, consent }: Placing,
  { key, bodyHash, boundAfter, boundBefore }: OrderKey,
  limit: LimitUse,
  booking: EveningBooking,
): Promise<InsertStatus> {
  // An erasure waits for the lock of the customer and then sees the order. The foreign keys of the
  // order take the same lock, but they accept an erased customer (docs/decisions/0086).
  const customer = lockUnerasedSql(order.customer_id);
  const { capacity } = booking;
  const { rows } = await sql<{ counted: boolean; is_current: boolean; is_booked: boolean; placed: boolean }>`
    with counted as (${countUseSql(limit, customer)}
    ), current_plan as (${currentPlanSql(booking)}
    ), counted_on_plan as (
      select from counted, current_plan
    ), booking as (
      ${capacity === null ? sql`select from counted_on_plan` : bookSql({ ...booking, capacity }, 'counted_on_plan')}
    ), bound_key as (
      -- Rebinds a key derived from the body if its earlier binding has expired.
      insert into idempotency_keys (customer_id, key, body_hash, order_id, created_at)
      select ${order.customer_id}, ${key}, ${bodyHash}, ${order.id}, ${order.placed_at} from booking
      on conflict (customer_id, key) do update
        set body_hash = excluded.body_hash, order_id = excluded.order_id, created_at = excluded.created_at
        where idempotency_keys.created_at <= ${boundAfter} or idempotency_keys.created_at > ${boundBefore}
      returning 1
    ), inserted_order as (
      insert into orders (${columnsSql(NEW_ORDER_COLUMNS)})
      select ${sql.join(NEW_ORDER_COLUMNS.map((column) => order[column]))} from bound_key
      returning id, stage, placed_at
    ), event as (
      insert into order_events (order_id, kind, stage, at) select id, ${'placed' satisfies OrderEventKind}, stage, placed_at from inserted_order
    )${
      consent
        ? sql`, consent as (${insertConsentSql(order.customer_id, consent, sql`placed_at from inserted_order`)}
    )`
        : sql``
    }
    select exists (select from counted) as counted, exists (select from current_plan) as is_current,
           exists (select from booking) as is_booked, exists (select from inserted_order) as placed`.execute(db);
  const { counted, is_current: isCurrent, is_booked: isBooked, placed } = rows[0] ?? {};
  if (placed) return 'placed';
  if (!counted) return (await isErased(db, order.customer_id)) ? 'erased' : 'limit-exceeded';
  // Not a rollback: a transaction would cost each order another round trip.
  await releaseUse(db, limit);
  if (!isCurrent) return 'plan-changed';
  if (!isBooked) return 'evening-full';
  // A concurrent request with this key placed the order. A retry counts once.
  if (capacity !== null) await releaseBooking(db, booking);
  return 'key-used';
}
