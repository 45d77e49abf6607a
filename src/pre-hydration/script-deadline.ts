/** What the program's scripts and the watcher that runs before them (before-scripts.ts) agree on. */

export const SCRIPT_TIMEOUT_MS = 120_000;

/** The notice that stands hidden in every document. */
export const SCRIPT_FAILED_NOTICE_ID = 'script-failed';

/** Dispatched on the window once the page's own scripts run. */
export const HYDRATED = 'hydrated';
