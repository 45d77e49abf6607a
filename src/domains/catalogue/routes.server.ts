import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { ReviewReader } from '../reviews/service.server.ts';
import type { SharedRead } from '../sessions/authentication.server.ts';
import { programsAndReviews } from './contract.ts';
import { readCatalogue } from './service.server.ts';

export function catalogueRoutes(registerRoute: RegisterRoute, { read, reviewReader }: { read: SharedRead; reviewReader: ReviewReader }) {
  registerRoute(programsAndReviews, async (request) => {
    const readReviews = () => (request.body.reviews === 'best' ? reviewReader.best(request) : reviewReader.all(request));
    const [catalogue, reviews] = await Promise.all([read(request, readCatalogue), readReviews()]);
    return succeed('Programs and reviews', { ...catalogue, reviews });
  });
}
