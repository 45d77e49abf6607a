/**
 * The state of /confirm's history entry: the attempt while it runs, then the placed order. A
 * reload, a navigation back and a duplicated tab show that order and place no other.
 */
import type { PlacedOrder } from '../../contract.ts';
import type { AddressForm } from '../../../addresses/contract.ts';
import type { Draft } from '../draft/cart-state.ts';
import type { Attempt } from './unplaced.ts';

export type ConfirmEntry =
  | { status: 'placing'; attempt: Attempt }
  /** Without the address, because the entry stays in the tab's history after log-out. */
  | { status: 'placed'; order: PlacedOrder; draft: Draft };

/** Entries of other versions of the program are ignored. */
const VERSION = 2;

export const toHistoryState = (entry: ConfirmEntry) => ({ version: VERSION, entry });

/** Returns undefined for the state of another page or another version. */
export function fromHistoryState(state: unknown): ConfirmEntry | undefined {
  const stored = state as Partial<ReturnType<typeof toHistoryState>> | null;
  return stored?.version === VERSION ? stored.entry : undefined;
}

// Module state, because the address must not stay in the tab after log-out.
let placed: { orderid: string; userid: string | null; address: AddressForm } | undefined;

/** Replaces the address of the order that was placed last. Undefined deletes it. */
export function setPlacedAddress(order: typeof placed) {
  placed = order;
}

/**
 * Returns the address of an order that this customer, or a guest if `userid` is null, placed since
 * the page was loaded.
 */
export const placedAddressOf = (orderid: string, userid: string | null): AddressForm | undefined =>
  placed?.orderid === orderid && placed.userid === userid ? placed.address : undefined;

/** Returns the entry of a placed order. Drops the addresses of the draft. */
export const placedEntry = (order: PlacedOrder, draft: Draft): ConfirmEntry => ({
  status: 'placed',
  order,
  draft: { ...draft, address: null, guestAddress: null },
});
