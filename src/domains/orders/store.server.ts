import { sql, type RawBuilder, type Selectable } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Paise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Orders } from '../../db/tables.generated.ts';
import type { CustomerOrGuest, SignedInCustomer } from '../sessions/authentication.server.ts';
import { callerErasedError, customerErasedError } from '../accounts/locks-service.server.ts';
import { lockCustomerSql } from '../accounts/store.server.ts';
import { ADDRESS_FIELDS } from '../addresses/contract.ts';
import { starsOfOrderSql } from '../reviews/store.server.ts';
import type { Laundry } from '../staff/authentication.server.ts';
import { memberNameSql } from '../staff/store.server.ts';
import { overpaymentChangesSql, type OverpaymentChange } from '../wallet/store.server.ts';
import type { OrderParty, Stage } from './contract.ts';
import type { OrderEvent } from './events-contract.ts';
import { toEvent, type EventRow } from './events-store.server.ts';
import { FINAL_STAGES, type PricedOrder } from './rules.ts';

export type Column = keyof Orders;

/** The columns of the order's copy of its address. */
export const SHIP_TO = ADDRESS_FIELDS.map((field) => `ship_${field}` as const) satisfies readonly Column[];

type ShipTo = Record<(typeof SHIP_TO)[number], string>;
type AddressCopy = Record<(typeof ADDRESS_FIELDS)[number], string>;

/** Returns the columns of the order's copy of an address. */
export const toShipColumns = (address: AddressCopy) =>
  Object.fromEntries(ADDRESS_FIELDS.map((field) => [`ship_${field}`, address[field]])) as ShipTo;

/** Returns the address that an order has copied. */
export const toAddressCopy = (row: ShipTo) =>
  Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, row[`ship_${field}`]])) as AddressCopy;

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
  'return_day',
  'cancelled_at',
  'cancelled_by',
  'returned_at',
  ...SHIP_TO,
] as const satisfies readonly Column[];

/** The columns of an order that its contract shows to the caller and to the staff. */
export type ShownOrder = Pick<Selectable<Orders>, (typeof API_COLUMNS)[number]> & {
  received_paise: Paise;
  version: number;
};

export type PricedRow = Pick<Selectable<Orders>, 'rate_paise' | 'offer_percent' | 'weight_grams'>;

export const toPricedOrder = (row: PricedRow): PricedOrder => ({
  ratePaise: row.rate_paise,
  offerPercent: row.offer_percent,
  weightGrams: row.weight_grams,
});

/** The columns that paying for an order reads. */
const PAYABLE_COLUMNS = [
  'id',
  'program_name',
  'unit',
  'rate_paise',
  'order_rate_paise',
  'offer_percent',
  'weight_grams',
  'stage',
] as const satisfies readonly Column[];

/** SQL for a list of columns. */
export const columnsSql = (columns: readonly Column[]) => sql.raw(columns.join(', '));

/** The author of a change of an order. The laundry may change any. */
export type OrderActor = CustomerOrGuest | Laundry;

/**
 * SQL condition: the actor may read the order. An account reads a guest order once it is assigned.
 */
function belongsToSql(actor: OrderActor) {
  if (actor.kind === 'laundry') return sql<boolean>`true`;
  return actor.kind === 'guest'
    ? sql<boolean>`guest_session_hash = ${actor.sessionHash}`
    : sql<boolean>`(customer_id = ${actor.id} and guest_session_hash is null)`;
}

/** SQL for a part of a query: the ids of the orders that the caller may read. */
export const readableOrdersSql = (caller: CustomerOrGuest) => sql<string>`(select id from orders where ${belongsToSql(caller)})`;

/** A payment that was received, also if it was reversed later. JSON contains the time as text. */
export interface RecordedPaymentRow {
  reference: string;
  method: string;
  amount_paise: Paise;
  settled_at: string;
}

/**
 * SQL for the payments of `orders.id`. The domain of the payments provides it, because it imports
 * this one.
 */
export interface PaymentsSql {
  /** The amount paid, in paise. */
  paid: RawBuilder<Paise>;
  recorded: RawBuilder<RecordedPaymentRow[]>;
}

/**
 * The caller's orders with their events, the oldest first, their version, rider and movements of
 * money.
 */
const selectOrders = (db: Db, caller: CustomerOrGuest, { paid, recorded }: PaymentsSql) =>
  db
    .selectFrom('orders')
    .where(belongsToSql(caller))
    .select(API_COLUMNS)
    .select([paid.as('received_paise'), sql<number>`(select max(id) from order_events where order_id = orders.id)`.as('version')])
    .select([starsOfOrderSql(sql.ref('orders.id')).as('stars'), memberNameSql(lastRiderSql).as('rider_name')])
    .select([recorded.as('recorded_payments'), overpaymentChangesSql(sql.ref('orders.id')).as('overpayment_changes')])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('order_events')
          .select(['order_events.id', 'order_events.kind', 'order_events.stage', sql<EventRow['at']>`at`.as('at')])
          .select(sql<EventRow['data']>`data`.as('data'))
          .whereRef('order_id', '=', 'orders.id')
          .orderBy('order_events.id'),
      ).as('events'),
    );

/** SQL for the id of the last rider of `orders.id`. Empty if removed, null if there was none. */
const lastRiderSql = sql<string | null>`(
  select data ->> 'rider_id' from order_events where order_id = orders.id and kind = 'assigned' order by id desc limit 1)`;

const toOrderWithEvents = <Row extends { events: EventRow[] }>({ events, ...row }: Row) => ({ ...row, events: events.map(toEvent) });

/** An order of the caller. */
export interface OrderWithEvents extends ShownOrder {
  /** The stars of the review. Null without one. */
  stars: number | null;
  /** The last rider. Null without a rider, and if the rider was removed. */
  rider_name: string | null;
  recorded_payments: RecordedPaymentRow[];
  overpayment_changes: OverpaymentChange[];
  /** The oldest first. */
  events: OrderEvent[];
}

interface PageRequest {
  payments: PaymentsSql;
  offset: number;
  limit: number;
  /** Only open orders other than these. */
  openExcept?: readonly string[];
}

/** Returns a page of the caller's orders, newest first. The id orders rows of the same time. */
export async function listOrders(
  db: Db,
  caller: CustomerOrGuest,
  { payments, offset, limit, openExcept }: PageRequest,
): Promise<OrderWithEvents[]> {
  let orders = selectOrders(db, caller, payments);
  if (openExcept) orders = orders.where(isOpenSql).where('orders.id', 'not in', openExcept);
  return (await orders.orderBy('placed_at', 'desc').orderBy('id', 'desc').offset(offset).limit(limit).execute()).map(toOrderWithEvents);
}

/** Returns undefined for an unknown order and for one that belongs to another caller. */
export async function findOrder(
  db: Db,
  caller: CustomerOrGuest,
  orderid: string,
  payments: PaymentsSql,
): Promise<OrderWithEvents | undefined> {
  const row = await selectOrders(db, caller, payments).where('id', '=', orderid).executeTakeFirst();
  return row && toOrderWithEvents(row);
}

/** Returns false for an unknown order and for one that belongs to another caller. */
export const isOwnOrder = async (db: Db, caller: CustomerOrGuest, orderid: string): Promise<boolean> =>
  (await db.selectFrom('orders').select('id').where(belongsToSql(caller)).where('id', '=', orderid).executeTakeFirst()) !== undefined;

/** Returns true for a photo of the scale of an order that the caller may read. */
export async function isScalePhoto(db: Db, caller: CustomerOrGuest, orderid: string, photoid: string): Promise<boolean> {
  const { rows } = await sql`
    select from order_events
     where order_id = ${orderid} and kind = 'photographed' and data ->> 'photo_id' = ${photoid}
       and order_id in ${readableOrdersSql(caller)}`.execute(db);
  return rows.length > 0;
}

/**
 * SQL for a part of a query: the payment columns of an order, or no row if it is not the caller's.
 */
export const payableOrderSql = (caller: CustomerOrGuest, orderid: string) => sql<
  Pick<Selectable<Orders>, (typeof PAYABLE_COLUMNS)[number]>
>`(
  select ${columnsSql(PAYABLE_COLUMNS)}
    from orders where id = ${orderid} and ${belongsToSql(caller)})`;

/**
 * SQL condition: a guest placed it, and it is not assigned to an account. Its overpayment waits for
 * that, and so does the compensation of a report, because the next owner of the number can sign up.
 */
const isUnassignedSql = sql<boolean>`(guest_session_hash is not null)`;

/** A subquery to join: the columns of orders that payments may read. */
export const selectOrdersForPayments = (db: Db) =>
  db
    .selectFrom('orders')
    .select(['id', 'customer_id', 'ship_name', 'rate_paise', 'offer_percent', 'weight_grams', 'items', 'stage'])
    .select(isUnassignedSql.as('is_unassigned'));

/** Returns false also for an unknown order and for one of another customer. */
export const isDelivered = async (db: Db, customer: SignedInCustomer, orderid: string): Promise<boolean> =>
  (await sql`select from orders where id = ${orderid} and ${belongsToSql(customer)} and stage = ${'delivered' satisfies Stage}`.execute(db))
    .rows.length === 1;

/** For the laundry only: reads the order of any customer. Undefined if it does not exist. */
export const findOrderState = (db: Db, orderid: string) =>
  db
    .selectFrom('orders')
    .select(['stage', 'weight_grams', 'items', 'customer_id', isUnassignedSql.as('is_unassigned')])
    .where('id', '=', orderid)
    .executeTakeFirst();

/** Returns the party of the actor, as the history of an order shows it. */
export const toParty = (actor: OrderActor): OrderParty => (actor.kind === 'laundry' ? 'laundry' : 'customer');

/** The columns of an order that its changes read. */
const LOCKED_COLUMNS = [
  'id',
  'customer_id',
  'stage',
  'weight_grams',
  'items',
  'rate_paise',
  'offer_percent',
  'area',
  'pickup_day',
  'return_day',
  'timeslot',
  'cancelled_at',
  'cancelled_by',
  'cancelled_from',
  'cancellations',
  'returned_at',
] as const satisfies readonly Column[];

declare const locked: unique symbol;

/** An order that the transaction has locked. Only `lockOrder` returns one. */
export type LockedOrder = Pick<Selectable<Orders>, (typeof LOCKED_COLUMNS)[number]> & { is_unassigned: boolean; readonly [locked]: true };

const customerOfOrderSql = (orderid: string) => sql`(select customer_id from orders where orders.id = ${orderid})`;

/**
 * Locks the customer of an order until the transaction ends, also an erased one. Locks nothing if
 * the order does not exist.
 */
export const lockCustomerOfOrder = (tx: Tx, orderid: string) => lockCustomerSql(tx, customerOfOrderSql(orderid)).execute();

/**
 * Locks an order until the end of the transaction, as every received payment of it does. Returns
 * undefined for an unknown order and for one that the actor may not change. Throws `ApiError` if
 * the customer is erased: conflict for the laundry, unauthenticated for a customer or guest. Locks
 * the row of the customer first, as an erasure does.
 */
export async function lockOrder(tx: Tx, actor: OrderActor, orderid: string): Promise<LockedOrder | undefined> {
  const order = await tx
    .with('customer', () => lockCustomerSql(tx, customerOfOrderSql(orderid)))
    .selectFrom('orders')
    .innerJoin('customer', 'owner_id', 'customer_id')
    .select(LOCKED_COLUMNS)
    .select([isUnassignedSql.as('is_unassigned'), 'is_erased'])
    .where('id', '=', orderid)
    .where(belongsToSql(actor))
    .forNoKeyUpdate('orders')
    .executeTakeFirst();
  if (order?.is_erased) throw actor.kind === 'laundry' ? customerErasedError() : callerErasedError();
  return order as LockedOrder | undefined;
}

const MAX_OPEN_ORDERS = 200;

/**
 * SQL condition: the same as `isToReturn`, on orders and on the view of the staff. A partial index
 * has these orders.
 */
export const isToReturnSql = sql<boolean>`(stage = ${sql.lit('cancelled' satisfies Stage)} and weight_grams is not null and returned_at is null)`;

/** SQL condition: the order is not delivered, and the laundry has its clothes or collects them. */
export const isOpenSql = sql<boolean>`(stage not in (${sql.join(FINAL_STAGES.map((stage) => sql.lit(stage)))}) or ${isToReturnSql})`;

/**
 * Returns the orders that the laundry has to work on, oldest first, at most `MAX_OPEN_ORDERS`. The
 * `total` of each row counts all of them.
 */
export const listOpenOrders = (db: Db) =>
  db
    .selectFrom('orders')
    .select(['id', 'stage', 'program_name', 'weight_grams', 'ship_name', sql<number>`count(*) over ()`.as('total')])
    .where(isOpenSql)
    .orderBy('placed_at')
    .orderBy('id')
    .limit(MAX_OPEN_ORDERS)
    .execute();

export type ChangedOrder = Awaited<ReturnType<typeof listOrdersChangedSince>>[number];

/**
 * Returns the orders that were placed or changed since a time, with what the laundry needs to serve
 * them without the program, oldest first.
 */
export const listOrdersChangedSince = (db: Db, since: Date) =>
  db
    .selectFrom('orders')
    .select(['id', 'placed_at', 'pickup_day', 'program_name', 'area', 'ship_mobile', 'ship_address1', 'ship_address2', 'ship_landmark'])
    .where('id', 'in', (eb) => eb.selectFrom('order_events').select('order_id').where('at', '>=', since))
    .orderBy('placed_at')
    .orderBy('id')
    .execute();

type PickupOrder = Pick<LockedOrder, 'id' | 'customer_id' | 'area' | 'pickup_day' | 'is_unassigned'>;

/**
 * Returns the number of other orders of the account, or of guests with the mobile, that wait for
 * their pickup on an evening.
 */
export async function countOtherPickups(db: Db, { id, customer_id, area, pickup_day, is_unassigned }: PickupOrder): Promise<number> {
  const { count } = await db
    .selectFrom('orders')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('customer_id', '=', customer_id)
    .where('pickup_day', '=', pickup_day)
    .where('area', '=', area)
    .where('stage', '=', 'pickup')
    .where(isUnassignedSql, '=', is_unassigned)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow();
  return count;
}
