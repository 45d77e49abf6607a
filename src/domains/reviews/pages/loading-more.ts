/** The reviews after the first page, one page at a time. */
import { useState } from 'react';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getReviews, REVIEWS_PER_PAGE, type Review } from '../contract.ts';

interface LaterPages {
  /** The first page they follow: when that is read again, they are gone. */
  readonly of: readonly Review[];
  readonly rows: readonly Review[];
  readonly end: boolean;
}

export function useReviewPages(first: readonly Review[]) {
  const [pages, setPages] = useState<LaterPages>({ of: first, rows: [], end: false });
  const [loading, setLoading] = useState(false);
  const later = pages.of === first ? pages : { of: first, rows: [], end: false };
  const rows = [...first, ...later.rows];

  const loadMore = async () => {
    setLoading(true);
    try {
      const { fetchSend } = await import('../../../browser/client.ts');
      const more = (await fetchSend(getReviews, { offset: rows.length })).data ?? [];
      setPages({ of: first, rows: [...later.rows, ...more], end: more.length < REVIEWS_PER_PAGE });
    } catch (error) {
      alertProblem(error, { doing: 'loading more reviews' });
    } finally {
      setLoading(false);
    }
  };

  // A review that was written meanwhile moves the others down: the first of the next page was seen already.
  const reviews = [...new Map(rows.map((review) => [review.reviewid, review])).values()];
  return { reviews, loading, loadMore, mayHaveMore: !later.end && rows.length >= REVIEWS_PER_PAGE };
}
