import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '../../contract/outcome.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { DAY_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import { limitMarks, publicName } from '../../lib/customer-text.ts';
import { kolkataDateTime, startOfKolkataDay } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import type { Client } from '../../security/client.ts';
import { concurrencyLimitByClient } from '../../security/concurrency-limit.server.ts';
import { lockCaller } from '../accounts/locks-service.server.ts';
import type { SharedRead, SignedInCustomer } from '../sessions/authentication.server.ts';
import {
  MAX_LISTED_REVIEWS,
  MAX_OWN_REVIEWS,
  MAX_REVIEWS_PER_DAY,
  REVIEWS_PER_PAGE,
  reviewError,
  type ListedReview,
  type OwnReview,
  type Review,
  type Summary,
} from './contract.ts';
import { summarizeStars } from './rules.ts';
import {
  listBestReviews,
  findReviewOfOrder,
  insertReview,
  listReviewCounts,
  selectReviewPage,
  listReviewsByCustomer,
  listOwnReviews,
  setWithdrawn,
} from './store.server.ts';

const MAX_ON_HOME = 3;

const readPage = async (db: Db, offset: number, limit: number): Promise<ListedReview[]> =>
  (await selectReviewPage(db, offset, limit).execute()).map(toResponseReview);

/**
 * Late pages and long lists take up to a tenth of a second, so that many networks which read them
 * must not use all database connections. The first page is cheap and never waits.
 */
const LONG_READS = {
  total: { concurrent: 2, queued: 40 },
  perNetwork: { concurrent: 1, queued: 5 },
  perBlock: { concurrent: 1, queued: 15 },
} as const;

const LIST_LIFETIME_SECONDS = 5;

export interface ReviewReader {
  /** Returns at most `REVIEWS_PER_PAGE` reviews. */
  page(client: Client, offset: number): Promise<ListedReview[]>;
  /**
   * Returns all reviews, up to `MAX_LISTED_REVIEWS`. A long list is read once in some seconds and
   * is the same array until it changes, so that many responses share it. Its first page is always
   * current.
   */
  all(client: Client): Promise<readonly Review[]>;
  /** Returns at most three reviews of four stars or more (specification section 9). */
  best(client: Client): Promise<Review[]>;
  summary(client: Client): Promise<Summary>;
}

/**
 * Reads reviews, newest first. Limits the long reads of a network and its block: beyond the limits,
 * they throw `QueueFull`.
 */
export function createReviewReader(read: SharedRead, clock: Clock): ReviewReader {
  let cached: { reviews: readonly ListedReview[]; at: Date } | undefined;
  const isFresh = ({ reviews, at }: NonNullable<typeof cached>, first: readonly ListedReview[]) => {
    const ageSeconds = (clock.now().getTime() - at.getTime()) / 1000;
    return ageSeconds >= 0 && ageSeconds < LIST_LIFETIME_SECONDS && isDeepStrictEqual(reviews.slice(0, first.length), first);
  };
  const runLimited = concurrencyLimitByClient(LONG_READS);
  const readPageFor = (client: Client, offset: number, limit: number) => read(client, (db) => readPage(db, offset, limit));
  const readLong = (client: Client, offset: number, limit: number) => runLimited(client.network, () => readPageFor(client, offset, limit));
  return {
    page: (client: Client, offset: number) =>
      offset === 0 ? readPageFor(client, 0, REVIEWS_PER_PAGE) : readLong(client, offset, REVIEWS_PER_PAGE),
    async all(client: Client): Promise<readonly Review[]> {
      const first = await readPageFor(client, 0, REVIEWS_PER_PAGE);
      if (first.length < REVIEWS_PER_PAGE) return first;
      if (cached && isFresh(cached, first)) return cached.reviews;
      const at = clock.now();
      const reviews = await readLong(client, 0, MAX_LISTED_REVIEWS);
      // Another request may have read an equal list meanwhile.
      cached = { reviews: cached && isDeepStrictEqual(cached.reviews, reviews) ? cached.reviews : reviews, at };
      return cached.reviews;
    },
    best: async (client: Client) => (await read(client, (db) => listBestReviews(db, MAX_ON_HOME))).map(toResponseReview),
    summary: (client: Client) => read(client, readSummary),
  };
}

const readSummary = async (db: Db): Promise<Summary> =>
  summarizeStars(new Map((await listReviewCounts(db)).map(({ star, reviews }) => [star, reviews])));

interface ReviewRow {
  id: string;
  name: string | null;
  star: number;
  message: string;
  created_at: Date;
  order_id: string | null;
  reply: string | null;
}

const toResponseReview = (row: ReviewRow): ListedReview => ({
  reviewid: row.id,
  name: publicName(row.name ?? ''),
  star_rating: row.star,
  message: limitMarks(row.message),
  review_added: kolkataDateTime(row.created_at),
  verified: row.order_id !== null,
  reply: row.reply,
});

const toOwnReview = (row: ReviewRow): OwnReview => ({ ...toResponseReview(row), orderid: row.order_id });

export interface ReviewDependencies {
  db: Db;
  /** Returns true if the order is the customer's and delivered. */
  isDelivered(tx: Tx, customer: SignedInCustomer, orderid: string): Promise<boolean>;
}

export interface NewReview {
  star: number;
  message: string;
  /** The order that the review is about. */
  orderid?: string | undefined;
}

/**
 * Stores a review, at most one of a delivered order and `MAX_REVIEWS_PER_DAY` of a customer in a
 * day. An equal review of the same day is a retry, which succeeds without a second row. A withdrawn
 * review can be written again. The lock of the customer serializes reviews and changes of the
 * customer's orders. Throws `ApiError` (unauthenticated) if the customer was erased.
 */
export const writeReview = (
  { db, isDelivered }: ReviewDependencies,
  customer: SignedInCustomer,
  { orderid, ...input }: NewReview,
  now: Date,
): Promise<Outcome<null, 'order-not-delivered' | 'order-reviewed' | 'too-many-reviews'>> =>
  transaction(db, async (tx) => {
    await lockCaller(tx, customer, 'update');
    if (orderid !== undefined && !(await isDelivered(tx, customer, orderid))) return { error: reviewError('order-not-delivered') };
    const from = startOfKolkataDay(now);
    const today = await listReviewsByCustomer(tx, customer, { from, to: addSeconds(from, DAY_SECONDS) });
    const order_id = orderid ?? null;
    const shown = today.filter((row) => row.withdrawn_at === null);
    const isRetry = shown.some((row) => row.star === input.star && row.message === input.message && row.order_id === order_id);
    if (isRetry) return { data: null };
    if (order_id !== null && (await findReviewOfOrder(tx, order_id))) return { error: reviewError('order-reviewed') };
    if (today.length >= MAX_REVIEWS_PER_DAY) return { error: reviewError('too-many-reviews') };
    await insertReview(tx, { id: newId(), customer_id: customer.id, created_at: now, order_id, ...input });
    return { data: null };
  });

/** Returns the newest reviews of the customer that are not withdrawn, hidden ones too. */
export const readOwnReviews = async (db: Db, customer: SignedInCustomer, orderid: string | undefined): Promise<OwnReview[]> =>
  (await listOwnReviews(db, customer, { orderid, limit: MAX_OWN_REVIEWS })).map(toOwnReview);

/** Withdraws a review of the customer. Succeeds if it is withdrawn already. */
export const withdrawOwnReview = async (
  db: Db,
  customer: SignedInCustomer,
  reviewid: string,
  now: Date,
): Promise<Outcome<null, 'unknown-review'>> =>
  (await setWithdrawn(db, customer, reviewid, now)) ? { data: null } : { error: reviewError('unknown-review') };

/** Each text names itself a sample, so that the demonstration shows no invented praise. */
const SAMPLES = [
  { star: 3, message: 'This is a sample review: everything clean, but the rider rang twice before finding the gate.' },
  { star: 5, message: 'This is a sample review: the rider came at five, and everything was back the next evening.' },
  { star: 4, message: 'This is a sample review: shirts crisp and neatly folded. I would like an earlier slot as well.' },
  { star: 5, message: 'This is a sample review: weighed at my door, paid exactly what the page said.' },
] as const;

/** Inserts the reviews of a demonstration. Each call inserts them again. */
export async function writeSampleReviews(db: Db, customerId: string, now: Date): Promise<void> {
  for (const [index, review] of SAMPLES.entries()) {
    await insertReview(db, { id: newId(), customer_id: customerId, sample: true, created_at: addSeconds(now, index), ...review });
  }
}
