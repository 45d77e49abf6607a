import type { Insertable } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import type { Reviews } from '../../db/tables.generated.ts';
import { customerNames } from '../accounts/store.server.ts';

/** The newest reviews of at least four stars. */
export const bestReviews = (db: Db, most: number) =>
  db
    .selectFrom('reviews')
    .innerJoin(customerNames(db).as('author'), 'author.id', 'reviews.customer_id')
    .select(['author.name', 'reviews.star', 'reviews.message', 'reviews.created_at'])
    .where('reviews.star', '>=', 4)
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(most)
    .execute();

export const insertReview = (db: Db, review: Insertable<Reviews>) => db.insertInto('reviews').values(review).execute();
