import { useRef } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { links } from '../../../shared/links.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { BackToOrder } from '../../orders/pages/following/back-to-order.tsx';
import { useOrderEvents } from '../../orders/pages/following/use-order-events.ts';
import { RequireCustomerOrGuest } from '../../orders/pages/following/require-customer-or-guest.tsx';
import { UnknownOrder } from '../../orders/pages/following/unknown-order.tsx';
import { ClaimCard } from './claim-card.tsx';
import { ClaimForm } from './claim-form.tsx';
import type { Route } from './+types/order-claims.ts';
import { useClaims } from './use-claims.ts';
import { ChatPicture } from '../../../ui/art/screens/chat.tsx';

export const handle = unindexedPage(msg('Report a problem'));

/** The claims of an order with their threads, and the form for a new one. */
export default function OrderClaimsPage({ params: { orderid } }: Route.ComponentProps) {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split
        width="reading"
        picture={<ChatPicture />}
        title={t('Report a problem')}
        text={t('A person reads every report and answers within 48 hours.')}
        back={<BackToOrder orderid={orderid} />}
      >
        <RequireCustomerOrGuest delay="orderToLogin" alertTitle={t('User not found')} fallback={<ClaimsSkeleton />}>
          {(userid) => <Claims key={`${userid} ${orderid}`} userid={userid} orderid={orderid} />}
        </RequireCustomerOrGuest>
      </Split>
    </PageBody>
  );
}

function Claims({ userid, orderid }: { userid: string | undefined; orderid: string }) {
  const { t } = useLanguage();
  const query = useClaims(userid, orderid);
  // Only its customer may follow the order.
  const isKnown = query.status === 'success' && query.data !== null;
  useOrderEvents(isKnown ? { orderid, version: 0 } : null, () => void query.refetch());
  const list = useRef<HTMLElement>(null);
  if (query.status === 'loading') return <ClaimsSkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load your reports')} onRetry={query.retry} />;
  if (!query.data) return <UnknownOrder orderid={orderid} />;
  const showReports = async () => {
    await query.refetch();
    list.current?.focus();
  };
  return (
    <>
      <section ref={list} tabIndex={-1} aria-label={t('Your reports')} className="outline-none">
        {query.isRefetchError && <LoadingFailed live title={t('We could not load your reports')} onRetry={() => void query.refetch()} />}
        {query.data.length > 0 && (
          <>
            <h2 className="mb-3 text-xl font-bold">{t('Your reports')}</h2>
            <ul className="space-y-4">
              {query.data.map((claim) => (
                <ClaimCard key={claim.claimid} claim={claim} userid={userid} onReplied={() => void showReports()} />
              ))}
            </ul>
          </>
        )}
      </section>
      <Card as="section">
        {query.data.length > 0 && <h2 className="mb-4 text-xl font-bold">{t('Report another problem')}</h2>}
        <ClaimForm orderid={orderid} userid={userid} onReported={() => void showReports()} />
      </Card>
      <Link to={links.promise()} className={standaloneLinkStyles}>
        {t('Our promise')}
      </Link>
    </>
  );
}

function ClaimsSkeleton() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your reports')}>
      <Skeleton shape="field" />
      <Skeleton shape="card" />
    </SkeletonGroup>
  );
}
