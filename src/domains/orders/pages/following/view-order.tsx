import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { PageBody } from '../../../../ui/layout/container.tsx';
import { ChevronLeftIcon } from '../../../../ui/icons/chevron.tsx';
import { backStyles, PageHeading } from '../../../../ui/layout/page-heading.tsx';
import { links } from '../../../../shared/links.ts';
import { MAIN_ID } from '../../../../site/site-layout.tsx';
import { unindexedPage } from '../../../../site/page-meta.tsx';
import { ForgetDevice } from '../../../accounts/pages/forget-device.tsx';
import type { Route } from './+types/view-order.ts';
import { FetchedOrder, OrderSkeleton } from './fetched-order.tsx';
import { OrderView, type OrderContext } from './order-view.tsx';
import { RequireCustomerOrGuest } from './require-customer-or-guest.tsx';
import { useOrderEvents } from './use-order-events.ts';

export const handle = unindexedPage(msg('Your order'));

export default function ViewOrderPage({ params: { orderid } }: Route.ComponentProps) {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <PageHeading
        title={t('Your order')}
        back={
          <Link to={links.orders()} className={backStyles}>
            <ChevronLeftIcon small />
            {t('Your orders')}
          </Link>
        }
      />
      <RequireCustomerOrGuest delay="orderToLogin" alertTitle={t('User not found')} fallback={<OrderSkeleton />}>
        {(userid) => (
          <FetchedOrder key={`${userid} ${orderid}`} userid={userid} orderid={orderid}>
            {(order, refetch) => (
              <>
                <LiveOrder order={order} userid={userid} refetch={refetch} />
                {userid === undefined && <ForgetDevice />}
              </>
            )}
          </FetchedOrder>
        )}
      </RequireCustomerOrGuest>
    </PageBody>
  );
}

/** Shows every change of the order without a reload. */
function LiveOrder({ order, userid, refetch }: OrderContext & { refetch(): Promise<unknown> }) {
  useOrderEvents(order, () => void refetch());
  return <OrderView order={order} userid={userid} onChanged={refetch} />;
}
