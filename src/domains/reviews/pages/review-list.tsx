import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { useLoadMore } from '../../../browser/use-paginated-query.ts';
import type { Review } from '../contract.ts';
import { useReviewPages } from './loading-more.ts';
import { ReviewCard } from './review-card.tsx';

export function ReviewList({ first, action }: { first: readonly Review[]; action: ReactNode }) {
  const { t } = useLanguage();
  const { reviews, loading, loadMore, mayHaveMore } = useReviewPages(first);
  const { list, showMore } = useLoadMore({ shown: reviews.length, loading, loadMore });
  if (reviews.length === 0) {
    return <EmptyState art={<FoldedStackArt />} title={t('No reviews yet')} text={t('Be the first to say how it went.')} action={action} />;
  }
  return (
    <section aria-label={t('All reviews')} className="space-y-6">
      <ul ref={list} className="grid grid-cols-1 gap-3 md:grid-cols-2 md:gap-5">
        {reviews.map((review) => (
          <ReviewCard key={review.reviewid} review={review} />
        ))}
      </ul>
      <output className="sr-only">{t('{count} reviews are shown', { count: reviews.length })}</output>
      {mayHaveMore && (
        <Button variant="secondary" wide pending={loading} onClick={showMore}>
          {t('Load more reviews')}
        </Button>
      )}
    </section>
  );
}
