import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { clientNetwork } from '../../security/client-network.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { addReview, getReviews, getSummary, reviewError, reviewMessages as messages } from './contract.ts';
import { readSummary, writeReview, type ReviewReader } from './service.server.ts';

export function reviewRoutes(
  registerRoute: RegisterRoute,
  { db, clock, authentication, reviewReader }: { db: Db; clock: Clock; authentication: Authentication; reviewReader: ReviewReader },
) {
  registerRoute(getReviews, async (request) => {
    const { offset = 0 } = request.body;
    return succeed('The newest reviews', await reviewReader.page(offset, clientNetwork(request)));
  });

  registerRoute(getSummary, async () => succeed('Summary of the reviews', await readSummary(db)));

  registerRoute(addReview, async (request) => {
    const { userid, ...review } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    return (await writeReview(db, customer, review, clock.now())) ? succeed(messages.added, null) : fail(reviewError('too-many-reviews'));
  });
}
