/** Names and times that the pre-hydration script shares with the program that hydrates the page. */

/** The template whose content is loaded after the first paint. */
export const DEFERRED_ID = 'deferred';

/** The notice that every document contains, hidden. */
export const SCRIPT_FAILED_NOTICE_ID = 'script-failed';

/** How long a script may take to load (specification sections 8 and 9). */
export const SCRIPT_TIMEOUT_MS = 120_000;

/** Dispatched on the window when React has hydrated the document. */
export const HYDRATED_EVENT = 'hydrated';

export const announceHydration = () => void window.dispatchEvent(new Event(HYDRATED_EVENT));

export function showScriptFailedNotice() {
  const notice = document.getElementById(SCRIPT_FAILED_NOTICE_ID);
  if (notice) notice.hidden = false;
}
