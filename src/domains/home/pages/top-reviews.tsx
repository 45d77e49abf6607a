import { Suspense } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { ChevronRightIcon } from '../../../ui/icons/chevron.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { links } from '../../../shared/links.ts';
import { lazyComponent } from '../../../browser/lazy-component.ts';
import type { Review } from '../../reviews/contract.ts';
import { ReviewCard } from '../../reviews/pages/review-card.tsx';

/** Loaded on demand, because most visits do not need it. */
const ReviewsFailed = lazyComponent(async () => (await import('../../reviews/pages/reviews-failed.tsx')).ReviewsFailed);

/**
 * At most three reviews of four stars or more, newest first (specification section 9). Without one,
 * only the link to all reviews.
 */
export function TopReviews({ reviews }: { reviews: readonly Review[] | null }) {
  const { t } = useLanguage();
  if (reviews?.length === 0) return <AllReviews />;
  return (
    <section aria-labelledby="reviews-title" className="below-fold space-y-4 pt-4">
      <h2 id="reviews-title" className="text-title font-bold">
        {t('What customers say')}
      </h2>
      {reviews ? (
        <ul className="grid grid-cols-1 gap-3 md:grid-cols-3 md:gap-5">
          {reviews.map((review) => (
            <ReviewCard key={review.reviewid} review={review} />
          ))}
        </ul>
      ) : (
        <Suspense>
          <ReviewsFailed />
        </Suspense>
      )}
      <AllReviews />
    </section>
  );
}

function AllReviews() {
  const { t } = useLanguage();
  return (
    <Link to={links.reviews()} className={standaloneLinkStyles}>
      {t('All reviews')}
      <ChevronRightIcon small />
    </Link>
  );
}
