/** The part of a bill that says how it was paid: figures only, since a bill is a paper. */
import { PaidAndLeft } from './paid-and-left.tsx';

export default function BillPaymentsPart() {
  return <PaidAndLeft isPayable={false} />;
}
