/** The search of the staff for orders: by number, name or mobile. */
import { sql, type RawBuilder } from 'kysely';
import { ORDERS_PER_PAGE } from './desk/contract.ts';

/** Bounds the orders of a short search. The newest are those that the staff works on. */
const MAX_FOUND = 200;

/**
 * Returns SQL for the ids of orders with this number, with these words in the name, or whose mobile
 * begins with these digits. Beginnings of words count too if whole words find less than a page.
 * `mobileCondition` limits the orders that a mobile finds.
 */
export function foundSql(search: string, mobileCondition: RawBuilder<boolean> = sql`true`): RawBuilder<unknown> {
  const text = search.trim();
  const newest = sql`order by pickup_day desc, id desc limit ${sql.lit(MAX_FOUND)}`;
  // `offset 0`: without it, the plan reads all orders by day for a name that few or none have.
  const namedSql = (query: string) => sql`(
    select id from (
      select id, pickup_day from desk_orders where name_words @@ to_tsquery('simple', ${query}) offset 0) named ${newest})`;
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const found = [
    sql`select id from desk_orders where id = ${text.toUpperCase()}`,
    ...(/\p{L}/u.test(text)
      ? [
          // The index finds whole words several times faster than beginnings of words.
          sql`(with whole as materialized ${namedSql(words.join(' & '))}
               select id from whole union all
               select id from ${namedSql(words.map((word) => `${word}:*`).join(' & '))} begun
                where (select count(*) from whole) < ${sql.lit(ORDERS_PER_PAGE)})`,
        ]
      : []),
    ...(/^\d{4,10}$/.test(text)
      ? [
          // Equals `like '<digits>%'`, but a generic plan can use its index. ':' follows '9'.
          sql`(select id from desk_orders
                where ship_mobile ~>=~ ${text} and ship_mobile ~<~ ${`${text}:`} and ${mobileCondition} ${newest})`,
          sql`(select id from desk_orders where customer_mobile = ${text} and ${mobileCondition} ${newest})`,
        ]
      : []),
  ];
  return sql.join(found, sql` union all `);
}
