import { dayAfter, kolkataDay } from '../../../lib/dates.ts';
import { uniqueRows } from '../../../browser/use-paginated-query.ts';
import { serverClock } from '../../../browser/server-clock.ts';
import type { ListedOrder } from '../../order-desk/desk/contract.ts';
import { COLUMN_FILTERS } from '../../order-desk/desk/board-contract.ts';
import { fetchOrders } from '../../order-desk/desk/lists/orders-data.ts';
import { stopsOf, STOP_STAGES } from './stops.ts';

/** Bounds what a phone loads. A rider has some dozens of stops. */
const MAX_PAGES = 6;

/**
 * Loads the stops of all stages, at most `MAX_PAGES` of each. Pickups begin with the earliest:
 * those after tomorrow are not loaded.
 */
export async function fetchStops(signal?: AbortSignal): Promise<ListedOrder[]> {
  const lists = await Promise.all(STOP_STAGES.map((stage) => fetchStage(stage, signal)));
  return stopsOf(lists.flat(), serverClock.now());
}

async function fetchStage(stage: (typeof STOP_STAGES)[number], signal: AbortSignal | undefined): Promise<ListedOrder[]> {
  const filter = { stage, ...COLUMN_FILTERS[stage] };
  const orders: ListedOrder[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const list = await fetchOrders({ ...filter, ...(cursor !== undefined && { cursor }) }, signal);
    orders.push(...list.orders);
    const isComplete = stage === 'pickup' && (orders.at(-1)?.pickup_date ?? '') > dayAfter(kolkataDay(serverClock.now()));
    if (list.next === null || isComplete) break;
    cursor = list.next;
  }
  // Orders can move to a later page meanwhile, and the first page can be repeated in an upgrade.
  return uniqueRows([orders], ({ orderid }) => orderid);
}
