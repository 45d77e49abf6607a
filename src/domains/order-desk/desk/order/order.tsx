/** One order: details, the actions that its stage allows, payments and history. */
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from '../../../../browser/use-query.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { staffLinks } from '../../../../shared/staff-links.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { LostSockArt } from '../../../../ui/art/empty.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { orderError } from '../../../orders/contract.ts';
import { LoadState } from '../../../staff/desk/load-state.tsx';
import { staffSend } from '../../../staff/desk/session.ts';
import { showProblem } from '../../../staff/desk/show-problem.ts';
import { StaffPage } from '../../../staff/desk/staff-page.tsx';
import { getDeskOrder, type DeskOrder } from '../contract.ts';
import { staleError } from '../refusals.ts';
import { LiveStatus } from '../../../staff/desk/live-status.tsx';
import { OrderActions } from './order-actions.tsx';
import { OrderClaims } from './order-claims.tsx';
import { OrderDetails } from './order-details.tsx';
import { OrderHistory } from './order-history.tsx';
import { OrderPayments } from './order-payments.tsx';
import { OrderPhotos } from './order-photos.tsx';
import { useChange } from '../use-change.ts';
import { useDeskEvents } from '../../../staff/desk/use-desk-events.ts';

export function Component() {
  const { orderid = '' } = useParams();
  return <OrderScreen key={orderid} orderid={orderid} />;
}

function OrderScreen({ orderid }: { orderid: string }) {
  const { t, formatMessage } = useLanguage();
  /** The order after a change of this screen, which can be newer than the loaded one. */
  const [changed, setChanged] = useState<DeskOrder>();
  const [isConflict, setConflict] = useState(false);
  const query = useQuery<DeskOrder | null>({
    queryKey: [orderid],
    async queryFn({ signal }) {
      const result = await staffSend(getDeskOrder, { orderid }, { signal });
      return result.response === 'success' ? result.data : null;
    },
    onError: (error) => showProblem(error, 'loading an order'),
  });
  const loaded = query.status === 'success' ? query.data : undefined;
  // The order of a rider can get a day that riders do not see. An open form of it stays.
  const [seen, setSeen] = useState<DeskOrder>();
  if (loaded && loaded !== seen) setSeen(loaded);
  const isGone = loaded === null && seen !== undefined;
  const current = isGone ? seen : loaded;
  const order = changed && (!current || changed.version >= current.version) ? changed : current;
  const live = useDeskEvents(async (changedIds) =>
    changedIds !== null && !changedIds.has(orderid) ? true : (await query.refetch()) !== undefined,
  );
  /** A photo does not change the version of the order. */
  const showPhotos = async () => {
    if (await query.refetch()) setChanged(undefined);
  };
  const { pending, change } = useChange({
    onOrder: (next) => {
      setConflict(false);
      setChanged(next);
    },
    onConflict: () => {
      setConflict(true);
      void query.refetch();
    },
  });

  return (
    <StaffPage title={t('Order {orderid}', { orderid })} actions={<LiveStatus {...live} />}>
      <LoadState query={query} loading={t('Loading the order')} failed={t('The order could not be loaded')} shapes={['block', 'card']} />
      {order === null && (
        <EmptyState
          art={<LostSockArt />}
          title={formatMessage(orderError('order-not-found', { orderid }))}
          action={
            <Link to={staffLinks.orders()} className={buttonStyles('primary')}>
              {t('Board')}
            </Link>
          }
        />
      )}
      {isGone && (
        <Notice tone="warn" live>
          {t('This order is not on your round any more. You see it as it was.')}
        </Notice>
      )}
      {isConflict && (
        <Notice tone="warn" live>
          {formatMessage(staleError())}
        </Notice>
      )}
      {order && (
        <>
          <OrderActions order={order} pending={pending} change={change} />
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2 lg:gap-6">
            <OrderDetails order={order} />
            <div className="space-y-4 lg:space-y-6">
              <OrderPayments order={order} pending={pending} change={change} />
              {order.claims && order.claims.length > 0 && <OrderClaims claims={order.claims} />}
              <OrderPhotos order={order} onAdded={() => void showPhotos()} />
              <OrderHistory order={order} />
            </div>
          </div>
        </>
      )}
    </StaffPage>
  );
}
