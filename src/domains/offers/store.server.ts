import type { Expression, Insertable } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import type { Offers } from '../../db/tables.generated.ts';

/** More than anyone is given; so a list stays short whatever happens. */
const MOST_OFFERS = 100;

/** A query, not yet run, newest first: placing an order reads it together with what else it needs. */
export const newestOffersOf = (db: Db, customer: { readonly id: string | Expression<string> }) =>
  db
    .selectFrom('offers')
    .select(['id', 'percent', 'valid_days', 'starts_at'])
    .where('customer_id', '=', customer.id)
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_OFFERS);

/** False when there is an offer with this id. */
export async function insertOffer(db: Db, offer: Insertable<Offers>): Promise<boolean> {
  const row = await db
    .insertInto('offers')
    .values(offer)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
