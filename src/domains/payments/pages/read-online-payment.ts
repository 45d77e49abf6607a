import { fetchSend } from '../../../browser/client.ts';
import { getOrderPayments, type OrderPayments } from '../contract.ts';

/** Returns the newest online payment of an order, or undefined without a response. */
export async function readOnlinePayment(
  order: { userid: string | undefined; orderid: string },
  signal?: AbortSignal,
): Promise<OrderPayments['online'] | undefined> {
  try {
    return (await fetchSend(getOrderPayments, order, signal && { signal })).data?.online;
  } catch {
    return undefined;
  }
}
