/** Reads what follows a failed visit. docs/decisions/0073. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import { STEP_KINDS } from './rules.ts';

/** Returns the last step of an order. */
export const findLastStep = (db: Db, orderid: string) =>
  db
    .selectFrom('order_events')
    .select(['kind', sql<string | null>`data ->> 'delivery_day'`.as('delivery_day')])
    .where('order_id', '=', orderid)
    .where((event) => event.or([event('stage', 'is not', null), event('kind', 'in', STEP_KINDS)]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
