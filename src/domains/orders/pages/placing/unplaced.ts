/**
 * The order that could not be placed, stored for a retry from home (design section 6, "Placing on
 * load").
 */
import type { ErrorMessage } from '../../../../i18n/messages.ts';
import type { KeyedDraft } from '../draft/draft.ts';
import { tabStorage } from '../../../../browser/tab-storage.ts';

/** A draft, its key and its sender. A repeated attempt places the same order. */
export interface Attempt {
  draft: KeyedDraft;
  /** Null for a guest. */
  userid: string | null;
}

export interface Unplaced {
  attempt: Attempt;
  /** The server's error; null if it is unknown whether the order was placed. */
  error: ErrorMessage | null;
}

const storage = tabStorage<Unplaced | null>('unplacedorder', null);

export const unplacedOrder = storage.get;
export const storeUnplaced = storage.set;
export const clearUnplaced = storage.clear;
export const useUnplaced = storage.use;
