import type { Db } from '../../db/database.server.ts';
import { succeed, type Answer } from '../../contract/route.server.ts';
import { reviewsForHome } from '../reviews/service.server.ts';
import { programsAndReviews } from './contract.ts';
import { readCatalogue } from './service.server.ts';

export function catalogueRoutes(answer: Answer, { db }: { db: Db }) {
  answer(programsAndReviews, async () => {
    const [catalogue, reviews] = await Promise.all([readCatalogue(db), reviewsForHome(db)]);
    return succeed('Programs and reviews', { ...catalogue, reviews });
  });
}
