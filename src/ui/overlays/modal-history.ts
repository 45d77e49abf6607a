/**
 * A history entry for each open modal, so that a navigation back closes it instead of leaving the
 * page. Such an entry has the URL of the page and the state of the router. The router does not see
 * navigations between the entries of one page, because it would load the page again.
 */
import { depthOf, pageEntry, pageOf } from './page-entry.ts';

/** The open modals, the lowest first. */
const closers: (() => void)[] = [];
/** The depth from which a pending navigation leaves the entries of closed modals, or 0. */
let leavingFrom = 0;
let isListening = false;

/** Adds an entry for a modal that opens. Returns the function to call when it is closed. */
export function enterModal(close: () => void): () => void {
  if (pageEntry.page === undefined) return () => {};
  // With `capture`, before the listener of the router.
  if (!isListening) addEventListener('popstate', handleNavigation, { capture: true });
  isListening = true;
  closers.push(close);
  // A reload, or a link inside a modal, can leave an entry without a modal.
  if (closers.length > pageEntry.depth) {
    pageEntry.depth = closers.length;
    history.pushState({ ...history.state, modals: closers.length }, '');
  }
  return () => {
    const index = closers.indexOf(close);
    if (index < 0) return;
    closers.splice(index, 1);
    // The action that closed the modal can also navigate, which leaves its entry.
    setTimeout(leaveEntries);
  };
}

function leaveEntries() {
  const from = depthOf(history.state);
  if (leavingFrom > 0 || from <= closers.length) return;
  leavingFrom = from;
  history.go(closers.length - from);
}

function closeAbove(remaining: number): number {
  const closed = closers.splice(remaining);
  for (const close of closed) close();
  return closed.length;
}

function handleNavigation(event: PopStateEvent) {
  const isSamePage = pageOf(event.state) === pageEntry.page;
  const arrived = depthOf(event.state);
  if (leavingFrom > 0) {
    event.stopImmediatePropagation();
    if (isSamePage) pageEntry.depth = arrived;
    // The router has added an entry meanwhile: return to it.
    else history.go(leavingFrom - arrived + 1);
    leavingFrom = 0;
    return;
  }
  if (!isSamePage) {
    closeAbove(0);
    return;
  }
  event.stopImmediatePropagation();
  const before = pageEntry.depth;
  pageEntry.depth = arrived;
  const closed = closeAbove(arrived);
  // An entry without a modal: skip it.
  if (arrived < before && closed === 0) history.back();
  if (arrived > before) history.forward();
}
