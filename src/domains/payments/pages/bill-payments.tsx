/** The payments on a bill, without actions. */
import { PaymentSummary } from './payment-summary.tsx';

export default function BillPaymentsPart() {
  return <PaymentSummary showsMethods={false} />;
}
