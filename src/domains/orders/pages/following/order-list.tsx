import { Link } from 'react-router';
import { Mixed, useLanguage } from '../../../../i18n/language.tsx';
import { EmptyBasketArt } from '../../../../ui/art/empty.tsx';
import { buttonLook } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { PageBody } from '../../../../ui/layout/container.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { PageHeading } from '../../../../ui/layout/page-heading.tsx';
import { Skeleton, SkeletonGroup } from '../../../../ui/feedback/skeleton.tsx';
import { links, type ReturnState } from '../../../../browser/links.ts';
import { useLoadMore } from '../../../../browser/use-paginated-query.ts';
import { LoadingFailed } from '../../../../site/loading-failed.tsx';
import { MAIN_ID } from '../../../../site/site-layout.tsx';
import type { PageHandle } from '../../../../site/page-meta.tsx';
import { textLinkLook } from '../../../../ui/actions/link-styles.ts';
import { orderMessages as messages, ORDERS_PER_PAGE, type Order } from '../../contract.ts';
import { useOrderPages, withoutRepeats } from './loading-orders.ts';
import { OrderCard } from './order-card.tsx';
import { RequireOrderer } from './require-orderer.tsx';

export const handle: PageHandle = {
  meta: (t, { brand }) => [{ title: `${t('Your orders')} · ${brand.name}` }, { name: 'robots', content: 'noindex' }],
};

export default function OrderListPage() {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="reading">
      <PageHeading title={t('Your orders')} />
      <RequireOrderer after="ordersToLogin" waiting={<Waiting />}>
        {(userid) => <OrderList key={userid} userid={userid} />}
      </RequireOrderer>
    </PageBody>
  );
}

function OrderList({ userid }: { userid: string | undefined }) {
  const { t } = useLanguage();
  const { loaded, retry, more, ...rest } = useOrderPages(userid);
  if (loaded.state === 'loading') return <Waiting />;
  if (loaded.state === 'failed') return <LoadingFailed title={t('We could not load your orders')} onRetry={retry} />;
  const orders = withoutRepeats([...loaded.data, ...more]);
  if (orders.length === 0) return <NoOrders />;
  return (
    <div className="space-y-6">
      {userid === undefined && <GuestNotice />}
      <OrderCards orders={orders} isGuest={userid === undefined} {...rest} />
    </div>
  );
}

interface OrderCardsProps {
  orders: readonly Order[];
  isGuest: boolean;
  mayHaveMore: boolean;
  loadingMore: boolean;
  loadMore(): Promise<void>;
}

function OrderCards({ orders, isGuest, mayHaveMore, loadingMore, loadMore }: OrderCardsProps) {
  const { t } = useLanguage();
  const { list, showMore } = useLoadMore({ shown: orders.length, loading: loadingMore, loadMore });
  return (
    <>
      <ul ref={list} className="space-y-4">
        {orders.map((order) => (
          <OrderCard key={order.orderid} order={order} isGuest={isGuest} />
        ))}
      </ul>
      <output className="sr-only">{t('Orders shown: {count}', { count: orders.length })}</output>
      {orders.length >= ORDERS_PER_PAGE && mayHaveMore && (
        <Button variant="secondary" wide pending={loadingMore} onClick={showMore}>
          {t('Load more orders')}
        </Button>
      )}
    </>
  );
}

function NoOrders() {
  const { t } = useLanguage();
  return (
    <EmptyState
      art={<EmptyBasketArt />}
      title={t(messages.none)}
      text={t('Pick a service, and we come for your clothes.')}
      action={
        <Link to={links.home()} className={buttonLook('primary')}>
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
      <Mixed
        text="These are the orders of this browser. {login} to see all of yours."
        parts={{
          login: (
            <Link to={links.login()} state={{ returnTo: links.orders() } satisfies ReturnState} className={textLinkLook}>
              {t('Log in')}
            </Link>
          ),
        }}
      />
    </Notice>
  );
}

function Waiting() {
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
