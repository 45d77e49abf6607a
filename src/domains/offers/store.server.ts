import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Offers } from '../../db/tables.generated.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';

/** Bounds the list. It exceeds the number of offers of any customer. */
const MAX_OFFERS = 100;

export interface StoredOffer {
  id: string;
  percent: number;
  valid_days: number;
  /** ISO text if it was read as part of a JSON value. */
  starts_at: Date | string;
}

/**
 * SQL for a query or a part of one: the offers of a customer, newest first, without those that the
 * laundry ended.
 */
export const newestOffersSql = (customer: SignedInCustomer) => sql<StoredOffer>`(
  select id, percent, valid_days, starts_at from offers
   where customer_id = ${customer.id} and ended_at is null order by starts_at desc, id desc limit ${sql.lit(MAX_OFFERS)})`;

/** Returns the rows of `newestOffersSql`. */
export const listNewestOffers = async (db: Db, customer: SignedInCustomer): Promise<StoredOffer[]> =>
  (await newestOffersSql(customer).execute(db)).rows;

/** For the laundry only: the newest offers of any customer, newest first. */
export const listGrantedOffers = (db: Db, customerId: string, limit: number) =>
  db
    .selectFrom('offers')
    .select(['id', 'percent', 'valid_days', 'starts_at', 'ended_at', 'reason'])
    .where('customer_id', '=', customerId)
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Returns false if an offer with this id exists. */
export async function insertOffer(db: Db, offer: Insertable<Offers>): Promise<boolean> {
  const row = await db
    .insertInto('offers')
    .values(offer)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** For the laundry only: an offer of any customer. */
export const findOffer = (db: Db, id: string) =>
  db
    .selectFrom('offers')
    .select(['id', 'customer_id', 'percent', 'valid_days', 'starts_at', 'ended_at', 'reason'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns false if the offer was ended before or does not exist. */
export async function setOfferEnd(tx: Tx, id: string, endedAt: Date): Promise<boolean> {
  const query = tx.updateTable('offers').set({ ended_at: endedAt }).where('id', '=', id).where('ended_at', 'is', null);
  return (await query.returning('id').executeTakeFirst()) !== undefined;
}

/** Removes what the staff wrote about a customer's offers. */
export const eraseReasonsOfOffers = (tx: Tx, customerId: string) =>
  tx.updateTable('offers').set({ reason: 'erased' }).where('customer_id', '=', customerId).execute();

/** For the export of a customer's data. */
export const listStoredOffers = (db: Db, customerId: string) =>
  db
    .selectFrom('offers')
    .select(['percent', 'valid_days', 'starts_at', 'ended_at', 'reason'])
    .where('customer_id', '=', customerId)
    .execute();
