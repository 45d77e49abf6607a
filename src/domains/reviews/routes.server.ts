import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { clientNetwork } from '../../security/client-network.server.ts';
import { concurrencyLimit, concurrencyLimitByKey } from '../../security/concurrency-limit.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { addReview, getReviews, getSummary, reviewError, reviewMessages as messages } from './contract.ts';
import { readReviews, readSummary, writeReview } from './service.server.ts';

/**
 * Later pages take up to a tenth of a second, so that a crowd which reads them must not use all
 * database connections. The first page is cheap and never waits.
 */
const LATER_PAGES = { concurrent: 2, queued: 40 } as const;
const LATER_PAGES_PER_NETWORK = { concurrent: 1, queued: 5 } as const;

export function reviewRoutes(
  registerRoute: RegisterRoute,
  { db, clock, authentication }: { db: Db; clock: Clock; authentication: Authentication },
) {
  const runLimited = concurrencyLimit(LATER_PAGES);
  const runLimitedByNetwork = concurrencyLimitByKey(LATER_PAGES_PER_NETWORK);

  registerRoute(getReviews, async (request) => {
    const { offset = 0 } = request.body;
    const read = () => readReviews(db, offset);
    const reviews = offset === 0 ? await read() : await runLimitedByNetwork(clientNetwork(request), () => runLimited(read));
    return succeed('The newest reviews', reviews);
  });

  registerRoute(getSummary, async () => succeed('Summary of the reviews', await readSummary(db)));

  registerRoute(addReview, async (request) => {
    const { userid, ...review } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    return (await writeReview(db, customer, review, clock.now())) ? succeed(messages.added, null) : fail(reviewError('too-many-reviews'));
  });
}
