/** The one draft of this tab, shared by the cart, /stages, /overview and /confirm. Design section 6, "Draft". */
import { newId } from '../../../../lib/ids.ts';
import { EMPTY_DRAFT, sameOrder, type Draft } from './cart-state.ts';
import { tabMemory } from './tab-memory.ts';

/** The key makes the order one order, however often it is sent: any change of what is ordered makes a new one. */
export interface KeyedDraft extends Draft {
  readonly key: string;
}

const draft = tabMemory<KeyedDraft>('draft', { ...EMPTY_DRAFT, key: '' });

export const currentDraft = draft.current;
export const useDraft = draft.use;

export function changeDraft(change: (draft: Draft) => Draft) {
  const before = draft.current();
  const after = change(before);
  const key = before.key !== '' && sameOrder(before, after) ? before.key : newId();
  draft.keep({ ...after, key });
}

/** Puts back a draft as it was, with its key: what was tried under that key stays one order. */
export const restoreDraft = draft.keep;

export const clearDraft = draft.forget;
