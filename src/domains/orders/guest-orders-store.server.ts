/** The orders of guests: the sessions that they belong to, and their assignment to an account. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import { sessionExistsSql } from '../sessions/store.server.ts';
import { SHIP_TO, toAddressCopy } from './store.server.ts';

interface GuestProof {
  /** The customer of the mobile that this browser has just proved. */
  customerId: string;
  sessionHash: Buffer;
  /** The session of this browser before. */
  replacedSessionHash?: Buffer | undefined;
  /** The earliest order of the number that another session may have placed. */
  placedAfter: Date;
}

/**
 * Moves to a new guest session the orders of the session that it replaces, and those of its number
 * whose session has ended.
 */
export const setSessionOfGuestOrders = (db: Db, { customerId, sessionHash, replacedSessionHash, placedAfter }: GuestProof) =>
  db
    .updateTable('orders')
    .set({ guest_session_hash: sessionHash })
    .where(
      sql<boolean>`guest_session_hash = ${replacedSessionHash ?? null}
        or (customer_id = ${customerId} and guest_session_hash is not null and placed_at > ${placedAfter}
            and not ${sessionExistsSql(sql.ref('guest_session_hash'))})`,
    )
    .execute();

/** The guest orders that may be assigned to an account. */
export interface AssignableOrders {
  customerId: string;
  /** The orders of this guest session, and of any browser those placed after this time. */
  sessionHash?: Buffer | undefined;
  placedAfter?: Date | undefined;
}

const isAssignableSql = ({ customerId, sessionHash, placedAfter }: AssignableOrders) => sql<boolean>`
  customer_id = ${customerId} and guest_session_hash is not null
  and (guest_session_hash = ${sessionHash ?? null} or placed_at > ${placedAfter ?? null}::timestamptz)`;

/** Moves the matching guest orders to the account of their mobile. Returns their ids. */
export async function assignOrders(tx: Tx, orders: AssignableOrders): Promise<string[]> {
  const assigned = tx.updateTable('orders').set({ guest_session_hash: null }).where(isAssignableSql(orders));
  return (await assigned.returning('id').execute()).map(({ id }) => id);
}

/**
 * Returns the address of the newest of these orders, with its area. Undefined if none exists.
 * `ids` must not be empty.
 */
export async function findNewestAddress(tx: Tx, ids: readonly string[]) {
  const orders = tx
    .selectFrom('orders')
    .select([...SHIP_TO, 'area'])
    .where('id', 'in', ids);
  const newest = await orders.orderBy('placed_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return newest && { ...toAddressCopy(newest), area: newest.area };
}

/** Returns whether the customer has an order that is not assigned to an account. */
export const hasGuestOrders = async (db: Db, customerId: string): Promise<boolean> =>
  (await sql`select from orders where customer_id = ${customerId} and guest_session_hash is not null limit 1`.execute(db)).rows.length > 0;

/** Returns the name in the address of the newest assignable order, undefined without one. */
export async function findNewestAssignableName(db: Db, assignable: AssignableOrders): Promise<string | undefined> {
  const orders = db.selectFrom('orders').select('ship_name').where(isAssignableSql(assignable));
  return (await orders.orderBy('placed_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst())?.ship_name;
}
