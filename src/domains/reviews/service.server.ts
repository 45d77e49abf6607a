import { transaction, type Db } from '../../db/database.server.ts';
import { addSeconds } from '../../lib/clock.ts';
import { kolkataDateTime, startOfKolkataDay } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { lockCustomer } from '../accounts/store.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import { MOST_REVIEWS_A_DAY, REVIEWS_PER_PAGE, type Review, type Summary } from './contract.ts';
import { summaryOf } from './rules.ts';
import { bestReviews, insertReview, reviewCounts, reviewsFrom, reviewsOfSince } from './store.server.ts';

/** The home page shows at most three reviews of four stars or more (specification section 9). */
const MOST_ON_HOME = 3;

export const reviewsForHome = async (db: Db): Promise<Review[]> => (await bestReviews(db, MOST_ON_HOME)).map(onWire);

export const readReviews = async (db: Db, offset: number): Promise<Review[]> =>
  (await reviewsFrom(db, offset, REVIEWS_PER_PAGE).execute()).map(onWire);

export const readSummary = async (db: Db): Promise<Summary> =>
  summaryOf(new Map((await reviewCounts(db)).map(({ star, reviews }) => [star, reviews])));

interface ReviewRow {
  id: string;
  name: string | null;
  star: number;
  message: string;
  created_at: Date;
}

const onWire = (row: ReviewRow): Review => ({
  reviewid: row.id,
  name: row.name ?? '',
  star_rating: row.star,
  message: row.message,
  review_added: kolkataDateTime(row.created_at),
});

/**
 * False when the customer has written as many today as one may. The customer's row is locked first: of reviews sent at once, two could both find room for
 * the last one. The same words with the same stars on the same day are the same review, sent again because its answer was lost.
 */
export const writeReview = (db: Db, customer: SignedInCustomer, given: { star: number; message: string }, now: Date): Promise<boolean> =>
  transaction(db, async (tx) => {
    await lockCustomer(tx, customer.id);
    const today = await reviewsOfSince(tx, customer, startOfKolkataDay(now));
    if (today.some(({ star, message }) => star === given.star && message === given.message)) return true;
    if (today.length >= MOST_REVIEWS_A_DAY) return false;
    await insertReview(tx, { id: newId(), customer_id: customer.id, created_at: now, ...given });
    return true;
  });

/** Every one says itself what it is: a demonstration invents nobody's praise. */
const SAMPLES = [
  { star: 3, message: 'This is a sample review: everything clean, but the rider rang twice before finding the authentication.' },
  { star: 5, message: 'This is a sample review: the rider came at five, and everything was back the next evening.' },
  { star: 4, message: 'This is a sample review: shirts crisp and neatly folded. I would like an earlier slot as well.' },
  { star: 5, message: 'This is a sample review: weighed at my door, paid exactly what the page said.' },
] as const;

export async function writeSampleReviews(db: Db, customerId: string, now: Date) {
  for (const [index, review] of SAMPLES.entries()) {
    await insertReview(db, { id: newId(), customer_id: customerId, sample: true, created_at: addSeconds(now, index), ...review });
  }
}
