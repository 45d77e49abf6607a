/** The lists of Today and the board. */
import type * as z from 'zod/mini';
import type { Stage } from '../../orders/contract.ts';
import { staffSend } from '../../staff/desk/session.ts';
import { listOrders } from './contract.ts';

export type OrderFilter = z.output<typeof listOrders.body>;
export type OrderList = z.output<typeof listOrders.data>;

export async function fetchOrders(filter: OrderFilter, signal?: AbortSignal): Promise<OrderList> {
  const answer = await staffSend(listOrders, filter, signal && { signal });
  if (answer.response !== 'success') throw new Error(answer.message);
  return answer.data;
}

/** The columns of the board. Of the delivered orders only those that are not paid. */
export const COLUMNS = ['pickup', 'queue', 'washing', 'delivery', 'delivered'] as const satisfies readonly Stage[];
export type Column = (typeof COLUMNS)[number];

export type ColumnLists = Readonly<Record<Column, OrderList>>;

export async function fetchColumns(filter: Pick<OrderFilter, 'area' | 'day'>, signal?: AbortSignal): Promise<ColumnLists> {
  const lists = COLUMNS.map(async (stage) => {
    const list = await fetchOrders({ ...filter, stage, ...(stage === 'delivered' && { unpaid: true as const }) }, signal);
    return [stage, list] as const;
  });
  return Object.fromEntries(await Promise.all(lists)) as Record<Column, OrderList>;
}
