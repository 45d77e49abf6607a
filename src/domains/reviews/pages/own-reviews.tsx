import { fetchSend } from '../../../browser/client.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { requireData } from '../../../contract/call-failures.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stars } from '../../../ui/layout/stars.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { getOwnReviews } from '../contract.ts';
import { WithdrawReview } from './withdraw-review.tsx';

interface OwnReviewsProps {
  userid: string;
  /** Changes when the customer has written a review. */
  version: number;
  onWithdrawn(): void;
}

/** The reviews of the customer, who can withdraw them. Nothing without one. */
export function OwnReviews({ userid, version, onWithdrawn }: OwnReviewsProps) {
  const { t, day } = useLanguage();
  const region = useKeptFocus();
  const query = useQuery({
    queryKey: [userid, String(version)],
    queryFn: async ({ signal }) => requireData(await fetchSend(getOwnReviews, { userid }, { signal })),
    // The rest of the page is complete without them.
    onError: (error) => reportProblem(error, { doing: 'loading own reviews' }),
  });
  if (query.status !== 'success' || query.data.length === 0) return null;
  return (
    <section ref={region} aria-labelledby="own-reviews" tabIndex={-1} className="space-y-3">
      <h2 id="own-reviews" className="text-lg font-semibold">
        {t('Your reviews')}
      </h2>
      <ul className="grid grid-cols-1 gap-3 md:grid-cols-2 md:gap-5">
        {query.data.map(({ reviewid, star_rating: stars, message, review_added: date }) => (
          <Card key={reviewid} as="li">
            <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
              <Stars rating={stars} />
              {day(date)}
            </p>
            <p dir="auto" className="my-3 contain-paint wrap-anywhere whitespace-pre-line">
              {message}
            </p>
            <WithdrawReview
              userid={userid}
              of={{ reviewid }}
              onWithdrawn={() => {
                void query.refetch();
                onWithdrawn();
              }}
            />
          </Card>
        ))}
      </ul>
    </section>
  );
}
