import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { RichText, useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { EmptyBasketArt } from '../../../../ui/art/empty.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { LoadMore } from '../../../../ui/actions/load-more.tsx';
import { PageBody } from '../../../../ui/layout/container.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Split } from '../../../../ui/layout/split.tsx';
import { Skeleton, SkeletonGroup } from '../../../../ui/feedback/skeleton.tsx';
import { links, type ReturnState } from '../../../../shared/links.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { usePaginatedQuery } from '../../../../browser/use-paginated-query.ts';
import { useQuery } from '../../../../browser/use-query.ts';
import { useRefetchWhileVisible } from './use-refetch-while-visible.ts';
import { LoadingFailed } from '../../../../site/loading-failed.tsx';
import { MAIN_ID } from '../../../../site/site-layout.tsx';
import { unindexedPage } from '../../../../site/page-meta.tsx';
import { textLinkStyles } from '../../../../ui/actions/link-styles.ts';
import { ConnectionLost, requireData } from '../../../../contract/call-failures.ts';
import { alertProblem } from '../../../error-reports/pages/problem.ts';
import { ForgetDevice } from '../../../accounts/pages/forget-device.tsx';
import { getMoreOrders, getOrders, orderMessages as messages, ORDERS_PER_PAGE, type Order } from '../../contract.ts';
import { isUnderWay } from '../../rules.ts';
import { OrderCard } from './order-card.tsx';
import { RequireCustomerOrGuest } from './require-customer-or-guest.tsx';
import { SeenAt, SeenNotice } from '../offline/seen-notice.tsx';
import { readSeenOrders, type SeenOrder } from '../offline/seen-orders.ts';
import { useStoreSeenOrders } from './use-seen-orders.ts';
import { ListPicture } from '../../../../ui/art/screens/list.tsx';

export const handle = unindexedPage(msg('Your orders'));

export default function OrderListPage() {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split width="text" picture={<ListPicture />} title={t('Your orders')}>
        <RequireCustomerOrGuest delay="ordersToLogin" fallback={<OrderListSkeleton />}>
          {(userid) => <OrderList key={userid} userid={userid} />}
        </RequireCustomerOrGuest>
      </Split>
    </PageBody>
  );
}

const onError = (error: unknown) => alertProblem(error, { doing: 'loading orders' });

function OrderList({ userid }: { userid: string | undefined }) {
  const { t } = useLanguage();
  const isLoaded = useRef(false);
  const query = useQuery({
    queryKey: [userid],
    async queryFn({ signal }) {
      const orders = requireData(await fetchSend(getOrders, { userid }, { signal }));
      isLoaded.current = true;
      return orders;
    },
    onError(error) {
      if (isLoaded.current) return;
      // The list of the orders seen last states it.
      if (!(error instanceof ConnectionLost && readSeenOrders().length > 0)) onError(error);
    },
  });
  useStoreSeenOrders(query.status === 'success' ? query.data : undefined);
  const isPolled = query.status === 'success' && query.data.some(isUnderWay);
  useRefetchWhileVisible(query.refetch, isPolled);
  if (query.status === 'loading') return <OrderListSkeleton />;
  if (query.status === 'error') {
    const seen = query.error instanceof ConnectionLost ? readSeenOrders() : [];
    if (seen.length > 0) return <SeenOrderList seen={seen} isGuest={userid === undefined} onRetry={() => void query.refetch()} />;
    return <LoadingFailed title={t('We could not load your orders')} onRetry={query.retry} />;
  }
  if (query.data.length === 0) return <NoOrders />;
  return (
    <div className="space-y-6">
      {userid === undefined && <GuestNotice />}
      <OrderCards newest={query.data} userid={userid} />
      {userid === undefined && <ForgetDevice />}
    </div>
  );
}

interface SeenOrderListProps {
  seen: readonly SeenOrder[];
  isGuest: boolean;
  onRetry(): void;
}

/** The orders that the customer saw last, each with its age, while there is no connection. */
function SeenOrderList({ seen, isGuest, onRetry }: SeenOrderListProps) {
  const { t } = useLanguage();
  return (
    <div className="space-y-6">
      <SeenNotice title={t('You are offline')} onRetry={onRetry}>
        {t('These are the orders that you saw last.')}
      </SeenNotice>
      <ul className="space-y-4">
        {seen.map(({ order, seenAt }) => (
          <OrderCard key={order.orderid} order={order} isGuest={isGuest} note={<SeenAt seenAt={seenAt} />} />
        ))}
      </ul>
    </div>
  );
}

/** `newest` is the first page as it is now. Its refetch keeps the later pages. */
function OrderCards({ newest, userid }: { newest: readonly Order[]; userid: string | undefined }) {
  const { t } = useLanguage();
  const [firstPage] = useState(newest);
  const query = usePaginatedQuery({
    firstPage,
    // The server returns an error after the last page. An empty page ends the list.
    async queryFn({ pageParam: offset, signal }) {
      const result = await fetchSend(getMoreOrders, { userid, offset }, { signal });
      return result.response === 'success' ? result.data : [];
    },
    getNextPageParam: (pages) =>
      pages[0].length < ORDERS_PER_PAGE || pages.at(-1)?.length === 0 ? undefined : ORDERS_PER_PAGE * pages.length,
    getRows: (rows) => rows,
    getRowId: ({ orderid }) => orderid,
    onError,
  });
  const { rows, listRef } = query;
  const later = rows.filter(({ orderid }) => newest.every((order) => order.orderid !== orderid));
  const current = [...newest, ...later];
  return (
    <>
      <ul ref={listRef} className="space-y-4">
        {current.map((order) => (
          <OrderCard key={order.orderid} order={order} isGuest={userid === undefined} />
        ))}
      </ul>
      <output className="sr-only">{t('Orders shown: {count}', { count: current.length })}</output>
      <LoadMore query={query} label={t('Load more orders')} />
    </>
  );
}

function NoOrders() {
  const { t } = useLanguage();
  return (
    <EmptyState
      art={<EmptyBasketArt />}
      title={t(messages.none)}
      text={t('Choose a service, and we will collect your clothes.')}
      action={
        <Link to={links.home()} className={buttonStyles('primary')}>
          {t('Order now')}
        </Link>
      }
    />
  );
}

function GuestNotice() {
  const { t } = useLanguage();
  return (
    <Notice tone="info">
      <RichText
        text="These are the orders of this browser. {login} to see all of yours."
        parts={{
          login: (
            <Link to={links.login()} state={{ returnTo: links.orders() } satisfies ReturnState} className={textLinkStyles}>
              {t('Log in')}
            </Link>
          ),
        }}
      />
    </Notice>
  );
}

function OrderListSkeleton() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your orders')}>
      <div className="space-y-4">
        <Skeleton shape="order" />
        <Skeleton shape="order" />
        <Skeleton shape="order" />
      </div>
    </SkeletonGroup>
  );
}
