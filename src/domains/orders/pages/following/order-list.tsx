import { Link } from 'react-router';
import { EmptyBasketArt } from '../../../../ui/art/empty.tsx';
import { buttonLook } from '../../../../ui/button-look.ts';
import { Button } from '../../../../ui/button.tsx';
import { PageBody } from '../../../../ui/container.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { PageHeading } from '../../../../ui/page-heading.tsx';
import { Skeleton, SkeletonGroup } from '../../../../ui/skeleton.tsx';
import { links, type ReturnState } from '../../../../web/links.ts';
import { useLoadMore } from '../../../../web/load-more.ts';
import { LoadingFailed } from '../../../../web/loading-failed.tsx';
import { MAIN_ID } from '../../../../web/site-layout.tsx';
import { site } from '../../../../web/site.ts';
import { textLinkLook } from '../../../../ui/text-link-look.ts';
import { orderMessages as messages, ORDERS_PER_PAGE, type Order } from '../../contract.ts';
import { useOrderPages, withoutRepeats } from './loading-orders.ts';
import { OrderCard } from './order-card.tsx';
import { OrdererGate } from './orderer-gate.tsx';

export const meta = () => [{ title: `Your orders · ${site().brand.name}` }, { name: 'robots', content: 'noindex' }];

export default function OrderListPage() {
  return (
    <PageBody id={MAIN_ID} width="reading">
      <PageHeading title="Your orders" />
      <OrdererGate after="ordersToLogin" waiting={<Waiting />}>
        {(userid) => <OrderList key={userid} userid={userid} />}
      </OrdererGate>
    </PageBody>
  );
}

function OrderList({ userid }: { userid: string | undefined }) {
  const { loaded, retry, more, ...rest } = useOrderPages(userid);
  if (loaded.state === 'loading') return <Waiting />;
  if (loaded.state === 'failed') return <LoadingFailed what="your orders" onRetry={retry} />;
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
  const { list, showMore } = useLoadMore({ shown: orders.length, loading: loadingMore, loadMore });
  return (
    <>
      <ul ref={list} className="space-y-4">
        {orders.map((order) => (
          <OrderCard key={order.orderid} order={order} isGuest={isGuest} />
        ))}
      </ul>
      <output className="sr-only">Orders shown: {orders.length}</output>
      {orders.length >= ORDERS_PER_PAGE && mayHaveMore && (
        <Button variant="secondary" wide pending={loadingMore} onClick={showMore}>
          Load more orders
        </Button>
      )}
    </>
  );
}

function NoOrders() {
  return (
    <EmptyState
      art={<EmptyBasketArt />}
      title={messages.none}
      text="Pick a service, and we come for your clothes."
      action={
        <Link to={links.home()} className={buttonLook('primary')}>
          Order now
        </Link>
      }
    />
  );
}

function GuestNotice() {
  return (
    <Notice tone="info">
      These are the orders of this browser.{' '}
      <Link to={links.login()} state={{ returnTo: links.orders() } satisfies ReturnState} className={textLinkLook}>
        Log in
      </Link>{' '}
      to see all of yours.
    </Notice>
  );
}

function Waiting() {
  return (
    <SkeletonGroup label="Loading your orders">
      <div className="space-y-4">
        <Skeleton shape="order" />
        <Skeleton shape="order" />
        <Skeleton shape="order" />
      </div>
    </SkeletonGroup>
  );
}
