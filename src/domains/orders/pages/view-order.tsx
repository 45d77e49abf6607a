import { useCallback, useState } from 'react';
import { Link } from 'react-router';
import { LostSockArt } from '../../../ui/art/empty.tsx';
import { buttonLook } from '../../../ui/button-look.ts';
import { Button } from '../../../ui/button.tsx';
import { PageBody } from '../../../ui/container.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ChevronLeftIcon } from '../../../ui/icons/chevron.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { backLook, PageHeading } from '../../../ui/page-heading.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/skeleton.tsx';
import { CallRefused } from '../../../web/call-failures.ts';
import { links } from '../../../web/links.ts';
import { forgetSession } from '../../../web/session-user.ts';
import { MAIN_ID } from '../../../web/site-layout.tsx';
import { site } from '../../../web/site.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { orderMessages as messages } from '../contract.ts';
import type { Route } from './+types/view-order.ts';
import { useOrder } from './loading-orders.ts';
import { OrderView } from './order-view.tsx';
import { OrdererGate } from './orderer-gate.tsx';

export const meta = () => [{ title: `Your order · ${site().brand.name}` }, { name: 'robots', content: 'noindex' }];

export default function ViewOrderPage({ params: { orderid } }: Route.ComponentProps) {
  return (
    <PageBody id={MAIN_ID} width="wide">
      <PageHeading
        title="Your order"
        back={
          <Link to={links.orders()} className={backLook}>
            <ChevronLeftIcon small />
            Your orders
          </Link>
        }
      />
      <OrdererGate after="orderToLogin" alerting={{ title: 'User not found' }} waiting={<Waiting />}>
        {(userid) => <FoundOrder key={`${userid} ${orderid}`} userid={userid} orderid={orderid} />}
      </OrdererGate>
    </PageBody>
  );
}

function FoundOrder({ userid, orderid }: { userid: string | undefined; orderid: string }) {
  const [cause, setCause] = useState('');
  const fail = useCallback((error: unknown) => {
    if (error instanceof CallRefused && error.status === 401) return forgetSession();
    setCause(error instanceof Error ? error.message : String(error));
    if (!(error instanceof CallRefused)) reportProblem(error, { doing: 'loading an order' });
  }, []);
  const { loaded, retry } = useOrder(userid, orderid, fail);

  switch (loaded.state) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <Failed cause={cause} onRetry={retry} />;
    case 'ready':
      return loaded.data ? <OrderView order={loaded.data} userid={userid} /> : <Missing orderid={orderid} />;
  }
}

function Failed({ cause, onRetry }: { cause: string; onRetry(): void }) {
  return (
    <Notice
      tone="bad"
      live
      action={
        <Button variant="secondary" size="small" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {messages.detailFailed(cause)}
    </Notice>
  );
}

function Missing({ orderid }: { orderid: string }) {
  return (
    <EmptyState
      art={<LostSockArt />}
      title={messages.notFound(orderid)}
      action={
        <Link to={links.orders()} className={buttonLook('primary')}>
          See your orders
        </Link>
      }
    />
  );
}

function Waiting() {
  return (
    <SkeletonGroup label="Loading your order">
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
