import { useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { links, type ReturnState } from '../../../../shared/links.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { FoldedStackArt } from '../../../../ui/art/moments.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../../../ui/feedback/skeleton.tsx';
import { CallRefused, ConnectionLost, FailedCall } from '../../../../contract/call-failures.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { endTabSession } from '../../../../browser/session-user.ts';
import { useQuery } from '../../../../browser/use-query.ts';
import { reportProblem } from '../../../error-reports/pages/problem.ts';
import { getOrder, orderMessages as messages, type Order } from '../../contract.ts';
import { readSeenOrders } from '../offline/seen-orders.ts';
import { SeenAt, SeenNotice } from '../offline/seen-notice.tsx';
import { UnknownOrder } from './unknown-order.tsx';
import { useStoreSeenOrders } from './use-seen-orders.ts';

interface FetchedOrderProps {
  /** Undefined for a guest. */
  userid: string | undefined;
  orderid: string;
  /** `refetch` loads the order again. */
  children(order: Order, refetch: () => Promise<unknown>): ReactNode;
}

/**
 * Loads an order and renders it, or its loading, error or not-found state. Without a connection it
 * renders the order as the customer saw it last, and its age.
 */
export function FetchedOrder({ userid, orderid, children }: FetchedOrderProps) {
  const { t } = useLanguage();
  const wasLoaded = useRef(false);
  const [isInAccount, setInAccount] = useState(false);
  const query = useQuery({
    queryKey: [userid, orderid],
    async queryFn({ signal }): Promise<readonly Order[]> {
      const result = await fetchSend(getOrder, { userid, orderid }, { signal });
      wasLoaded.current = true;
      return result.response === 'success' ? result.data : [];
    },
    onError(error) {
      if (!(error instanceof CallRefused)) reportProblem(error, { doing: 'loading an order' });
      // A sign-up with the number of the guest ends the guest's session.
      else if (error.code === 'login-required' && userid === undefined && wasLoaded.current) setInAccount(true);
      else if (error.code === 'login-required') endTabSession();
    },
  });

  const loaded = query.status === 'success' ? query.data : undefined;
  useStoreSeenOrders(loaded);
  if (isInAccount) return <OrderInAccount orderid={orderid} />;
  if (query.status === 'loading') return <OrderSkeleton />;
  if (loaded?.length === 0) return <UnknownOrder orderid={orderid} />;
  const isCurrent = query.status === 'success' && !query.isRefetchError;
  const seen = isCurrent ? undefined : readSeenOrders().find(({ order }) => order.orderid === orderid);
  const order = loaded?.[0] ?? (query.status === 'error' && query.error instanceof ConnectionLost ? seen?.order : undefined);
  if (!order) return <Failed error={query.status === 'error' && query.error} onRetry={query.retry} />;
  return (
    <div className="space-y-4 lg:space-y-6">
      {!isCurrent && (
        <SeenNotice title={t('We could not update this order')} onRetry={() => void query.refetch()}>
          {seen ? <SeenAt seenAt={seen.seenAt} /> : t('Please try again in a moment.')}
        </SeenNotice>
      )}
      {children(order, query.refetch)}
    </div>
  );
}

/**
 * Asks the guest to log in, because a sign-up with the mobile has moved the order to an account.
 */
function OrderInAccount({ orderid }: { orderid: string }) {
  const { t } = useLanguage();
  return (
    <EmptyState
      art={<FoldedStackArt />}
      title={t('This order is in an account now')}
      text={t('The mobile number of this order has an account. Log in with it to see the order.')}
      action={
        <Link to={links.login()} state={{ returnTo: links.order(orderid) } satisfies ReturnState} className={buttonStyles('primary')}>
          {t('Login')}
        </Link>
      }
    />
  );
}

function causeOf({ t, formatMessage }: Language, error: unknown): string {
  if (error instanceof FailedCall) return formatMessage(error);
  if (error instanceof ConnectionLost) return t('Failed to fetch');
  return error instanceof Error ? error.message : String(error);
}

function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const language = useLanguage();
  const { t } = language;
  return (
    <Notice
      tone="bad"
      live
      action={
        <Button variant="secondary" size="small" onClick={onRetry}>
          {t('Try again')}
        </Button>
      }
    >
      {t(messages.detailFailed, { cause: causeOf(language, error) })}
    </Notice>
  );
}

export function OrderSkeleton() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your order')}>
      <div className="grid gap-4 lg:grid-cols-[3fr_2fr] lg:gap-6">
        <div className="lg:col-span-2">
          <Skeleton shape="order" />
        </div>
        <Skeleton shape="card" />
        <Skeleton shape="order" />
      </div>
    </SkeletonGroup>
  );
}
