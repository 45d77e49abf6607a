/**
 * The one draft of this tab, shared by the cart, /stages, /overview and /confirm. It is kept in session storage: it survives a reload and the log-in, and
 * log-out clears it with everything else there. Design section 6, "Draft".
 */
import { useSyncExternalStore } from 'react';
import { newId } from '../../../kit/ids.ts';
import { EMPTY_DRAFT, sameOrder, type Draft } from './cart-state.ts';

/** The key makes the order one order, however often it is sent: any change of what is ordered makes a new one. */
export interface KeyedDraft extends Draft {
  readonly key: string;
}

const STORED_AS = 'draft';
/** A draft that another version of the program wrote is dropped. */
const VERSION = 1;

const nothing: KeyedDraft = { ...EMPTY_DRAFT, key: '' };

let known: { text: string | null; draft: KeyedDraft } = { text: null, draft: nothing };
const listeners = new Set<() => void>();

/** The storage is asked every time, since log-out empties it. Where a browser forbids storage, the draft lives as long as the page. */
export function currentDraft(): KeyedDraft {
  let text: string | null;
  try {
    text = sessionStorage.getItem(STORED_AS);
  } catch {
    return known.draft;
  }
  if (text !== known.text) known = { text, draft: parse(text) };
  return known.draft;
}

function parse(text: string | null): KeyedDraft {
  try {
    const stored = JSON.parse(text ?? 'null') as { version: number; draft: KeyedDraft } | null;
    return stored?.version === VERSION ? stored.draft : nothing;
  } catch {
    return nothing;
  }
}

function keep(draft: KeyedDraft) {
  const text = draft === nothing ? null : JSON.stringify({ version: VERSION, draft });
  try {
    if (text === null) sessionStorage.removeItem(STORED_AS);
    else sessionStorage.setItem(STORED_AS, text);
    known = { text, draft };
  } catch {
    known = { text: known.text, draft };
  }
  for (const listener of listeners) listener();
}

export function changeDraft(change: (draft: Draft) => Draft) {
  const before = currentDraft();
  const { key: _of, ...after }: Draft & { key?: string } = change(before);
  const key = before.key !== '' && sameOrder(before, after) ? before.key : newId();
  keep({ ...after, key });
}

/** Puts back a draft as it was, with its key: what was tried under that key stays one order. */
export const restoreDraft = (draft: KeyedDraft) => keep(draft);

export const clearDraft = () => keep(nothing);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** In the server's document, and until it is hydrated, the draft is empty. */
export const useDraft = (): KeyedDraft => useSyncExternalStore(subscribe, currentDraft, () => nothing);
