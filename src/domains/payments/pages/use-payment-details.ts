import { useRef } from 'react';
import { fetchSend } from '../../../browser/client.ts';
import { asPaise, type Paise } from '../../../lib/money.ts';
import { useQuery, type Query } from '../../../browser/use-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getOrderPayments, getPaymentDetails, type OrderPayments, type PaymentDetails } from '../contract.ts';
import { paymentOfTab, startedPayment } from './started-payment.ts';
import { usePaymentPolls } from './use-payment-polls.ts';

const onError = (error: unknown) => alertProblem(error, { doing: 'looking at a payment' });

export type PaymentResult =
  | { status: 'received'; payment: PaymentDetails }
  | { status: 'dismissed'; payment: NonNullable<OrderPayments['dismissed_upi']> }
  /** `upi`: the customer has reported this payment of the order, and it is being checked. */
  | { status: 'failed'; upi: OrderPayments['upi']; unpaid: Paise }
  /** `isPaid`: another payment has paid the order. */
  | { status: 'pending'; isPaid: boolean }
  /** A UPI payment that the customer has reported, and the laundry has not checked. */
  | { status: 'reported'; amount: Paise; unpaid: Paise };

/**
 * Loads a payment and polls until it is received, while the page is visible: a failed or dismissed
 * payment can still be received. These two states need the tab that started the payment, and the
 * session of its customer or guest.
 */
export function usePaymentDetails(tid: string): Query<PaymentResult> {
  const hasResponse = useRef(false);
  const received = useRef<PaymentDetails>(undefined);
  const query = useQuery({
    queryKey: [tid],
    async queryFn({ signal }): Promise<PaymentResult> {
      try {
        const result = await fetchSend(getPaymentDetails, { tid }, { signal });
        hasResponse.current = true;
        // A received payment stays received.
        received.current ??= result.data?.[0];
      } catch (error) {
        // After the first response, a failed poll leaves the payment as it was.
        if (!hasResponse.current) throw error;
      }
      if (received.current) return { status: 'received', payment: received.current };
      return readUnreceived(tid, signal);
    },
    onError,
  });
  const isPending = query.status === 'success' && query.data.status !== 'received';
  usePaymentPolls(query.refetch, isPending);
  return query;
}

/** Returns 'pending' if the state is unknown, for example after a log-out. */
async function readUnreceived(tid: string, signal: AbortSignal): Promise<PaymentResult> {
  const unknown = { status: 'pending', isPaid: false } as const;
  const orderid = paymentOfTab(startedPayment.get(), tid)?.orderid;
  if (orderid === undefined) return unknown;
  try {
    const { data } = await fetchSend(getOrderPayments, { orderid }, { signal });
    if (!data) return unknown;
    if (data.dismissed_upi?.tid === tid) return { status: 'dismissed', payment: data.dismissed_upi };
    const { online, upi, rest: unpaid } = data;
    if (upi?.tid === tid && upi.reported_at !== null) return { status: 'reported', amount: upi.amount, unpaid: unpaid ?? asPaise(0) };
    if (online?.tid !== tid || online.state !== 'failed') return { status: 'pending', isPaid: unpaid === 0 };
    return { status: 'failed', upi: upi?.reported_at ? upi : null, unpaid: unpaid ?? asPaise(0) };
  } catch {
    return unknown;
  }
}
