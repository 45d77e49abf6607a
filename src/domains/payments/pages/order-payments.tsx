/** The payments on the page of an order. A nested route, because orders may not import payments. */
import { PaymentSummary } from './payment-summary.tsx';

export default function OrderPaymentsPart() {
  return <PaymentSummary isPayable />;
}
