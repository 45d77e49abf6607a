/** The numbers of orders that are collected or brought back on each evening. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Stage } from './contract.ts';
import { ORDER_EVENTS } from './events-contract.ts';
import { isOpenSql } from './store.server.ts';

/** SQL condition: the same as `isAwaitingPickup`. */
const isAwaitingPickupSql = sql<boolean>`stage = ${sql.lit('pickup' satisfies Stage)} and weight_grams is null`;

/**
 * Returns the number of orders of each evening from `from` to `to`, both included: those that are
 * not cancelled, or were cancelled after the weighing, and how many of them are not collected. An
 * evening without orders has no row.
 */
export const listOrderCountsOfEvenings = (db: Db, from: string, to: string) =>
  db
    .selectFrom('orders')
    .select([
      'area',
      'pickup_day as day',
      sql<number>`count(*)::int`.as('booked'),
      sql<number>`(count(*) filter (where ${isAwaitingPickupSql}))::int`.as('to_collect'),
    ])
    .where('pickup_day', '>=', from)
    .where('pickup_day', '<=', to)
    .where((eb) => eb.or([eb('stage', '<>', 'cancelled'), eb('weight_grams', 'is not', null)]))
    .groupBy(['area', 'pickup_day'])
    .execute();

const SUPERSEDING_KINDS = Object.entries(ORDER_EVENTS).flatMap(([kind, { supersedesVisit }]) => (supersedesVisit ? kind : []));

/**
 * Returns the number of orders that are to be brought back on each evening from `from` to `to`,
 * both included. The evening is the day of `back_by` of `deriveProgress`: a test compares the two.
 * An evening without orders has no row.
 */
export async function listReturnCountsOfEvenings(db: Db, from: string, to: string) {
  const { rows } = await sql<{ area: string; day: string; due: number }>`
    with due as (
      select area, case when stage = ${sql.lit('cancelled' satisfies Stage)}
                        then coalesce(return_day, (cancelled_at at time zone 'Asia/Kolkata')::date + 1)
                        else coalesce(chosen.day, return_day, pickup_day + 1) end as day
        from orders
        left join lateral (
          select (data ->> 'delivery_day')::date as day from order_events
           where order_id = orders.id and (stage is not null or kind in (${sql.join(SUPERSEDING_KINDS)}))
           order by id desc limit 1) chosen on true
       where ${isOpenSql})
    select area, day, count(*)::int as due from due where day between ${from}::date and ${to}::date group by area, day`.execute(db);
  return rows;
}

/** Blocks new and changed orders until the transaction ends; readers are not blocked. */
export const lockAllOrders = (tx: Tx) => sql`lock table orders in share row exclusive mode`.execute(tx);
