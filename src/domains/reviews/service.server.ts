import type { Db } from '../../db/database.server.ts';
import { kolkataDateTime } from '../../kit/dates.ts';
import type { Review } from './contract.ts';
import { bestReviews } from './store.server.ts';

/** The home page shows at most three reviews of four stars or more (specification section 9). */
const MOST_ON_HOME = 3;

export async function reviewsForHome(db: Db): Promise<Review[]> {
  const rows = await bestReviews(db, MOST_ON_HOME);
  return rows.map((row) => ({
    name: row.name ?? '',
    star_rating: row.star,
    message: row.message,
    review_added: kolkataDateTime(row.created_at),
  }));
}
