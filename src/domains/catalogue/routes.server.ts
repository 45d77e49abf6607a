import type { Db } from '../../db/database.server.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { reviewsForHome } from '../reviews/service.server.ts';
import { programsAndReviews } from './contract.ts';
import { readCatalogue } from './service.server.ts';

export function catalogueRoutes(registerRoute: RegisterRoute, { db }: { db: Db }) {
  registerRoute(programsAndReviews, async () => {
    const [catalogue, reviews] = await Promise.all([readCatalogue(db), reviewsForHome(db)]);
    return succeed('Programs and reviews', { ...catalogue, reviews });
  });
}
