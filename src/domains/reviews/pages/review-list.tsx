import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { LoadMore } from '../../../ui/actions/load-more.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { usePaginatedQuery } from '../../../browser/use-paginated-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getReviews, REVIEWS_PER_PAGE, type ListedReview } from '../contract.ts';
import { ReviewCard } from './review-card.tsx';

function Reply({ text }: { text: string }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <div className="rounded-field bg-accent-soft p-3">
      <p className="text-sm font-semibold">{t('Reply from {brand}', { brand: brand.name })}</p>
      <p dir="auto" className="wrap-anywhere whitespace-pre-line">
        {text}
      </p>
    </div>
  );
}

export function ReviewList({ firstPage, emptyAction }: { firstPage: readonly ListedReview[]; emptyAction: ReactNode }) {
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
  if (rows.length === 0) {
    return (
      <EmptyState art={<FoldedStackArt />} title={t('No reviews yet')} text={t('Be the first to say how it went.')} action={emptyAction} />
    );
  }
  return (
    <section aria-label={t('All reviews')} className="space-y-6">
      <ul ref={listRef} className="grid grid-cols-1 gap-3 md:grid-cols-2 md:gap-5">
        {rows.map((review) => (
          <ReviewCard key={review.reviewid} review={review}>
            {review.reply !== null && <Reply text={review.reply} />}
          </ReviewCard>
        ))}
      </ul>
      <output className="sr-only">
        {plural(rows.length, { one: '{count} review is shown', other: '{count} reviews are shown' }, { count: rows.length })}
      </output>
      <LoadMore query={query} label={t('Load more reviews')} />
    </section>
  );
}
