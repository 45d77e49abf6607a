/**
 * The parts of other domains on the page of an order. A nested route, because the domain orders
 * does not import them.
 */
import { useOutletContext } from 'react-router';
import type { OrderContext } from '../../orders/pages/following/order-view.tsx';
import { PaymentSummary } from '../../payments/pages/payment-summary.tsx';
import { OrderHelp } from './order-help.tsx';

export default function OrderParts() {
  const { order, userid } = useOutletContext<OrderContext>();
  return (
    <>
      <PaymentSummary isPayable />
      <OrderHelp orderid={order.orderid} userid={userid} />
    </>
  );
}
