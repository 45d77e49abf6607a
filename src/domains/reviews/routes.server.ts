import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type Answer } from '../../contract/route.server.ts';
import type { Gate } from '../sessions/authentication.server.ts';
import { addReview, getReviews, getSummary, reviewMessages as messages } from './contract.ts';
import { readReviews, readSummary, writeReview } from './service.server.ts';

export function reviewRoutes(answer: Answer, { db, clock, gate }: { db: Db; clock: Clock; gate: Gate }) {
  answer(getReviews, async (request) => succeed('The newest reviews', await readReviews(db, request.body.offset ?? 0)));

  answer(getSummary, async () => succeed('Summary of the reviews', await readSummary(db)));

  answer(addReview, async (request) => {
    const { userid, ...review } = request.body;
    const customer = await gate.customer(request, userid);
    return (await writeReview(db, customer, review, clock.now())) ? succeed(messages.added, null) : fail(messages.enoughToday);
  });
}
