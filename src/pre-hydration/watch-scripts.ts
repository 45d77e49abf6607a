import { HYDRATED_EVENT, SCRIPT_TIMEOUT_MS, showScriptFailedNotice } from './handshake.ts';

/**
 * Shows the notice if a script of the document fails, or if the document is not hydrated in time
 * (specification sections 8 and 9).
 */
export function watchScripts() {
  const deadline = setTimeout(showScriptFailedNotice, SCRIPT_TIMEOUT_MS);
  addEventListener(HYDRATED_EVENT, () => clearTimeout(deadline));
  addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLScriptElement)) return;
      // A script in the head can fail before the parser reaches the notice.
      if (document.readyState === 'loading') addEventListener('DOMContentLoaded', showScriptFailedNotice);
      else showScriptFailedNotice();
    },
    // Error events of elements do not bubble.
    { capture: true },
  );
}
