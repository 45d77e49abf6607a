import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { links } from '../../../shared/links.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { BackToOrder } from '../../orders/pages/following/back-to-order.tsx';
import { useOrderEvents } from '../../orders/pages/following/use-order-events.ts';
import { RequireCustomerOrGuest } from '../../orders/pages/following/require-customer-or-guest.tsx';
import { UnknownOrder } from '../../orders/pages/following/unknown-order.tsx';
import { useClaimDraft } from './claim-draft.ts';
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
        width="text"
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
  const [sentReports, setSentReports] = useState(0);
  if (query.status === 'loading') return <ClaimsSkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load your reports')} onRetry={query.retry} />;
  if (!query.data) return <UnknownOrder orderid={orderid} />;
  const showReports = async () => {
    await query.refetch();
    list.current?.focus();
  };
  const showNewReport = async () => {
    await showReports();
    setSentReports((count) => count + 1);
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
      <NewReport key={sentReports} orderid={orderid} reported={query.data.map(({ kind }) => kind)}>
        <ClaimForm orderid={orderid} userid={userid} onReported={() => void showNewReport()} />
      </NewReport>
      <Link to={links.promise()} className={standaloneLinkStyles}>
        {t('Our promise')}
      </Link>
    </>
  );
}

interface NewReportProps {
  orderid: string;
  /** The kinds of the reports that the order has. */
  reported: readonly string[];
  /** The form. */
  children: ReactNode;
}

/** The form of the first report. That of another one is behind a button, unless it was begun. */
function NewReport({ orderid, reported, children }: NewReportProps) {
  const { t } = useLanguage();
  const heading = useRef<HTMLHeadingElement>(null);
  const { kind, message, photos } = useClaimDraft(orderid);
  const linkedKind = new URLSearchParams(useLocation().search).get('kind');
  const isBegun = kind !== '' || message !== '' || photos.length > 0 || (linkedKind !== null && !reported.includes(linkedKind));
  const [isOpened, setOpened] = useState(false);
  const open = () => {
    flushSync(() => setOpened(true));
    heading.current?.focus();
  };
  if (!isOpened && !isBegun && reported.length > 0) {
    return (
      <Button variant="secondary" wide onClick={open}>
        {t('Report another problem')}
      </Button>
    );
  }
  return (
    <Card as="section">
      {reported.length > 0 && (
        <h2 ref={heading} tabIndex={-1} className="mb-4 text-xl font-bold outline-none">
          {t('Report another problem')}
        </h2>
      )}
      {children}
    </Card>
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
