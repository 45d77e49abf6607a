import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Authentication, SignedInCustomer } from '../sessions/authentication.server.ts';
import { addReview, getReviews, getSummary, reviewError, reviewMessages as messages } from './contract.ts';
import { writeReview, type ReviewReader } from './service.server.ts';

interface ReviewDependencies {
  db: Db;
  clock: Clock;
  authentication: Authentication;
  reviewReader: ReviewReader;
  /** Returns true if the order is the customer's and delivered. */
  isDelivered(db: Db, customer: SignedInCustomer, orderid: string): Promise<boolean>;
}

export function reviewRoutes(registerRoute: RegisterRoute, { db, clock, authentication, reviewReader, isDelivered }: ReviewDependencies) {
  registerRoute(getReviews, async (request) => {
    const { offset = 0 } = request.body;
    return succeed('The newest reviews', await reviewReader.page(request, offset));
  });

  registerRoute(getSummary, async (request) => succeed('Summary of the reviews', await reviewReader.summary(request)));

  registerRoute(addReview, async (request) => {
    const { userid, ...review } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    if (review.orderid !== undefined && !(await isDelivered(db, customer, review.orderid))) return fail(reviewError('order-not-delivered'));
    const outcome = await writeReview(db, customer, review, clock.now());
    return outcome === 'written' ? succeed(messages.added, null) : fail(reviewError(outcome));
  });
}
