import { Suspense, useState } from 'react';
import { data, useRevalidator } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';
import { sendContext } from '../../../shared/router-context.ts';
import { lazyComponent } from '../../../browser/lazy-component.ts';
import { useSessionUser } from '../../../browser/session-user.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import type { Route } from './+types/reviews.ts';
import { RatingSummary } from './rating-summary.tsx';
import { ReviewList } from './review-list.tsx';
import { loadReviews, statusOf } from './reviews-data.ts';
import { ReviewsFailed } from './reviews-failed.tsx';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: pageTitle(t('Reviews'), brand) },
    {
      name: 'description',
      content: t('What customers in Manesar and Vatika India Next, Gurugram, say about {brand}.', { brand: brand.name }),
    },
  ],
};

export async function loader({ context }: Route.LoaderArgs) {
  // The server logs the failed call.
  const loaded = await loadReviews(context.get(sendContext), () => {});
  return data(loaded, { status: statusOf(loaded) });
}

export async function clientLoader() {
  const { fetchSend } = await import('../../../browser/client.ts');
  return loadReviews(fetchSend, (error) => reportProblem(error, { doing: 'loading reviews' }));
}

/** Loaded when the button receives the pointer or the focus. */
const WriteReview = lazyComponent(async () => (await import('./write-review.tsx')).WriteReview);

/** Only customers with an account have reviews. */
const OwnReviews = lazyComponent(async () => (await import('./own-reviews.tsx')).OwnReviews);

const NONE: ReadonlySet<string> = new Set();

export default function Reviews({ loaderData: { reviews, summary, isConnectionLost } }: Route.ComponentProps) {
  const { t } = useLanguage();
  const { revalidate } = useRevalidator();
  const userid = useSessionUser()?.userid;
  const [ownIds, setOwnIds] = useState<ReadonlySet<string>>(NONE);
  const [written, setWritten] = useState(0);
  const [writing, setWriting] = useState<'never' | 'open' | 'closed'>('never');
  const writeButton = (
    <Button variant="primary" onPointerEnter={WriteReview.preload} onFocus={WriteReview.preload} onClick={() => setWriting('open')}>
      {t('Write a Review')}
    </Button>
  );
  return (
    <PageBody id={MAIN_ID} width="wide">
      <PageHeading title={t('Reviews')} text={t('Written by customers with an account, shown as they wrote them.')} actions={writeButton} />
      {reviews && summary ? (
        <>
          <RatingSummary summary={summary} />
          {userid !== undefined && (
            <Suspense>
              <OwnReviews userid={userid} version={written} onShown={setOwnIds} onWithdrawn={() => void revalidate()} />
            </Suspense>
          )}
          <ReviewList firstPage={reviews} shownAbove={ownIds} emptyAction={writeButton} />
        </>
      ) : isConnectionLost ? (
        <LoadingFailed title={t('No internet connection')} live onRetry={() => void revalidate()} />
      ) : (
        <ReviewsFailed onRetry={() => void revalidate()} />
      )}
      {writing !== 'never' && (
        <Suspense>
          <WriteReview
            open={writing === 'open'}
            onClose={() => setWriting('closed')}
            onPosted={() => {
              setWritten(written + 1);
              void revalidate();
            }}
          />
        </Suspense>
      )}
    </PageBody>
  );
}
