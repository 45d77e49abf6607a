import { useCallback, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { LostSockArt } from '../../../../ui/art/empty.tsx';
import { buttonLook } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../../../ui/feedback/skeleton.tsx';
import { CallRefused } from '../../../../contract/call-failures.ts';
import { links } from '../../../../browser/links.ts';
import { forgetSession } from '../../../../browser/session-user.ts';
import { reportProblem } from '../../../error-reports/pages/problem.ts';
import { orderMessages as messages, type Order } from '../../contract.ts';
import { useOrder } from './loading-orders.ts';

interface FoundOrderProps {
  /** A guest has none. */
  userid: string | undefined;
  orderid: string;
  children(order: Order): ReactNode;
}

/** One order of whoever looks, as the server has it: while it comes, when it is there, and when it is not. */
export function FoundOrder({ userid, orderid, children }: FoundOrderProps) {
  const [cause, setCause] = useState('');
  const fail = useCallback((error: unknown) => {
    if (error instanceof CallRefused && error.status === 401) return forgetSession();
    setCause(error instanceof Error ? error.message : String(error));
    if (!(error instanceof CallRefused)) reportProblem(error, { doing: 'loading an order' });
  }, []);
  const { loaded, retry } = useOrder(userid, orderid, fail);

  switch (loaded.state) {
    case 'loading':
      return <WaitingOrder />;
    case 'failed':
      return <Failed cause={cause} onRetry={retry} />;
    case 'ready':
      return loaded.data ? children(loaded.data) : <Missing orderid={orderid} />;
  }
}

function Failed({ cause, onRetry }: { cause: string; onRetry(): void }) {
  const { t, say } = useLanguage();
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
      {say(messages.detailFailed(say(cause)))}
    </Notice>
  );
}

function Missing({ orderid }: { orderid: string }) {
  const { t, say } = useLanguage();
  return (
    <EmptyState
      art={<LostSockArt />}
      title={say(messages.notFound(orderid))}
      action={
        <Link to={links.orders()} className={buttonLook('primary')}>
          {t('See your orders')}
        </Link>
      }
    />
  );
}

export function WaitingOrder() {
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
