/**
 * What the history entry of /confirm remembers: the attempt while it runs, the order once it stands. So reload, back and a second tab show that one order
 * instead of placing another.
 */
import type { PlacedOrder } from '../../contract.ts';
import type { Draft } from '../draft/cart-state.ts';
import type { Attempt } from './unplaced.ts';

export type ConfirmEntry =
  | { status: 'placing'; attempt: Attempt }
  /** Without the address: it stays in the tab's history, also after log-out. */
  | { status: 'placed'; order: PlacedOrder; draft: Draft };

/** What another version of the program left in the history is not read. */
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
