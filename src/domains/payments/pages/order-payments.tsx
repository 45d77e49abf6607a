/** The part of the order page that is about paying, shown in its outlet: orders do not know payments. */
import { PaidAndLeft } from './paid-and-left.tsx';

export default function OrderPaymentsPart() {
  return <PaidAndLeft isPayable />;
}
