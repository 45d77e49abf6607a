import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { NewOrderEvent } from './rules.ts';

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
