/** The open orders of riders. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import { isOpenSql } from '../orders/store.server.ts';

/** Returns the ids of the open orders of a rider, sorted. */
export async function listOpenOrdersOfRider(db: Db, riderId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from desk_orders where rider_id = ${riderId} and ${isOpenSql} order by id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Returns the number of open orders of each rider who has some. */
export async function countOpenOrdersByRider(db: Db): Promise<{ rider_id: string; count: number }[]> {
  const { rows } = await sql<{ rider_id: string; count: number }>`
    select rider_id, count(*)::int as count from desk_orders where rider_id is not null and ${isOpenSql} group by rider_id`.execute(db);
  return rows;
}
