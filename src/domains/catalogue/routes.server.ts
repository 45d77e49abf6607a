import type { Db } from '../../db/database.server.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { ReviewReader } from '../reviews/service.server.ts';
import { programsAndReviews } from './contract.ts';
import { readCatalogue } from './service.server.ts';

export function catalogueRoutes(registerRoute: RegisterRoute, { db, reviewReader }: { db: Db; reviewReader: ReviewReader }) {
  registerRoute(programsAndReviews, async (request) => {
    const readReviews = () => (request.body.reviews === 'best' ? reviewReader.best() : reviewReader.all(request.network));
    const [catalogue, reviews] = await Promise.all([readCatalogue(db), readReviews()]);
    return succeed('Programs and reviews', { ...catalogue, reviews });
  });
}
