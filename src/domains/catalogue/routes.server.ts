import { isDeepStrictEqual } from 'node:util';
import { encodeOnce, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { ReviewReader } from '../reviews/service.server.ts';
import type { SharedRead } from '../sessions/authentication.server.ts';
import { programsAndReviews } from './contract.ts';
import { readCatalogue } from './service.server.ts';

type ReviewList = Awaited<ReturnType<ReviewReader['all']>>;
type Catalogue = Awaited<ReturnType<typeof readCatalogue>>;

export function catalogueRoutes(registerRoute: RegisterRoute, { read, reviewReader }: { read: SharedRead; reviewReader: ReviewReader }) {
  const describe = (catalogue: Catalogue, reviews: ReviewList) => succeed('Programs and reviews', { ...catalogue, reviews: [...reviews] });
  let last: { catalogue: Catalogue; reviews: ReviewList; envelope: ReturnType<typeof describe> } | undefined;
  /** Responses with the same list share their bytes: many clients may read megabytes slowly. */
  const describeAll = (catalogue: Catalogue, reviews: ReviewList) => {
    if (last?.reviews === reviews && isDeepStrictEqual(last.catalogue, catalogue)) return last.envelope;
    last = { catalogue, reviews, envelope: encodeOnce(describe(catalogue, reviews)) };
    return last.envelope;
  };

  registerRoute(programsAndReviews, async (request) => {
    const isBest = request.body.reviews === 'best';
    const readReviews = () => (isBest ? reviewReader.best(request) : reviewReader.all(request));
    const [catalogue, reviews] = await Promise.all([read(request, readCatalogue), readReviews()]);
    return isBest ? describe(catalogue, reviews) : describeAll(catalogue, reviews);
  });
}
