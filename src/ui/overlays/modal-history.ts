/**
 * A history entry for each open modal, so that a navigation back closes it instead of leaving the
 * page. Such an entry has the URL of the page and the state of the router. The router does not see
 * navigations between the entries of one page, because it would load the page again.
 */

/** The open modals, the lowest first. */
const closers: (() => void)[] = [];
/** The page that the router shows. Undefined in a program that does not call `trackPageEntry`. */
let shownPage: string | undefined;
/** The modal entries of the page up to the current entry. */
let depth = 0;
/** The depth from which a pending navigation leaves the entries of closed modals, or 0. */
let leavingFrom = 0;

interface EntryState {
  key?: string;
  modals?: number;
}

const pageOf = (state: unknown) => `${(state as EntryState | null)?.key} ${window.location.href}`;
const depthOf = (state: unknown) => (state as EntryState | null)?.modals ?? 0;

/** Call it after each navigation of the router. */
export function trackPageEntry() {
  // Before the listener of the router, which listens without `capture`.
  if (shownPage === undefined) addEventListener('popstate', handleNavigation, { capture: true });
  shownPage = pageOf(history.state);
  depth = depthOf(history.state);
}

/** Adds an entry for a modal that opens. Returns the function to call when it is closed. */
export function enterModal(close: () => void): () => void {
  if (shownPage === undefined) return () => {};
  closers.push(close);
  // A reload, or a link inside a modal, can leave an entry without a modal.
  if (closers.length > depth) {
    depth = closers.length;
    history.pushState({ ...history.state, modals: depth }, '');
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
  const isSamePage = pageOf(event.state) === shownPage;
  if (leavingFrom > 0) {
    event.stopImmediatePropagation();
    const arrived = depthOf(event.state);
    if (isSamePage) depth = arrived;
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
  const before = depth;
  depth = depthOf(event.state);
  const closed = closeAbove(depth);
  // An entry without a modal: skip it.
  if (depth < before && closed === 0) history.back();
  if (depth > before) history.forward();
}
