/**
 * Reads orders of any customer through the views of 0019_order_desk.sql, and writes what only the
 * staff records. Callers are authenticated by `requireStaff`.
 */
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Orders } from '../../db/tables.generated.ts';
import type { Area } from '../catalogue/contract.ts';
import type { Stage } from '../orders/contract.ts';
import type { OrderEvent } from '../orders/events-contract.ts';
import { toEvent, type EventRow } from '../orders/events-store.server.ts';
import { FINAL_STAGES } from '../orders/rules.ts';
import { isToReturnSql } from '../orders/store.server.ts';
import { newestPendingOnlineSql } from '../payments/gateway-store.server.ts';
import { reportedUpiSql } from '../payments/upi-store.server.ts';
import type { Role } from '../staff/desk/contract.ts';
import type { DayPosition } from '../staff/desk/paging.ts';
import { memberRoleSql } from '../staff/store.server.ts';
import { MAX_COUNTED, STAGE_NAMES } from './desk/contract.ts';
import type { Paise } from '../../lib/money.ts';

const STORED_COLUMNS = [
  'id',
  'customer_id',
  'program_id',
  'program_name',
  'unit',
  'area',
  'rate_paise',
  'offer_id',
  'offer_percent',
  'timeslot',
  'pickup_day',
  'return_day',
  'detergent',
  'conditioner',
  'iron',
  'stage',
  'weight_grams',
  'items',
  'ship_name',
  'ship_mobile',
  'ship_address1',
  'ship_address2',
  'ship_landmark',
  'ship_pincode',
  'ship_city',
  'ship_state',
  'placed_at',
  'cancelled_at',
  'cancelled_by',
  'returned_at',
] as const satisfies readonly (keyof Orders)[];

/** The columns that the view adds to those of the order. Its generated types are all nullable. */
interface AddedColumns {
  is_guest: boolean;
  customer_name: string | null;
  customer_mobile: string;
  rider_id: string | null;
  rider_name: string | null;
  bags: number | null;
  wrong_codes: number;
  received_paise: Paise;
  version: number;
}

const ADDED_COLUMNS = {
  is_guest: true,
  customer_name: true,
  customer_mobile: true,
  rider_id: true,
  rider_name: true,
  bags: true,
  wrong_codes: true,
  received_paise: true,
  version: true,
} as const satisfies Record<keyof AddedColumns, true>;

/** A row of the view. */
export type DeskOrderRow = Pick<Selectable<Orders>, (typeof STORED_COLUMNS)[number]> & AddedColumns;

const ORDER_COLUMNS = [...STORED_COLUMNS, ...Object.keys(ADDED_COLUMNS)];

const orderColumnsSql = sql.join(ORDER_COLUMNS.map((name) => sql.ref(name)));

/** The staff's part of an event, and the payment that it names. */
interface EventAuthor {
  staff_id: string | null;
  staff_name: string | null;
  device_at: Date | null;
  note: string | null;
  payment_method: string | null;
  payment_paise: Paise | null;
  counted_bags: number | null;
  /** The present role of the person who counted bags. Null for other events. */
  counter_role: Role | null;
}

/** An event with its author. */
export type HistoryRow = OrderEvent & EventAuthor;

/** Returns undefined for an unknown order. */
export async function findDeskOrder(db: Db, orderid: string): Promise<DeskOrderRow | undefined> {
  const { rows } = await sql<DeskOrderRow>`select ${orderColumnsSql} from desk_orders where id = ${orderid}`.execute(db);
  return rows[0];
}

/** Returns whether an order of the customer's account is delivered. */
export async function hasDelivered(db: Db, customerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from desk_orders
     where customer_id = ${customerId} and stage = ${'delivered' satisfies Stage} and not is_guest limit 1`.execute(db);
  return rows.length > 0;
}

const counterRoleSql = sql<Role | null>`case when bags is not null then ${memberRoleSql(sql.ref('staff_id'))} end`;

/** Returns the events of an order with their authors, the oldest first. Empty if it is unknown. */
export async function listHistory(db: Db, orderid: string): Promise<HistoryRow[]> {
  const { rows } = await sql<EventRow & EventAuthor>`
    select id, kind, stage, data, at, staff_id, staff_name, device_at, note, payment_method, payment_paise, bags as counted_bags,
           ${counterRoleSql} as counter_role
      from desk_events where order_id = ${orderid} order by id`.execute(db);
  return rows.map(toHistoryRow);
}

const toHistoryRow = <Author extends object>({ id, kind, stage, data, at, ...author }: EventRow & Author) =>
  Object.assign(toEvent({ id, kind, stage, data, at }), author as Author);

export interface Author {
  staffId: string;
  deviceAt: Date | null;
  note: string | null;
  /** The counted bags. */
  bags: number | null;
}

/**
 * Writes the author of all events of a locked order after `version`. Returns the ids of the events.
 * The bags are stored with a weighing, a move, a return or a count only.
 */
export async function insertAuthors(
  tx: Tx,
  orderid: string,
  version: number,
  { staffId, deviceAt, note, bags }: Author,
): Promise<number[]> {
  const { rows } = await sql<{ event_id: number }>`
    insert into order_event_authors (event_id, staff_id, device_at, note, bags)
    select id, ${staffId}, ${deviceAt}::timestamptz, ${note}::text,
           case when kind in ('weighed', 'moved', 'returned', 'bags-counted') then ${bags}::smallint end
      from desk_events where order_id = ${orderid} and id > ${version}
    returning event_id`.execute(tx);
  return rows.map(({ event_id }) => event_id);
}

/** Writes values of a locked order. A missing value stays unchanged. */
export async function setHandling(tx: Tx, orderid: string, { bags, riderId }: { bags?: number | undefined; riderId?: string | null }) {
  const values = { ...(bags !== undefined && { bags }), ...(riderId !== undefined && { rider_id: riderId }) };
  if (Object.keys(values).length === 0) return;
  await tx
    .insertInto('order_handling')
    .values({ order_id: orderid, ...values })
    .onConflict((conflict) => conflict.column('order_id').doUpdateSet(values))
    .execute();
}

/** Counts a wrong hand-over code of a locked order. Returns the count. */
export async function recordWrongCode(tx: Tx, orderid: string): Promise<number> {
  const { wrong_codes } = await tx
    .insertInto('order_handling')
    .values({ order_id: orderid, wrong_codes: 1 })
    .onConflict((conflict) => conflict.column('order_id').doUpdateSet({ wrong_codes: sql`order_handling.wrong_codes + 1` }))
    .returning('wrong_codes')
    .executeTakeFirstOrThrow();
  return wrong_codes;
}

/** Sets the count of wrong hand-over codes of a locked order to 0. */
export const resetWrongCodes = (tx: Tx, orderid: string) =>
  tx.updateTable('order_handling').set({ wrong_codes: 0 }).where('order_id', '=', orderid).execute();

/** The days whose pickups and deliveries a rider sees. */
export interface RiderDays {
  yesterday: string;
  tomorrow: string;
}

export interface OrderFilter {
  stage?: Stage | undefined;
  day?: string | undefined;
  area?: Area | undefined;
  customerId?: string | undefined;
  /** Limits the orders to these. */
  ids?: readonly string[] | undefined;
  isUnpaid: boolean;
  /** Limits the orders to the cancelled ones whose clothes have to go back. */
  isToReturn: boolean;
  /** Limits the orders to those that a rider sees. */
  rider?: RiderDays | undefined;
}

export interface PageRequest {
  /** The last order of the page before. */
  after?: DayPosition | undefined;
  limit: number;
}

/**
 * An order in a list, with its events, the UPI payment that the customer reported, and the newest
 * pending payment at the gateway.
 */
export interface ListedRow extends DeskOrderRow {
  /** The oldest first. */
  events: (OrderEvent & Pick<EventAuthor, 'staff_id' | 'note' | 'counted_bags' | 'counter_role'>)[];
  upi_reference: string | null;
  upi_paise: Paise | null;
  upi_begun_at: Date | null;
  upi_reported_at: Date | null;
  online_paise: Paise | null;
  online_begun_at: Date | null;
}

const listedColumnsSql = sql.join(ORDER_COLUMNS.map((name) => sql.ref(`listed.${name}`)));

/**
 * Returns true if a list begins with the earliest pickup: the list of an open stage, or of clothes
 * to return. Other lists begin with the latest, also one of all stages.
 */
export const isEarliestFirst = ({ stage, isToReturn }: Pick<OrderFilter, 'stage' | 'isToReturn'>): boolean =>
  isToReturn || (stage !== undefined && !FINAL_STAGES.includes(stage));

/**
 * Returns a page of orders, sorted by evening and by the time at which they were placed, as
 * `isEarliestFirst` describes.
 */
export async function listDeskOrders(db: Db, filter: OrderFilter, { after, limit }: PageRequest): Promise<ListedRow[]> {
  const isAscending = isEarliestFirst(filter);
  const direction = isAscending ? sql`asc` : sql`desc`;
  const comparison = isAscending ? sql`>` : sql`<`;
  const conditions = orderConditionsSql(filter, filter.stage);
  if (after)
    conditions.push(sql<boolean>`(pickup_day, placed_at, id) ${comparison} (${after.day}::date, ${after.at}::timestamptz, ${after.id})`);
  if (filter.area && !filter.stage && !filter.ids) conditions.push(newestOfAreaSql(conditions, limit));
  // The limit is no parameter: for any limit, PostgreSQL expects a tenth of the rows. It would
  // discard the plan, and plan each request.
  const { rows } = await sql<
    Omit<ListedRow, 'events'> & { events: (EventRow & Pick<EventAuthor, 'staff_id' | 'note' | 'counted_bags' | 'counter_role'>)[] }
  >`
    select ${listedColumnsSql}, history.events,
           upi.reference as upi_reference, upi.amount_paise as upi_paise, upi.created_at as upi_begun_at, upi.reported_at as upi_reported_at,
           online.amount_paise as online_paise, online.created_at as online_begun_at
      from (select ${orderColumnsSql} from desk_orders where ${sql.join(conditions, sql` and `)}
             order by pickup_day ${direction}, placed_at ${direction}, id ${direction} limit ${sql.lit(limit)}) listed
      cross join lateral (
        select jsonb_agg(
                 jsonb_build_object('id', id, 'kind', kind, 'stage', stage, 'data', data, 'at', at, 'staff_id', staff_id, 'note', note,
                                    'counted_bags', bags, 'counter_role', ${counterRoleSql})
                 order by id) as events
          from desk_events where order_id = listed.id having count(*) > 0) history
      left join lateral (
        select reference, amount_paise, created_at, reported_at from (${reportedUpiSql}) reported
         where order_id = listed.id order by reported_at desc limit 1) upi on true
      left join lateral (${newestPendingOnlineSql(sql`listed.id`)}) online on true
     order by pickup_day ${direction}, listed.placed_at ${direction}, listed.id ${direction}`.execute(db);
  return rows.map(({ events, ...row }) => Object.assign(row, { events: events.map(toHistoryRow) }));
}

/** The filters of the orders of some stages. */
export type StageFilters = Readonly<Partial<Record<Stage, Partial<OrderFilter>>>>;

/** Returns the number of orders of each stage, each at most `MAX_COUNTED`. */
export async function readOrderCounts(
  db: Db,
  filter: OrderFilter,
  stages: readonly Stage[],
  filtersOf: StageFilters = {},
): Promise<Record<string, number>> {
  const counts = stages.map((stage) => {
    const ofStage = { ...filter, ...filtersOf[stage] };
    const conditions = orderConditionsSql(ofStage, stage);
    const { day, customerId, rider, isUnpaid, isToReturn } = ofStage;
    // In the order of an index, which the scan leaves at the limit. A bitmap of it would contain
    // every order of the stage.
    const isInOrder = !isUnpaid && !isToReturn && [day, customerId, rider].every((value) => value === undefined);
    const order = isInOrder ? sql`order by pickup_day, placed_at, id` : sql``;
    return sql`(select count(*) from (
      select from desk_order_filters where ${sql.join(conditions, sql` and `)} ${order} limit ${sql.lit(MAX_COUNTED)}) counted) as ${sql.ref(stage)}`;
  });
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db);
  return rows[0] ?? {};
}

/**
 * SQL condition: the newest orders of the area in each stage, which are found by the index of area
 * and stage.
 */
const newestOfAreaSql = (conditions: readonly RawBuilder<boolean>[], limit: number) => sql<boolean>`id in (
  select newest.id
    from unnest(${STAGE_NAMES}::text[]) as each_stage (stage)
    cross join lateral (
      select id from desk_orders where desk_orders.stage = each_stage.stage and ${sql.join(conditions, sql` and `)}
       order by pickup_day desc, placed_at desc, id desc limit ${sql.lit(limit)}) newest)`;

/**
 * Returns SQL conditions to join with "and", at least one, for `desk_order_filters` or
 * `desk_orders`. Ignores `filter.stage`: without `stage`, orders of every stage match.
 */
export function orderConditionsSql(filter: OrderFilter, stage: Stage | undefined): RawBuilder<boolean>[] {
  const { day, area, customerId, ids, isUnpaid, isToReturn, rider } = filter;
  // The index of unpaid orders does not contain the stage: only delivered ones are unpaid.
  const isImplied = isUnpaid && stage === ('delivered' satisfies Stage);
  return [
    sql<boolean>`true`,
    // Not a parameter: a plan for any stage expects many orders, and reads all to find few.
    ...(stage && !isImplied ? [sql<boolean>`stage = ${sql.lit(stage)}`] : []),
    ...(day ? [sql<boolean>`pickup_day = ${day}::date`] : []),
    ...(area ? [sql<boolean>`area = ${area}`] : []),
    ...(isUnpaid ? [sql<boolean>`is_unpaid`] : []),
    ...(isToReturn ? [isToReturnSql] : []),
    ...(customerId ? [sql<boolean>`customer_id = ${customerId}`] : []),
    // A sub-select has the same estimate for any number of ids: PostgreSQL keeps the plan.
    ...(ids ? [sql<boolean>`id = any(array(select unnest(${ids}::text[])))`] : []),
    ...(rider ? [seenByRiderIdsSql(rider)] : []),
  ];
}

/**
 * SQL condition: a pickup or delivery of today or tomorrow, an overdue one, one that was collected
 * before its day, or clothes to return. An order is delivered on the day after its pickup.
 */
export const mayRiderSeeSql = ({ yesterday, tomorrow }: RiderDays) => sql<boolean>`(
  pickup_day between ${yesterday}::date and ${tomorrow}::date
  or (stage in ('pickup', 'delivery') and (pickup_day < ${yesterday}::date or weight_grams is not null))
  or ${isToReturnSql})`;

/** SQL condition: as `mayRiderSeeSql`, for a list. Each part of the union uses its index. */
const seenByRiderIdsSql = ({ yesterday, tomorrow }: RiderDays) => sql<boolean>`id in (
  select id from desk_order_filters where pickup_day between ${yesterday}::date and ${tomorrow}::date
   union all
  select id from desk_order_filters where stage in ('pickup', 'delivery') and pickup_day < ${yesterday}::date
   union all
  select id from desk_order_filters where stage in ('pickup', 'delivery') and pickup_day > ${tomorrow}::date and weight_grams is not null
   union all
  select id from desk_order_filters where ${isToReturnSql})`;

/** Returns which of these changed orders a rider sees, or saw before their pickup was moved. */
export async function listSeenByRider(db: Db, orderids: readonly string[], days: RiderDays): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from desk_orders
     where id = any(${orderids}::text[])
       and (${mayRiderSeeSql(days)} or exists (
             select from desk_events
              where order_id = desk_orders.id and kind = ${'rescheduled' satisfies OrderEvent['kind']}
                and data ->> 'from_day' between ${days.yesterday} and ${days.tomorrow}))`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Returns true if a rider may see an order, because `mayRiderSeeSql` includes it or the rider has
 * changed it after `since`.
 */
export async function isSeenBy(
  db: Db,
  orderid: string,
  days: RiderDays,
  { staffId, since }: { staffId: string; since: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from desk_orders where id = ${orderid} and ${mayRiderSeeSql(days)}
     union all
    select from desk_events where order_id = ${orderid} and staff_id = ${staffId} and at > ${since} limit 1`.execute(db);
  return rows.length > 0;
}
