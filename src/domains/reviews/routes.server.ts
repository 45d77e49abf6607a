import type { Clock } from '../../lib/clock.ts';
import { respond, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { addReview, getOwnReviews, getReviews, getSummary, reviewMessages as messages, withdrawReview } from './contract.ts';
import { readOwnReviews, withdrawOwnReview, writeReview, type ReviewDependencies, type ReviewReader } from './service.server.ts';

interface ReviewRouteDependencies extends ReviewDependencies {
  clock: Clock;
  authentication: Authentication;
  reviewReader: ReviewReader;
}

export function reviewRoutes(
  registerRoute: RegisterRoute,
  { clock, authentication, reviewReader, ...dependencies }: ReviewRouteDependencies,
) {
  registerRoute(getReviews, async (request) => {
    const { offset = 0 } = request.body;
    return succeed('The newest reviews', await reviewReader.page(request, offset));
  });

  registerRoute(getSummary, async (request) => succeed('Summary of the reviews', await reviewReader.summary(request)));

  registerRoute(addReview, async (request) => {
    const { userid, ...review } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    return respond(messages.added, await writeReview(dependencies, customer, review, clock.now()));
  });

  registerRoute(getOwnReviews, async (request) => {
    const { userid, orderid } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    return succeed('Your reviews', await readOwnReviews(dependencies.db, customer, orderid));
  });

  registerRoute(withdrawReview, async (request) => {
    const { userid, reviewid } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    return respond(messages.withdrawn, await withdrawOwnReview(dependencies.db, customer, reviewid, clock.now()));
  });
}
