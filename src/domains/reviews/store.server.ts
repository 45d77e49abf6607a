import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Reviews } from '../../db/tables.generated.ts';
import { customerNames } from '../accounts/store.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';

/** The newest reviews of at least four stars. */
export const bestReviews = (db: Db, most: number) => shown(db, newest(db, most).where('star', '>=', 4)).execute();

/** `most` reviews from the `offset` newest on. A query, not yet run. */
export const reviewsFrom = (db: Db, offset: number, most: number) => shown(db, newest(db, most).offset(offset));

/**
 * Only ids, which the index holds: what is skipped on the way to a late page is never read from the table. The number of rows is written into the statement,
 * so that PostgreSQL plans for so few; as a parameter it would count for a tenth of all reviews, and all of them would be read.
 */
const newest = (db: Db, most: number) =>
  db.selectFrom('reviews').select(['id', 'created_at']).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(sql.lit(most));

const shown = (db: Db, page: ReturnType<typeof newest>) =>
  db
    .selectFrom(page.as('page'))
    .innerJoin('reviews', 'reviews.id', 'page.id')
    .innerJoin(customerNames(db).as('author'), 'author.id', 'reviews.customer_id')
    .select(['reviews.id', 'author.name', 'reviews.star', 'reviews.message', 'reviews.created_at'])
    .orderBy('page.created_at', 'desc')
    .orderBy('page.id', 'desc');

/** Five rows, kept by the table's own triggers. */
export const reviewCounts = (db: Db) => db.selectFrom('review_counts').select(['star', 'reviews']).execute();

export const reviewsOfSince = (tx: Tx, customer: SignedInCustomer, since: Date) =>
  tx.selectFrom('reviews').select(['star', 'message']).where('customer_id', '=', customer.id).where('created_at', '>=', since).execute();

export const insertReview = (db: Db, review: Insertable<Reviews>) => db.insertInto('reviews').values(review).execute();
