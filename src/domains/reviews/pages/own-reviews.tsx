import { useEffectEvent, useLayoutEffect } from 'react';
import { fetchSend } from '../../../browser/client.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { requireData } from '../../../contract/call-failures.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { getOwnReviews } from '../contract.ts';
import { ReviewCard } from './review-card.tsx';
import { ReviewReply } from './review-reply.tsx';
import { WithdrawReview } from './withdraw-review.tsx';

interface OwnReviewsProps {
  userid: string;
  /** Changes when the customer has written a review. */
  version: number;
  /** Called with the ids that are shown, so that the page shows these reviews once. */
  onShown(reviewids: ReadonlySet<string>): void;
  onWithdrawn(): void;
}

/** The reviews of the customer, who can withdraw them. Nothing without one. */
export function OwnReviews({ userid, version, onShown, onWithdrawn }: OwnReviewsProps) {
  const { t } = useLanguage();
  const region = useKeptFocus();
  const query = useQuery({
    queryKey: [userid, String(version)],
    queryFn: async ({ signal }) => requireData(await fetchSend(getOwnReviews, { userid }, { signal })),
    // The rest of the page is complete without them.
    onError: (error) => reportProblem(error, { doing: 'loading own reviews' }),
  });
  const reviews = query.status === 'success' ? query.data : undefined;
  const reportShown = useEffectEvent(onShown);
  useLayoutEffect(() => {
    reportShown(new Set(reviews?.map(({ reviewid }) => reviewid)));
    return () => reportShown(new Set());
  }, [reviews]);
  if (query.status !== 'success' || query.data.length === 0) return null;
  return (
    <section ref={region} aria-labelledby="own-reviews" tabIndex={-1} className="space-y-3">
      <h2 id="own-reviews" className="text-lg font-semibold">
        {t('Your reviews')}
      </h2>
      <ul className="grid grid-cols-1 gap-3 md:grid-cols-2 md:gap-5">
        {query.data.map((review) => (
          <ReviewCard key={review.reviewid} review={review}>
            <ReviewReply text={review.reply} />
            <WithdrawReview
              userid={userid}
              of={{ reviewid: review.reviewid }}
              onWithdrawn={() => {
                void query.refetch();
                onWithdrawn();
              }}
            />
          </ReviewCard>
        ))}
      </ul>
    </section>
  );
}
