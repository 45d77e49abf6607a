/** The history entry that the router shows. Every page loads this file, so it is small. */
export const pageEntry: {
  /** Undefined in a program that does not call `trackPageEntry`. */
  page?: string;
  /** The modal entries of the page up to the current entry (modal-history.ts). */
  depth: number;
} = { depth: 0 };

interface EntryState {
  key?: string;
  modals?: number;
}

const pageOf = (state: EntryState | null) => `${state?.key} ${location.href}`;
/** Returns 0 for an entry without a state of the router. */
export const depthOf = (state: EntryState | null) => state?.modals ?? 0;

/** Stores the current history entry in `pageEntry`. Call it after each navigation of the router. */
export function trackPageEntry() {
  const state = history.state as EntryState | null;
  pageEntry.page = pageOf(state);
  pageEntry.depth = depthOf(state);
}
