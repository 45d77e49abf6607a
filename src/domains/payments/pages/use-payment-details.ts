import { useEffect, useEffectEvent, useRef } from 'react';
import { fetchSend } from '../../../browser/client.ts';
import { asPaise, type Paise } from '../../../lib/money.ts';
import { useQuery, type Query } from '../../../browser/use-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getOrderPayments, getPaymentDetails, type OrderPayments, type PaymentDetails } from '../contract.ts';
import { paymentOfTab, startedPayment } from './started-payment.ts';

/**
 * Polls are frequent at first, because most payments arrive within seconds; they never end, because
 * some take a day. The first one is later than `GATEWAY_INTERVAL_SECONDS`: a check that the server
 * could not make for the page is then allowed.
 */
const FIRST_POLL_MS = 2500;
const FIRST_POLLS_MS = 5000;
const LATER_POLLS_MS = 60_000;
const FIRST_POLLS = 36;

const onError = (error: unknown) => alertProblem(error, { doing: 'looking at a payment' });

export type PaymentResult =
  | { status: 'received'; payment: PaymentDetails }
  | { status: 'dismissed'; payment: NonNullable<OrderPayments['dismissed_upi']> }
  /** `upi`: the customer has reported this payment of the order, and it is being checked. */
  | { status: 'failed'; upi: OrderPayments['upi']; unpaid: Paise }
  /** `isPaid`: another payment has paid the order. */
  | { status: 'pending'; isPaid: boolean };

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
  const refetchIfVisible = useEffectEvent(async () => {
    if (document.visibilityState === 'visible') await query.refetch();
  });

  useEffect(() => {
    if (!isPending) return;
    let polls = 0;
    let isUnmounted = false;
    let timer: ReturnType<typeof setTimeout>;
    // The next poll is scheduled when the last one has ended, so that they do not pile up on a slow
    // connection.
    const poll = async () => {
      clearTimeout(timer);
      polls += 1;
      const current = polls;
      await refetchIfVisible();
      if (isUnmounted || current !== polls) return;
      timer = setTimeout(() => void poll(), polls < FIRST_POLLS ? FIRST_POLLS_MS : LATER_POLLS_MS);
    };
    const pollNow = () => void poll();
    timer = setTimeout(pollNow, FIRST_POLL_MS);
    document.addEventListener('visibilitychange', pollNow);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', pollNow);
    };
  }, [isPending]);
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
    if (online?.tid !== tid || online.state !== 'failed') return { status: 'pending', isPaid: unpaid === 0 };
    return { status: 'failed', upi: upi?.reported_at ? upi : null, unpaid: unpaid ?? asPaise(0) };
  } catch {
    return unknown;
  }
}
