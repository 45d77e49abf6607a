/**
 * The state of /confirm's history entry: the attempt while it runs, then the placed order. A reload,
 * the way back and a second tab show that order and do not place another.
 */
import type { PlacedOrder } from '../../contract.ts';
import type { Draft } from '../draft/cart-state.ts';
import type { Attempt } from './unplaced.ts';

export type ConfirmEntry =
  | { status: 'placing'; attempt: Attempt }
  /** Without the address, because the entry stays in the tab's history after log-out. */
  | { status: 'placed'; order: PlacedOrder; draft: Draft };

/** Entries of other versions of the program are ignored. */
const VERSION = 2;

export const entryState = (entry: ConfirmEntry) => ({ version: VERSION, entry });

export function entryOf(state: unknown): ConfirmEntry | undefined {
  const kept = state as Partial<ReturnType<typeof entryState>> | null;
  return kept?.version === VERSION ? kept.entry : undefined;
}

export const placedEntry = (order: PlacedOrder, draft: Draft): ConfirmEntry => ({
  status: 'placed',
  order,
  draft: { ...draft, address: null, guestAddress: null },
});
