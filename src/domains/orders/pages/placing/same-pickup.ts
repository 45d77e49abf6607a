/** Notices an order that repeats one that is still to be collected. docs/decisions/0131. */
import { fetchSend } from '../../../../browser/client.ts';
import type { AddressForm } from '../../../addresses/contract.ts';
import { getOrders, type Order } from '../../contract.ts';
import { isAwaitingPickup } from '../../phase-rules.ts';
import { deliveryAddressOf, type Draft } from '../draft/cart-state.ts';

/** The order is placed without the question if the response takes longer. */
const CHECK_MS = 3000;

const isSamePlace = (one: AddressForm, other: AddressForm) => one.address1 === other.address1 && one.address2 === other.address2;

/**
 * Returns the newest order with the pickup evening and the address of the draft, undefined if there
 * is none or if the orders cannot be loaded in time. Never rejects.
 */
export async function findSamePickup(draft: Draft, userid: string | null): Promise<Order | undefined> {
  const address = deliveryAddressOf(draft, userid);
  if (!address || !navigator.onLine) return undefined;
  try {
    const body = { userid: userid ?? undefined, with_open: true };
    const { data } = await fetchSend(getOrders, body, { signal: AbortSignal.timeout(CHECK_MS) });
    return data?.find(
      (order) =>
        isAwaitingPickup(order.washing_stage, order.total_weight) && order.pickup_date === draft.pickupDay && isSamePlace(order, address),
    );
  } catch {
    // A guest without a session, or no connection: the attempt itself explains it.
    return undefined;
  }
}
