import { sql, type Insertable, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Reviews } from '../../db/tables.generated.ts';
import { selectCustomerNames } from '../accounts/store.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';

/** Returns the newest reviews of at least four stars that are not hidden. */
export const listBestReviews = (db: Db, limit: number) =>
  selectWithAuthors(db, selectNewestIds(db, limit).where('star', '>=', 4)).execute();

/**
 * Builds the query of one page of the reviews that are not hidden, newest first, with the names of
 * their authors.
 */
export const selectReviewPage = (db: Db, offset: number, limit: number) => selectWithAuthors(db, selectNewestIds(db, limit).offset(offset));

/**
 * Selects ids only, which the index contains, so the rows before a late page are not read from the
 * table. The limit is a literal in the SQL text: for a parameter, PostgreSQL assumes a tenth of all
 * rows and plans a scan of the whole table.
 */
const selectNewestIds = (db: Db, limit: number) =>
  db
    .selectFrom('reviews')
    .select(['id', 'created_at'])
    .where('hidden_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(limit));

/** Builds the query of the reviews whose ids `page` selects, with the names of their authors. */
const selectWithAuthors = (db: Db, page: ReturnType<typeof selectNewestIds>) =>
  db
    .selectFrom(page.as('page'))
    .innerJoin('reviews', 'reviews.id', 'page.id')
    .innerJoin(selectCustomerNames(db).as('author'), 'author.id', 'reviews.customer_id')
    .select(['reviews.id', 'author.name', 'reviews.star', 'reviews.message', 'reviews.created_at', 'reviews.order_id', 'reviews.reply'])
    .orderBy('page.created_at', 'desc')
    .orderBy('page.id', 'desc');

/** Returns five rows. Triggers of the reviews table update them. */
export const listReviewCounts = (db: Db) => db.selectFrom('review_counts').select(['star', 'reviews']).execute();

/** Returns what the customer wrote from `from` on and before `to`, withdrawn reviews too. */
export const listReviewsByCustomer = (tx: Tx, customer: SignedInCustomer, { from, to }: { from: Date; to: Date }) =>
  tx
    .selectFrom('reviews')
    .select(['star', 'message', 'order_id', 'withdrawn_at'])
    .where('customer_id', '=', customer.id)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .execute();

export const findReviewOfOrder = (db: Db, orderid: string) =>
  db.selectFrom('reviews').select(['id', 'star']).where('order_id', '=', orderid).executeTakeFirst();

/** SQL for a part of a query: the stars of the review of an order, null without one. */
export const starsOfOrderSql = (orderId: RawBuilder<string>) => sql<number | null>`(select star from reviews where order_id = ${orderId})`;

/** Returns reviews of the customer that are not withdrawn, with the name, the newest first. */
export const listOwnReviews = (db: Db, customer: SignedInCustomer, { orderid, limit }: { orderid?: string | undefined; limit: number }) =>
  db
    .selectFrom('reviews')
    .innerJoin(selectCustomerNames(db).as('author'), 'author.id', 'reviews.customer_id')
    .select(['reviews.id', 'author.name', 'star', 'message', 'created_at', 'order_id', 'reply'])
    .where('customer_id', '=', customer.id)
    .where('withdrawn_at', 'is', null)
    .$if(orderid !== undefined, (query) => query.where('order_id', '=', orderid!))
    .orderBy('created_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(limit)
    .execute();

/** The constraint of hidden reviews requires a reason. Nothing shows this one. */
const WITHDRAWN = 'Withdrawn by the customer';

/**
 * Hides a review of the customer for good, so that a trigger takes it out of the counts, and
 * releases its order. The row stays: it counts for the limit of its day, and an erasure finds its
 * rows of the audit. Returns false if the customer has no such review.
 */
export async function setWithdrawn(db: Db, customer: SignedInCustomer, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reviews')
    .set(({ fn, val }) => ({
      withdrawn_at: fn.coalesce('withdrawn_at', val(now)),
      hidden_at: fn.coalesce('hidden_at', val(now)),
      hidden_reason: fn.coalesce('hidden_reason', val(WITHDRAWN)),
      order_id: null,
    }))
    .where('id', '=', id)
    .where('customer_id', '=', customer.id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const insertReview = (db: Db, review: Insertable<Reviews>) => db.insertInto('reviews').values(review).execute();

/** For the export of a customer's data. */
export const listReviews = (db: Db, customerId: string) =>
  db
    .selectFrom('reviews')
    .select(['star', 'message', 'order_id', 'created_at', 'withdrawn_at'])
    .where('customer_id', '=', customerId)
    .execute();

/** Returns the ids of the deleted reviews. */
export async function deleteReviewsOf(tx: Tx, customerId: string): Promise<string[]> {
  const deleted = await tx.deleteFrom('reviews').where('customer_id', '=', customerId).returning('id').execute();
  return deleted.map(({ id }) => id);
}
