/** The order that could not be placed: kept, so that the customer can try again from home (design section 6, "Placing on load"). */
import type { ErrorMessage } from '../../../../i18n/messages.ts';
import type { KeyedDraft } from '../draft/draft.ts';
import { tabMemory } from '../draft/tab-memory.ts';

/** One attempt to place a draft: who sends it, and under which key. Sent again, it is the same order. */
export interface Attempt {
  draft: KeyedDraft;
  /** Null for a guest. */
  userid: string | null;
}

export interface Unplaced {
  attempt: Attempt;
  /** Why the server rejected it; null when it is unknown whether it arrived. */
  error: ErrorMessage | null;
}

const memory = tabMemory<Unplaced | null>('unplacedorder', null);

export const keepUnplaced = memory.keep;
export const forgetUnplaced = memory.forget;
export const useUnplaced = memory.use;
