import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { LoadMore } from '../../../ui/actions/load-more.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { usePaginatedQuery } from '../../../browser/use-paginated-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getReviews, REVIEWS_PER_PAGE, type ListedReview } from '../contract.ts';
import { ReviewCard } from './review-card.tsx';
import { ReviewReply } from './review-reply.tsx';

interface ReviewListProps {
  firstPage: readonly ListedReview[];
  /** Ids of the reviews that the page shows above the list. */
  shownAbove: ReadonlySet<string>;
  emptyAction: ReactNode;
}

export function ReviewList({ firstPage, shownAbove, emptyAction }: ReviewListProps) {
  const { t, plural } = useLanguage();
  const query = usePaginatedQuery({
    firstPage,
    async queryFn({ pageParam: offset, signal }) {
      const { fetchSend } = await import('../../../browser/client.ts');
      return (await fetchSend(getReviews, { offset }, { signal })).data ?? [];
    },
    getNextPageParam: (pages) => (pages.at(-1)!.length < REVIEWS_PER_PAGE ? undefined : REVIEWS_PER_PAGE * pages.length),
    getRows: (rows) => rows,
    getRowId: ({ reviewid }) => reviewid,
    onError: (error) => alertProblem(error, { doing: 'loading more reviews' }),
  });
  const { rows, listRef } = query;
  const shown = rows.filter(({ reviewid }) => !shownAbove.has(reviewid));
  if (rows.length === 0) {
    return (
      <EmptyState art={<FoldedStackArt />} title={t('No reviews yet')} text={t('Be the first to say how it went.')} action={emptyAction} />
    );
  }
  if (shown.length === 0 && !query.hasNextPage) return null;
  return (
    <section aria-label={t('All reviews')} className="space-y-6">
      <ul ref={listRef} className="grid grid-cols-1 gap-3 md:grid-cols-2 md:gap-5">
        {shown.map((review) => (
          <ReviewCard key={review.reviewid} review={review}>
            <ReviewReply text={review.reply} />
          </ReviewCard>
        ))}
      </ul>
      <output className="sr-only">
        {plural(shown.length, { one: '{count} review is shown', other: '{count} reviews are shown' }, { count: shown.length })}
      </output>
      <LoadMore query={query} label={t('Load more reviews')} />
    </section>
  );
}
