/** What the document's finishing (server/documents/finish-document.server.ts) and the script that runs before all others (before-scripts.ts) agree on. */

/** The template whose links are put into the head after the first paint. */
export const AFTER_FIRST_PAINT_ID = 'after-first-paint';

/** The page's own scripts as text, run after the first paint. */
export const ENTRY_ID = 'entry';
