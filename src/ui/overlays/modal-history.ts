/**
 * A history entry for each open modal, so that a navigation back closes it instead of leaving the
 * page. Such an entry has the URL of the page and the state of the router. The router does not see
 * navigations between the entries of one page, because it would load the page again.
 */
import { depthOf, pageEntry, trackPageEntry } from './page-entry.ts';

/** The open modals, the lowest first. */
const closers: (() => void)[] = [];

/**
 * Closes modals on a navigation back, and skips entries without a modal, such as those that were
 * open before a reload: for a program that calls it when it starts, also before the first modal.
 */
export function skipModalEntries() {
  // With `capture`, before the listener of the router. The same listener is added only once.
  addEventListener('popstate', handleNavigation, { capture: true });
}

/**
 * Adds an entry for a modal that opens. Returns the function to call when it is closed. Does
 * nothing in a program that does not call `trackPageEntry`.
 */
export function enterModal(close: () => void): () => void {
  if (pageEntry.page === undefined) return () => {};
  skipModalEntries();
  closers.push(close);
  // A closed modal, a reload or a link inside a modal can leave an entry without a modal.
  if (closers.length > pageEntry.depth) {
    pageEntry.depth = closers.length;
    history.pushState({ ...history.state, modals: closers.length }, '');
  }
  // The entry stays: a navigation back here could overtake one that the closing action begins.
  return () => {
    const index = closers.indexOf(close);
    if (index >= 0) closers.splice(index, 1);
  };
}

/** Closes all modals but the lowest `remaining`. Returns the number of those that it closed. */
function closeAbove(remaining: number): number {
  const closed = closers.splice(remaining);
  for (const close of closed) close();
  return closed.length;
}

/**
 * Closes the modals above the reached entry. Hides a navigation within the page from the router.
 */
function handleNavigation(event: PopStateEvent) {
  const { page, depth: before } = pageEntry;
  const arrived = depthOf(event.state);
  trackPageEntry();
  if (pageEntry.page !== page) {
    closeAbove(0);
    return;
  }
  event.stopImmediatePropagation();
  const closed = closeAbove(arrived);
  // Entries without a modal are skipped.
  if (arrived < before && closed === 0) history.back();
  if (arrived > before) history.forward();
}
