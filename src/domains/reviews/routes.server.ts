import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { addReview, getReviews, getSummary, reviewError, reviewMessages as messages } from './contract.ts';
import { readReviews, readSummary, writeReview } from './service.server.ts';

export function reviewRoutes(
  registerRoute: RegisterRoute,
  { db, clock, authentication }: { db: Db; clock: Clock; authentication: Authentication },
) {
  registerRoute(getReviews, async (request) => succeed('The newest reviews', await readReviews(db, request.body.offset ?? 0)));

  registerRoute(getSummary, async () => succeed('Summary of the reviews', await readSummary(db)));

  registerRoute(addReview, async (request) => {
    const { userid, ...review } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    return (await writeReview(db, customer, review, clock.now())) ? succeed(messages.added, null) : fail(reviewError('too-many-reviews'));
  });
}
