/** The search of the staff for orders: by number, name or mobile. */
import { sql, type RawBuilder } from 'kysely';
import { addDays } from '../../lib/dates.ts';
import type { Db } from '../../db/database.server.ts';
import { STAGES, type Stage } from '../orders/contract.ts';
import type { DayPosition } from '../staff/desk/paging.ts';
import { isOpenSql } from '../orders/store.server.ts';
import { ORDERS_PER_PAGE } from './desk/contract.ts';
import { isShortCode, SHORT_CODE_LENGTH } from './desk/short-code.ts';
import {
  isEarliestFirst,
  mayRiderSeeSql,
  listDeskOrders,
  orderConditionsSql,
  type ListedRow,
  type OrderFilter,
  type PageRequest,
} from './store.server.ts';

/** Bounds the orders of a short search. The newest are those that the staff works on. */
const MAX_FOUND = 200;

/** Bounds the orders among which a short code is searched: the labels of earlier ones are gone. */
const SHORT_CODE_DAYS = 28;
const MAX_WITH_SHORT_CODE = 30_000;

interface FoundOrder {
  id: string;
  stage: Stage;
  pickup_day: string;
  placed_at: Date;
}

/**
 * Returns a page of the found orders, and the number of found orders of each stage. Each
 * comparison, such as that of the mobile, finds the newest `MAX_FOUND` orders only.
 */
export async function readFoundOrders(
  db: Db,
  { search, today }: { search: string; today: string },
  { stage, rider, ...filter }: OrderFilter,
  page: PageRequest,
): Promise<{ rows: ListedRow[]; counts: Record<string, number> }> {
  const conditions = [...orderConditionsSql(filter, undefined), ...(rider ? [mayRiderSeeSql(rider)] : [])];
  const { rows: found } = await sql<FoundOrder>`
    select distinct id, stage, pickup_day, placed_at from (${foundSql({ search, today }, rider ? isOpenSql : undefined)}) found
     where ${sql.join(conditions, sql` and `)}`.execute(db);
  const ids = listIdsOfPage(found, { ...filter, stage }, page);
  const rows = ids.length > 0 ? await listDeskOrders(db, { ...filter, stage, ids }, page) : [];
  return { rows, counts: Object.fromEntries(STAGES.map((each) => [each.stage, found.filter((row) => row.stage === each.stage).length])) };
}

/** Returns the ids of the orders that `listDeskOrders` has on a page. */
function listIdsOfPage(found: readonly FoundOrder[], filter: OrderFilter, { after, limit }: PageRequest): string[] {
  const sign = isEarliestFirst(filter) ? 1 : -1;
  const positionOf = ({ pickup_day: day, placed_at: at, id }: FoundOrder): DayPosition => ({ day, at, id });
  const compareTexts = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);
  const compare = (one: DayPosition, other: DayPosition) =>
    sign * (compareTexts(one.day, other.day) || one.at.getTime() - other.at.getTime() || compareTexts(one.id, other.id));
  return found
    .filter((row) => filter.stage === undefined || row.stage === filter.stage)
    .filter((row) => after === undefined || compare(positionOf(row), after) > 0)
    .toSorted((one, other) => compare(positionOf(one), positionOf(other)))
    .slice(0, limit)
    .map(({ id }) => id);
}

/** The columns that the conditions of a search name. */
const FOUND_COLUMNS = sql`id, customer_id, area, stage, pickup_day, weight_grams, returned_at, is_unpaid, placed_at`;

const newestFirstSql = sql`order by pickup_day desc, placed_at desc, id desc limit ${sql.lit(MAX_FOUND)}`;

/**
 * Returns SQL for the newest orders that meet a condition. Without `offset 0`, the plan reads all
 * orders by day for a name that few or none have.
 */
const newestSql = (condition: RawBuilder<boolean>): RawBuilder<unknown> => sql`(
  select ${FOUND_COLUMNS} from (
    select ${FOUND_COLUMNS} from desk_order_filters where ${condition} offset 0) each ${newestFirstSql})`;

/**
 * Returns SQL for the newest orders with all these words in the name. The lateral join reads the
 * periods from the newest to the oldest, and the limit ends it, so that a frequent name reads few
 * more orders than it finds. docs/decisions/0099.
 */
const withWordsSql = (words: string): RawBuilder<unknown> => sql`(
  select ${FOUND_COLUMNS}
    from (select tsvector_to_array(to_tsvector('simple', ${words})) as words) searched
    cross join (select search_period(min(pickup_day)) as oldest, search_period(max(pickup_day)) as newest from desk_order_filters) of_orders
    cross join lateral generate_series(of_orders.newest, of_orders.oldest, -1) period
    cross join lateral ${newestSql(sql`period_words @> array(select period || '/' || word from unnest(searched.words) word)`)} found
   where cardinality(searched.words) > 0
   limit ${sql.lit(MAX_FOUND)})`;

/**
 * Returns SQL for the orders with this number, open and recent ones whose number ends with this
 * short code, those with these words in the name, or whose mobile begins with these digits.
 * Beginnings of words count too if whole words find less than a page. `mobileCondition` limits the
 * orders that a mobile finds.
 */
function foundSql(
  { search, today }: { search: string; today: string },
  mobileCondition: RawBuilder<boolean> = sql`true`,
): RawBuilder<unknown> {
  const text = search.trim();
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const beginnings = words.map((word) => `${word}:*`).join(' & ');
  // The range equals `like '<digits>%'`, but a generic plan can use its index. ':' follows '9'. A
  // generic plan expects many numbers in a range: PostgreSQL would plan each search again.
  const hasMobile = text.length === 10 ? sql`ship_mobile = ${text}` : sql`ship_mobile ~>=~ ${text} and ship_mobile ~<~ ${`${text}:`}`;
  const hasCode = sql`right(id, ${sql.lit(SHORT_CODE_LENGTH)}) = ${text.toUpperCase()}`;
  const found = [
    sql`select ${FOUND_COLUMNS} from desk_order_filters where id = ${text.toUpperCase()}`,
    ...(/\p{L}/u.test(text)
      ? [
          // The index finds whole words several times faster than beginnings of words.
          sql`(with whole as materialized ${withWordsSql(words.join(' '))}
               select ${FOUND_COLUMNS} from whole union all
               select ${FOUND_COLUMNS} from ${newestSql(sql`name_words @@ to_tsquery('simple', ${beginnings})`)} begun
                where (select count(*) from whole) < ${sql.lit(ORDERS_PER_PAGE)})`,
        ]
      : []),
    // Few orders are open, and a partial index has them.
    ...(isShortCode(text)
      ? [
          sql`(select ${FOUND_COLUMNS} from desk_order_filters
               where ${isOpenSql} and ${hasCode} ${newestFirstSql})`,
          // Day and number are in one index, which is read without the table.
          sql`(select ${FOUND_COLUMNS} from desk_order_filters where id in (
                 select id from (
                   select id from desk_order_filters where pickup_day >= ${addDays(today, -SHORT_CODE_DAYS)}::date
                    order by pickup_day desc, id desc limit ${sql.lit(MAX_WITH_SHORT_CODE)}) recent
                  where ${hasCode} limit ${sql.lit(MAX_FOUND)}))`,
        ]
      : []),
    ...(/^\d{4,10}$/.test(text)
      ? [
          sql`(select ${FOUND_COLUMNS} from desk_order_filters where ${hasMobile} and ${mobileCondition} ${newestFirstSql})`,
          sql`(select ${FOUND_COLUMNS} from desk_orders where customer_mobile = ${text} and ${mobileCondition} ${newestFirstSql})`,
        ]
      : []),
  ];
  return sql.join(found, sql` union all `);
}
