/**
 * The orders that the customer saw last, for the time without a connection (docs/decisions/0050),
 * and the loads that the customer expected. The script of the offline page contains this file, so
 * it imports no contract.
 */
import { readCustomerData, writeCustomerData } from '../../../../browser/customer-data.ts';
import { ownerInCookies } from '../../../../shared/hint-cookies.ts';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { kolkataDateTime } from '../../../../lib/dates.ts';
import type { Order } from '../../contract.ts';
import type { ExpectedLoad } from '../draft/cart-state.ts';

/** An order as the customer saw it. */
export interface SeenOrder {
  order: Order;
  /** In milliseconds of the clock of this device, which later computes the age. */
  seenAt: number;
  /** The order in words, for the offline page. */
  summary: OrderSummary;
}

/** In the language of the page that showed the order. */
export interface OrderSummary {
  language: string;
  title: string;
  rows: readonly { label: string; value: string }[];
}

interface SeenOrders {
  version: number;
  /** The hint cookie of the customer or guest. */
  owner: string;
  /** The newest order first. */
  orders: readonly SeenOrder[];
  /** By order: the load that the customer expected. Orders on the server have none. */
  expectedLoads?: Readonly<Record<string, ExpectedLoad>>;
}

/** Values of other versions are ignored. Increase it when `SeenOrder` or `Order` changes. */
const VERSION = 6;

/** An order takes about 3 kB. */
const MAX_ORDERS = 20;

/** Undefined if the data is unreadable, or belongs to another owner or version. */
function read(): SeenOrders | undefined {
  try {
    const seen = JSON.parse(readCustomerData() ?? 'null') as SeenOrders | null;
    return seen?.version === VERSION && seen.owner === ownerInCookies() ? seen : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the given fields. Deletes the data of another owner. Does nothing without a session of a
 * customer or guest.
 */
function updateSeenOrders(change: Partial<SeenOrders>) {
  const owner = ownerInCookies();
  if (owner === undefined) return;
  writeCustomerData(JSON.stringify({ orders: [], ...read(), version: VERSION, owner, ...change } satisfies SeenOrders));
}

/** Returns the stored orders of the customer or guest of this browser. */
export const readSeenOrders = (): readonly SeenOrder[] => read()?.orders ?? [];

/** Stores orders, in place of their earlier states. Keeps the newest `MAX_ORDERS`. */
export function storeSeenOrders(orders: readonly SeenOrder[]) {
  const byId = new Map([...readSeenOrders(), ...orders].map((seen) => [seen.order.orderid, seen]));
  const newestFirst = [...byId.values()].toSorted((one, other) => (one.order.order_date < other.order.order_date ? 1 : -1));
  updateSeenOrders({ orders: newestFirst.slice(0, MAX_ORDERS) });
}

/** Returns the load that the customer expected. Undefined for an order of another browser. */
export const expectedLoadOf = (orderid: string): ExpectedLoad | undefined => read()?.expectedLoads?.[orderid];

/**
 * Stores the load that the customer expected of an order, for the estimate until it is weighed.
 * Keeps the newest `MAX_ORDERS` loads.
 */
export function storeExpectedLoad(orderid: string, load: ExpectedLoad) {
  // Leaves room for the new one.
  const loads = Object.entries(read()?.expectedLoads ?? {}).slice(1 - MAX_ORDERS);
  updateSeenOrders({ expectedLoads: { ...Object.fromEntries(loads), [orderid]: load } });
}

/**
 * Returns the values of the text 'Seen {time}, {age}'. In the first minute, and after the clock of
 * the device was set back, the age is `justNow`.
 */
export function seenTexts(seenAt: number, now: Date, { code, justNow }: { code: string; justNow: string }): { time: string; age: string } {
  const minutes = Math.floor((now.getTime() - seenAt) / 60_000);
  const age = minutes < 1 ? justNow : new Intl.RelativeTimeFormat(code).format(...largestUnit(minutes));
  return { time: formatDayTime({ code }, kolkataDateTime(new Date(seenAt))), age };
}

function largestUnit(minutes: number): [amount: number, unit: Intl.RelativeTimeFormatUnit] {
  if (minutes < 60) return [-minutes, 'minute'];
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? [-hours, 'hour'] : [-Math.floor(hours / 24), 'day'];
}
