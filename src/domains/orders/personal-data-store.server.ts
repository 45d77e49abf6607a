import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import { PERSONAL_FIELDS } from './events-store.server.ts';
import { isOpenSql } from './store.server.ts';

/**
 * Returns orders and their events for the export of a customer's data, the oldest first. `orderIds`
 * must not be empty.
 */
export const readStoredOrders = async (db: Db, orderIds: readonly string[]) => ({
  orders: await db
    .selectFrom('orders')
    .select(['id', 'program_name', 'area', 'rate_paise', 'offer_percent', 'timeslot', 'pickup_day', 'detergent', 'conditioner', 'iron'])
    .select(['stage', 'weight_grams', 'items', 'placed_at', 'cancelled_at', 'cancelled_by', 'returned_at'])
    .select(['ship_name', 'ship_mobile', 'ship_address1', 'ship_address2', 'ship_landmark', 'ship_pincode', 'ship_city', 'ship_state'])
    .where('id', 'in', orderIds)
    .orderBy('placed_at')
    .execute(),
  events: await db
    .selectFrom('order_events')
    .select(['order_id', 'kind', 'stage', 'data', 'at'])
    .where('order_id', 'in', orderIds)
    .orderBy('id')
    .execute(),
});

const selectIds = (db: Db, customerId: string) => db.selectFrom('orders').select('id').where('customer_id', '=', customerId);

/** SQL for a part of a query: the ids of the orders of a customer. */
export const orderIdsSql = (customerId: string) => sql<string>`(select id from orders where customer_id = ${customerId})`;

/** Returns the ids of all orders of a customer, with the guest orders of that mobile. */
export const listOrderIds = async (db: Db, customerId: string): Promise<string[]> =>
  (await selectIds(db, customerId).execute()).map(({ id }) => id);

/**
 * Returns the orders that the present owner of the mobile may see: those of the account, and the
 * guest orders that a fresh proof of the mobile would assign to it, those placed after a time.
 */
export const listOrderIdsOfMobileOwner = async (db: Db, customerId: string, placedAfter: Date): Promise<string[]> =>
  (await selectIdsOfMobileOwner(db, customerId, placedAfter).execute()).map(({ id }) => id);

/** Returns the delivered, unpaid ones of `listOrderIdsOfMobileOwner`. */
export const listUnpaidOrderIdsOfMobileOwner = async (db: Db, customerId: string, placedAfter: Date): Promise<string[]> =>
  (await selectIdsOfMobileOwner(db, customerId, placedAfter).where('is_unpaid', '=', true).execute()).map(({ id }) => id);

const selectIdsOfMobileOwner = (db: Db, customerId: string, placedAfter: Date) =>
  selectIds(db, customerId).where((eb) => eb.or([eb('guest_session_hash', 'is', null), eb('placed_at', '>', placedAfter)]));

/** Returns the ids of the orders whose clothes the laundry has or has to collect. */
export const listOpenOrderIds = async (db: Db, customerId: string): Promise<string[]> =>
  (await selectIds(db, customerId).where(isOpenSql).execute()).map(({ id }) => id);

/** Returns the ids of the orders of the account, without guest orders that it has not claimed. */
export const listAccountOrders = (db: Db, customerId: string) =>
  selectIds(db, customerId).where('guest_session_hash', 'is', null).execute();

/** Moves orders to another customer. `orderIds` must not be empty. */
export const setCustomerOfOrders = (tx: Tx, { orderIds, to }: { orderIds: readonly string[]; to: string }) =>
  tx.updateTable('orders').set({ customer_id: to }).where('id', 'in', orderIds).execute();

/**
 * Erases name and address lines of a customer's orders and the words of the staff in their events,
 * replaces the mobile by `pseudonym`, ends the access of guest sessions, deletes the idempotency
 * keys, and notifies open pages. Pincode, city, state, area, days, weights and amounts stay.
 */
export async function erasePersonalDataOfOrders(tx: Tx, customerId: string, pseudonym: string) {
  const nothing = { ship_address1: '', ship_address2: '', ship_landmark: '' };
  await tx
    .updateTable('orders')
    .set({ ...nothing, ship_name: '', ship_mobile: pseudonym, guest_session_hash: null })
    .where('customer_id', '=', customerId)
    .execute();
  await sql`update order_events set data = data - ${PERSONAL_FIELDS}::text[]
    where data ?| ${PERSONAL_FIELDS}::text[] and order_id in (select id from orders where customer_id = ${customerId})`.execute(tx);
  await tx.deleteFrom('idempotency_keys').where('customer_id', '=', customerId).execute();
  await sql`select pg_notify('order_events', id) from orders where customer_id = ${customerId}`.execute(tx);
}
