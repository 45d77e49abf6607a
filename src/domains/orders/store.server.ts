import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db, Tx } from '../../db/database.server.ts';
import { countUse, releaseUse, type LimitUse } from '../../db/limits.server.ts';
import type { Orders } from '../../db/tables.generated.ts';
import type { CustomerOrGuest, SignedInCustomer } from '../sessions/authentication.server.ts';
import { hasAccountSql, mobileSql } from '../accounts/store.server.ts';
import { ADDRESS_FIELDS } from '../addresses/contract.ts';
import { addressSql } from '../addresses/store.server.ts';
import { programRatesSql } from '../catalogue/store.server.ts';
import { newestOffersSql, type StoredOffer } from '../offers/store.server.ts';
import type { CancelledBy, Stage } from './contract.ts';
import { FINAL_STAGES, type NewOrderEvent } from './rules.ts';

type Column = keyof Orders;

/** The columns of the order's copy of its address. */
const SHIP_TO = ADDRESS_FIELDS.map((field) => `ship_${field}` as const) satisfies readonly Column[];

type ShipTo = Record<(typeof SHIP_TO)[number], string>;
type AddressCopy = Record<(typeof ADDRESS_FIELDS)[number], string>;

export const toShipColumns = (address: AddressCopy) =>
  Object.fromEntries(ADDRESS_FIELDS.map((field) => [`ship_${field}`, address[field]])) as ShipTo;

export const fromShipColumns = (row: ShipTo) =>
  Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, row[`ship_${field}`]])) as AddressCopy;

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
  'detergent',
  'conditioner',
  'iron',
  'stage',
  ...SHIP_TO,
  'placed_at',
] as const satisfies readonly Column[];

export type NewOrder = Required<Pick<Insertable<Orders>, (typeof NEW_ORDER_COLUMNS)[number]>>;

/** The columns that placing an order returns. */
const PLACED_COLUMNS = ['id', 'timeslot', 'pickup_day', 'area', 'offer_percent', 'order_rate_paise'] as const satisfies readonly Column[];

export type PlacedRow = Pick<Selectable<Orders>, (typeof PLACED_COLUMNS)[number]>;

/** The columns that the API returns of an order. */
const API_COLUMNS = [
  'id',
  'placed_at',
  'stage',
  'program_id',
  'program_name',
  'rate_paise',
  'unit',
  'weight_grams',
  'items',
  'offer_id',
  'offer_percent',
  'area',
  'timeslot',
  'pickup_day',
  'cancelled_at',
  'cancelled_by',
  ...SHIP_TO,
] as const satisfies readonly Column[];

/** The columns that paying for an order reads. */
const PAYABLE_COLUMNS = [
  'id',
  'program_name',
  'rate_paise',
  'order_rate_paise',
  'offer_percent',
  'weight_grams',
  'stage',
] as const satisfies readonly Column[];

/** SQL for a list of columns. */
const columnsSql = (columns: readonly Column[]) => sql.raw(columns.join(', '));

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

/** Returns the rows that an order is placed from. A guest has no saved addresses and no offers. */
export const readOrderInputs = (
  db: Db,
  caller: CustomerOrGuest,
  { addressid, programid, key }: { addressid: string; programid: string; key: OrderKey },
) =>
  db
    .selectNoFrom([
      jsonObjectFrom(orderOfKeySql(caller, key)).as('placed'),
      jsonObjectFrom(programRatesSql(programid)).as('program'),
      mobileSql(caller.id).as('verifiedMobile'),
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
 * The prefix of keys derived from bodies, which expire. A client's key contains no colon, so they
 * never collide. The condition of the index order_keys_that_expire repeats the prefix.
 */
export const BODY_KEY_PREFIX = 'same:';

/** Deletes the keys derived from bodies that were bound at `boundBefore` or earlier. */
export const deleteBodyKeys = (db: Db, boundBefore: Date) =>
  db
    .deleteFrom('idempotency_keys')
    // A literal: a plan for any parameter could not use the index.
    .where('key', 'like', sql.lit(`${BODY_KEY_PREFIX}%`))
    .where('created_at', '<=', boundBefore)
    .execute();

/**
 * Increments the daily count, binds the key, inserts the order and its first event. If the key is
 * bound already, only the count changes, and it is decremented again. Concurrent requests of one
 * customer wait for the lock of the count, those with one key for the lock of the key. One
 * statement, because a round trip costs more than its work (docs/decisions/0023).
 */
export async function insertOrder(
  db: Db,
  order: NewOrder,
  { key, bodyHash, boundAfter, boundBefore }: OrderKey,
  limit: LimitUse,
): Promise<'placed' | 'key-used' | 'limit-exceeded'> {
  const { rows } = await sql<{ counted: boolean; placed: boolean }>`
    with counted as (${countUse(limit)}
    ), bound as (
      -- Rebinds a key derived from the body if its earlier binding has expired.
      insert into idempotency_keys (customer_id, key, body_hash, order_id, created_at)
      select ${order.customer_id}, ${key}, ${bodyHash}, ${order.id}, ${order.placed_at} from counted
      on conflict (customer_id, key) do update
        set body_hash = excluded.body_hash, order_id = excluded.order_id, created_at = excluded.created_at
        where idempotency_keys.created_at <= ${boundAfter} or idempotency_keys.created_at > ${boundBefore}
      returning 1
    ), placed as (
      insert into orders (${columnsSql(NEW_ORDER_COLUMNS)})
      select ${sql.join(NEW_ORDER_COLUMNS.map((column) => order[column]))} from bound
      returning id, stage, placed_at
    ), event as (
      insert into order_events (order_id, kind, stage, at) select id, ${'placed' satisfies NewOrderEvent['kind']}, stage, placed_at from placed
    )
    select exists (select from counted) as counted, exists (select from placed) as placed`.execute(db);
  const { counted, placed } = rows[0] ?? {};
  if (placed) return 'placed';
  if (!counted) return 'limit-exceeded';
  // A concurrent request with this key placed the order. A retry counts once.
  await releaseUse(db, limit);
  return 'key-used';
}

/** SQL condition: the caller may read the order. An account must claim guest orders first. */
const belongsTo = (caller: CustomerOrGuest) =>
  caller.kind === 'guest'
    ? sql<boolean>`guest_session_hash = ${caller.sessionHash}`
    : sql<boolean>`(customer_id = ${caller.id} and guest_session_hash is null)`;

/** SQL for a part of a query: the ids of the orders that the caller may read. */
export const readableOrdersSql = (caller: CustomerOrGuest) => sql<string>`(select id from orders where ${belongsTo(caller)})`;

/** Moves the orders of a guest session to the session that replaces it in the same browser. */
export const transferGuestOrders = (db: Db, fromSession: Buffer, toSession: Buffer) =>
  db.updateTable('orders').set({ guest_session_hash: toSession }).where('guest_session_hash', '=', fromSession).execute();

/** The guest orders that an account may claim. */
export interface Claimable {
  customerId: string;
  /** Those of this guest session, and those of any browser that were placed after this time. */
  sessionHash?: Buffer | undefined;
  placedAfter?: Date | undefined;
}

const isClaimable = ({ customerId, sessionHash, placedAfter }: Claimable) => sql<boolean>`
  customer_id = ${customerId} and guest_session_hash is not null
  and (guest_session_hash = ${sessionHash ?? null} or placed_at > ${placedAfter ?? null}::timestamptz)`;

/** Moves guest orders to the account of their mobile. Returns their ids. */
export async function claimOrders(tx: Tx, claimable: Claimable): Promise<string[]> {
  const claimed = tx.updateTable('orders').set({ guest_session_hash: null }).where(isClaimable(claimable));
  return (await claimed.returning('id').execute()).map(({ id }) => id);
}

/** Returns the name in the address of the newest claimable order, undefined without one. */
export async function newestClaimableName(db: Db, claimable: Claimable): Promise<string | undefined> {
  const orders = db.selectFrom('orders').select('ship_name').where(isClaimable(claimable));
  return (await orders.orderBy('placed_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst())?.ship_name;
}

/**
 * SQL for the amount received for `orders.id`, in paise. The domain of the payments provides it,
 * because it imports this one.
 */
export type ReceivedSql = RawBuilder<number>;

/** The caller's orders with their changes of stage, the oldest first, and their version. */
const selectOrders = (db: Db, caller: CustomerOrGuest, received: ReceivedSql) =>
  db
    .selectFrom('orders')
    .where(belongsTo(caller))
    .select(API_COLUMNS)
    .select([received.as('received_paise'), sql<number>`(select max(id) from order_events where order_id = orders.id)`.as('version')])
    .select((of) =>
      jsonArrayFrom(
        of
          .selectFrom('order_events')
          // JSON contains the time as text.
          .select(['order_events.stage', sql<string>`at`.as('at')])
          .whereRef('order_id', '=', 'orders.id')
          .where('order_events.stage', 'is not', null)
          .orderBy('order_events.id'),
      ).as('events'),
    );

/** Returns orders, newest first. The id orders rows of the same time. */
export const listOrders = (
  db: Db,
  caller: CustomerOrGuest,
  { received, offset, limit }: { received: ReceivedSql; offset: number; limit: number },
) => selectOrders(db, caller, received).orderBy('placed_at', 'desc').orderBy('id', 'desc').offset(offset).limit(limit).execute();

/** Returns undefined for an unknown order and for one that belongs to another caller. */
export const findOrder = (db: Db, caller: CustomerOrGuest, orderid: string, received: ReceivedSql) =>
  selectOrders(db, caller, received).where('id', '=', orderid).executeTakeFirst();

/** Returns false for an unknown order and for one that belongs to another caller. */
export const ownsOrder = async (db: Db, caller: CustomerOrGuest, orderid: string): Promise<boolean> =>
  (await db.selectFrom('orders').select('id').where(belongsTo(caller)).where('id', '=', orderid).executeTakeFirst()) !== undefined;

/**
 * SQL for a part of a query: the payment columns of an order, or no row if it is not the caller's.
 */
export const payableOrderSql = (caller: CustomerOrGuest, orderid: string) => sql<
  Pick<Selectable<Orders>, (typeof PAYABLE_COLUMNS)[number]>
>`(
  select ${columnsSql(PAYABLE_COLUMNS)}
    from orders where id = ${orderid} and ${belongsTo(caller)})`;

/** SQL condition: a guest placed it with the number of an account that has not claimed it. */
const isHeldSql = sql<boolean>`(guest_session_hash is not null and ${hasAccountSql(sql.ref('orders.customer_id'))})`;

/** A subquery to join: the columns of orders that payments may read. */
export const ordersForPayments = (db: Db) =>
  db
    .selectFrom('orders')
    .select(['id', 'customer_id', 'ship_name', 'rate_paise', 'offer_percent', 'weight_grams', 'items', 'stage'])
    .select(isHeldSql.as('is_held'));

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

/** Returns false for an unknown order, one of another customer and one in another stage, too. */
export const isDelivered = async (db: Db, customer: SignedInCustomer, orderid: string): Promise<boolean> =>
  (await sql`select from orders where id = ${orderid} and ${belongsTo(customer)} and stage = ${'delivered' satisfies Stage}`.execute(db))
    .rows.length === 1;

/** Returns the id of the latest event of each order. For any customer: check the access before. */
export const latestEvents = async (db: Db, orderids: readonly string[]) =>
  (
    await sql<{ order_id: string; version: number }>`
      select order_id, max(id) as version from order_events where order_id = any(${orderids}::text[]) group by order_id`.execute(db)
  ).rows;

/** Returns false if the order is not in stage `pickup` or does not exist. */
export async function updateWeight(db: Db, orderid: string, weightGrams: number, items: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update orders set weight_grams = ${weightGrams}, items = ${items}
       where id = ${orderid} and stage = ${'pickup' satisfies Stage} returning id as order_id
    ) ${orderEventSql({ kind: 'weighed', data: { weight_grams: weightGrams, items }, at: now })}`.execute(db);
  return rows.length === 1;
}

/**
 * Changes the stage of an order. Returns false if the order is not weighed or not in stage `from`,
 * so that of two concurrent calls one returns true.
 */
export async function updateStage(db: Db, orderid: string, from: Stage, to: Stage, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update orders set stage = ${to}
       where id = ${orderid} and stage = ${from} and weight_grams is not null returning id as order_id
    ) ${orderEventSql({ kind: 'moved', stage: to, at: now })}`.execute(db);
  return rows.length === 1;
}

/** For the laundry only: reads the order of any customer. */
export const findStageAndWeight = (db: Db, orderid: string) =>
  db.selectFrom('orders').select(['stage', 'weight_grams']).where('id', '=', orderid).executeTakeFirst();

/**
 * Locks an order until the end of the transaction, as payments do, and returns it. A caller gets
 * only own orders. `null` is the laundry, which gets any order.
 */
export const lockOrder = (tx: Tx, caller: CustomerOrGuest | null, orderid: string) =>
  tx
    .selectFrom('orders')
    .select(['id', 'customer_id', 'stage', 'weight_grams', 'rate_paise', 'offer_percent', 'pickup_day', 'timeslot'])
    .select(['cancelled_at', 'cancelled_by', 'cancelled_from', 'cancellations', isHeldSql.as('is_held')])
    .where('id', '=', orderid)
    .$if(caller !== null, (query) => query.where(belongsTo(caller!)))
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Cancels a locked order. `refundPaise` is the amount that this cancellation credits. */
export async function setCancelled(tx: Tx, orderid: string, by: CancelledBy, refundPaise: number, now: Date) {
  const stage = 'cancelled' satisfies Stage;
  await sql`
    with changed as (
      update orders
         set stage = ${stage}, cancelled_at = ${now}, cancelled_by = ${by}, cancelled_from = stage, cancellations = cancellations + 1
       where id = ${orderid} returning id as order_id
    ) ${orderEventSql({ kind: 'cancelled', stage, data: { by, refund_paise: refundPaise }, at: now })}`.execute(tx);
}

/** Returns a locked, cancelled order to `stage`. */
export async function resetCancelled(tx: Tx, orderid: string, stage: Stage, now: Date) {
  await sql`
    with changed as (
      update orders set stage = ${stage}, cancelled_at = null, cancelled_by = null, cancelled_from = null
       where id = ${orderid} returning id as order_id
    ) ${orderEventSql({ kind: 'cancellation-undone', at: now })}`.execute(tx);
}

/** Changes the pickup day of a locked order. */
export async function updatePickupDay(tx: Tx, orderid: string, day: string, now: Date) {
  await sql`
    with changed as (
      update orders set pickup_day = ${day} where id = ${orderid} returning id as order_id
    ) ${orderEventSql({ kind: 'rescheduled', data: { pickup_day: day }, at: now })}`.execute(tx);
}

const MAX_OPEN_ORDERS = 200;

/**
 * Returns orders that are neither delivered nor cancelled, oldest first. Each row has the total
 * count of them.
 */
export const listOpenOrders = (db: Db) =>
  db
    .selectFrom('orders')
    .select(['id', 'stage', 'program_name', 'weight_grams', 'ship_name', sql<number>`count(*) over ()`.as('total')])
    .where('stage', 'not in', FINAL_STAGES)
    .orderBy('placed_at')
    .orderBy('id')
    .limit(MAX_OPEN_ORDERS)
    .execute();
