import { useCallback, useState } from 'react';
import { fetchSend } from '../../../../browser/client.ts';
import { useLoaded, type Loading } from '../../../../browser/use-query.ts';
import { alertProblem } from '../../../error-reports/pages/problem.ts';
import { getMoreOrders, getOrder, getOrders, orderMessages, ORDERS_PER_PAGE, type Order } from '../../contract.ts';

const tellFailure = (error: unknown) => alertProblem(error, { doing: 'loading orders' });

interface OrderPages extends Loading<Order[]> {
  /** What came after the first page. */
  more: Order[];
  /** False once the server has said that there are none left. */
  mayHaveMore: boolean;
  loadingMore: boolean;
  loadMore(): Promise<void>;
}

/** The newest orders, and page by page the older ones. */
export function useOrderPages(userid: string | undefined): OrderPages {
  const load = useCallback(
    async (signal?: AbortSignal) => {
      const answer = await fetchSend(getOrders, { userid }, signal && { signal });
      if (answer.response !== 'success') throw new Error(answer.message);
      return answer.data;
    },
    [userid],
  );
  const first = useLoaded(load, tellFailure);
  const [more, setMore] = useState<Order[]>([]);
  const [pages, setPages] = useState(1);
  const [mayHaveMore, setMayHaveMore] = useState(true);
  const [loadingMore, setLoadingMore] = useState(false);

  const loadMore = async () => {
    setLoadingMore(true);
    try {
      const answer = await fetchSend(getMoreOrders, { userid, offset: ORDERS_PER_PAGE * pages });
      if (answer.response === 'success') {
        setMore([...more, ...answer.data]);
        setPages(pages + 1);
      } else if (answer.message === orderMessages.outOfOrders) setMayHaveMore(false);
      else throw new Error(answer.message);
    } catch (error) {
      tellFailure(error);
    } finally {
      setLoadingMore(false);
    }
  };
  return { ...first, more, mayHaveMore, loadingMore, loadMore };
}

/** An order placed meanwhile moves the pages by one: what came twice is shown once. */
export const withoutRepeats = (orders: readonly Order[]): Order[] => [...new Map(orders.map((order) => [order.orderid, order])).values()];

/** Null when there is no such order of this customer. */
export function useOrder(userid: string | undefined, orderid: string, onFailure: (error: unknown) => void): Loading<Order | null> {
  const load = useCallback(
    async (signal?: AbortSignal) => {
      const answer = await fetchSend(getOrder, { userid, orderid }, signal && { signal });
      if (answer.response === 'success') return answer.data[0] ?? null;
      if (answer.message === orderMessages.notFound(orderid)) return null;
      throw new Error(answer.message);
    },
    [userid, orderid],
  );
  return useLoaded(load, onFailure);
}
