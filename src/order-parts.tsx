import { useOutletContext } from 'react-router';
import { OrderHelp } from './domains/claims/pages/order-help.tsx';
import type { OrderContext } from './domains/orders/pages/following/order-view.tsx';
import { PaymentSummary } from './domains/payments/pages/payment-summary.tsx';

/**
 * The parts of later domains on the page of an order. A nested route, because orders does not
 * import them, and directly in src, because they belong to several domains.
 */
export default function OrderParts() {
  const context = useOutletContext<OrderContext>();
  return (
    <>
      <PaymentSummary showsMethods />
      <OrderHelp {...context} />
    </>
  );
}
