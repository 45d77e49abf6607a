/** Reads and changes the reviews of all customers. Callers are authenticated by `requireStaff`. */
import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Reviews } from '../../db/tables.generated.ts';
import { selectCustomerContacts } from '../accounts/store.server.ts';
import type { TimePosition } from '../staff/desk/paging.ts';

/** An unexecuted query for reviews with their authors. */
const selectDeskReviews = (db: Db) =>
  db
    .selectFrom('reviews')
    .innerJoin(selectCustomerContacts(db).as('author'), 'author.id', 'reviews.customer_id')
    .select(['reviews.id', 'star', 'message', 'reviews.created_at', 'order_id', 'author.name', 'author.mobile'])
    .select(['hidden_at', 'hidden_reason', 'reply', 'replied_at', 'withdrawn_at']);

export interface DeskReviewRow extends Pick<
  Selectable<Reviews>,
  'id' | 'star' | 'message' | 'created_at' | 'order_id' | 'hidden_at' | 'hidden_reason' | 'reply' | 'replied_at' | 'withdrawn_at'
> {
  name: string | null;
  mobile: string;
}

export const findDeskReview = (db: Db, id: string): Promise<DeskReviewRow | undefined> =>
  selectDeskReviews(db).where('reviews.id', '=', id).executeTakeFirst();

/** Locks a review until the end of the transaction. Returns undefined for an unknown one. */
export const lockReview = (tx: Tx, id: string) =>
  tx
    .selectFrom('reviews')
    .select(['hidden_at', 'hidden_reason', 'reply', 'replied_at', 'withdrawn_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

export interface ReviewFilter {
  star?: number | undefined;
  hidden?: boolean | undefined;
}

/** Returns reviews, the newest first. */
export const listDeskReviews = (
  db: Db,
  { star, hidden }: ReviewFilter,
  { after, limit }: { after?: TimePosition | undefined; limit: number },
): Promise<DeskReviewRow[]> =>
  selectDeskReviews(db)
    .$if(star !== undefined, (query) => query.where('star', '=', star!))
    .$if(hidden !== undefined, (query) => query.where('hidden_at', hidden ? 'is not' : 'is', null))
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(reviews.created_at, reviews.id) < (${after!.at}, ${after!.id})`))
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(limit)
    .execute();

export interface Moderation {
  hidden_at: Date | null;
  hidden_reason: string | null;
  reply: string | null;
  replied_at: Date | null;
}

export const setModeration = (tx: Tx, id: string, moderation: Moderation) =>
  tx.updateTable('reviews').set(moderation).where('id', '=', id).execute();
