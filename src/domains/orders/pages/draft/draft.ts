/**
 * The draft of this tab, shared by the cart, /stages, /overview and /confirm. Design section 6,
 * "Draft".
 */
import { newId } from '../../../../lib/ids.ts';
import { EMPTY_DRAFT, isSameOrder, type Draft } from './cart-state.ts';
import { tabStorage } from '../../../../browser/tab-storage.ts';

export interface KeyedDraft extends Draft {
  /** The idempotency key of the order. Every change of the order assigns a new one. */
  readonly key: string;
}

const storage = tabStorage<KeyedDraft>('draft', { ...EMPTY_DRAFT, key: '' });

export const currentDraft = storage.get;
export const useDraft = storage.use;

/**
 * Replaces the draft by the result of `change`. Assigns a new idempotency key if the order differs,
 * so that the old key never places another order.
 */
export function changeDraft(change: (draft: Draft) => Draft) {
  const before = storage.get();
  const after = change(before);
  const key = before.key !== '' && isSameOrder(before, after) ? before.key : newId();
  storage.set({ ...after, key });
}

/** Stores a draft with its key, so that a retry places the same order. */
export const restoreDraft = storage.set;

export const clearDraft = storage.clear;
