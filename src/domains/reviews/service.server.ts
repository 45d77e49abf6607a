import type { Db } from '../../db/database.server.ts';
import { addSeconds } from '../../kit/clock.ts';
import { kolkataDateTime } from '../../kit/dates.ts';
import type { Review } from './contract.ts';
import { newId } from '../../kit/ids.ts';
import { bestReviews, insertReview } from './store.server.ts';

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

/** Every one says itself what it is: a demonstration invents nobody's praise. */
const SAMPLES = [
  { star: 5, message: 'This is a sample review: the rider came at five, and everything was back the next evening.' },
  { star: 4, message: 'This is a sample review: shirts crisp and neatly folded. I would like an earlier slot as well.' },
  { star: 5, message: 'This is a sample review: weighed at my door, paid exactly what the page said.' },
] as const;

export async function writeSampleReviews(db: Db, customerId: string, now: Date) {
  for (const [index, review] of SAMPLES.entries()) {
    await insertReview(db, { id: newId(), customer_id: customerId, sample: true, created_at: addSeconds(now, index), ...review });
  }
}
