import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { LostSockArt } from '../../../../ui/art/empty.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../../../ui/feedback/skeleton.tsx';
import { CallRefused } from '../../../../contract/call-failures.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { links } from '../../../../shared/links.ts';
import { forgetSession } from '../../../../browser/session-user.ts';
import { useQuery } from '../../../../browser/use-query.ts';
import { reportProblem } from '../../../error-reports/pages/problem.ts';
import { getOrder, orderError, orderMessages as messages, type Order } from '../../contract.ts';

interface FetchedOrderProps {
  /** Undefined for a guest. */
  userid: string | undefined;
  orderid: string;
  children(order: Order, query: FetchedOrderQuery): ReactNode;
}

export interface FetchedOrderQuery {
  /** Loads the order again. */
  refetch(): Promise<unknown>;
  /** The order can be out of date. */
  isRefetchError: boolean;
}

/** Loads an order and renders it, or its loading, error or not-found state. */
export function FetchedOrder({ userid, orderid, children }: FetchedOrderProps) {
  const query = useQuery({
    queryKey: [userid, orderid],
    async queryFn({ signal }): Promise<Order | null> {
      const result = await fetchSend(getOrder, { userid, orderid }, { signal });
      return result.response === 'success' ? (result.data[0] ?? null) : null;
    },
    onError(error) {
      if (!(error instanceof CallRefused)) reportProblem(error, { doing: 'loading an order' });
      else if (error.code === 'login-required') forgetSession();
    },
  });

  switch (query.status) {
    case 'loading':
      return <OrderSkeleton />;
    case 'error':
      return <Failed error={query.error} onRetry={query.retry} />;
    case 'success':
      if (!query.data) return <Missing orderid={orderid} />;
      return children(query.data, { refetch: query.refetch, isRefetchError: query.isRefetchError });
  }
}

function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const { t, formatMessage, translateData } = useLanguage();
  const cause = error instanceof CallRefused ? formatMessage(error) : translateData(error instanceof Error ? error.message : String(error));
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
      {t(messages.detailFailed, { cause })}
    </Notice>
  );
}

function Missing({ orderid }: { orderid: string }) {
  const { t, formatMessage } = useLanguage();
  return (
    <EmptyState
      art={<LostSockArt />}
      title={formatMessage(orderError('order-not-found', { orderid }))}
      action={
        <Link to={links.orders()} className={buttonStyles('primary')}>
          {t('See your orders')}
        </Link>
      }
    />
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
