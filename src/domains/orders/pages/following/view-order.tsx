import { Link } from 'react-router';
import { PageBody } from '../../../../ui/container.tsx';
import { ChevronLeftIcon } from '../../../../ui/icons/chevron.tsx';
import { backLook, PageHeading } from '../../../../ui/page-heading.tsx';
import { links } from '../../../../web/links.ts';
import { MAIN_ID } from '../../../../web/site-layout.tsx';
import { site } from '../../../../web/site.ts';
import type { Route } from './+types/view-order.ts';
import { FoundOrder, WaitingOrder } from './found-order.tsx';
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
      <OrdererGate after="orderToLogin" alerting={{ title: 'User not found' }} waiting={<WaitingOrder />}>
        {(userid) => (
          <FoundOrder key={`${userid} ${orderid}`} userid={userid} orderid={orderid}>
            {(order) => <OrderView order={order} userid={userid} />}
          </FoundOrder>
        )}
      </OrdererGate>
    </PageBody>
  );
}
