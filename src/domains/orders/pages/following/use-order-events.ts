import { useEffect, useEffectEvent } from 'react';
import { orderEventsUrl, type Order } from '../../contract.ts';

/** Without an open stream. With one, the server sends every change at once. */
const POLL_MS = 30_000;

/**
 * Calls `refetch` when the order has changed, when the page becomes visible again, and every 30 s
 * while the server cannot be reached by a stream. A hidden page has no stream: browsers open few
 * connections to a site. Does nothing without an order. docs/decisions/0045.
 */
export function useOrderEvents(order: Pick<Order, 'orderid' | 'version'> | null, refetch: () => void) {
  const orderid = order?.orderid;
  const refetchIfNewer = useEffectEvent((newest: number) => {
    if (order && newest > order.version) refetch();
  });
  const refetchNow = useEffectEvent(() => refetch());

  useEffect(() => {
    if (orderid === undefined) return;
    let stream: EventSource | undefined;
    const open = () => {
      stream?.close();
      stream = new EventSource(orderEventsUrl(orderid));
      stream.addEventListener('message', ({ data }) => refetchIfNewer(Number(data)));
    };
    const isVisible = () => document.visibilityState === 'visible';
    const onVisibilityChange = () => {
      if (!isVisible()) return stream?.close();
      refetchNow();
      open();
    };
    const poll = () => {
      if (!isVisible() || stream?.readyState === EventSource.OPEN) return;
      refetchNow();
      // The server has refused the stream. After a lost connection the browser itself tries again.
      if (stream?.readyState === EventSource.CLOSED) open();
    };

    if (isVisible()) open();
    const timer = setInterval(poll, POLL_MS);
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      stream?.close();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisibilityChange);
    };
  }, [orderid]);
}
