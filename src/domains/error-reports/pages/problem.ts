/** What a page does with an error that nobody expected: report it and say so, in the specified words (section 8; design section 6, "Errors"). */
import { asTold, fill, type Told } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { CallRefused, ConnectionLost } from '../../../contract/call-failures.ts';
import { forgetSession } from '../../../browser/session-user.ts';
import { ScriptFailed } from '../../../browser/lazy-component.ts';

/** Nobody waits for a report, and a failed one is silent. Its own script is fetched only now: nearly every visit ends without one. */
export function reportProblem(error: unknown, context: Record<string, unknown>): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (message === 'Failed to fetch') return;
  import('./report.ts').then(({ sendReport }) => sendReport({ message, stack, context })).catch(() => {});
}

/** What to say where the specification has words of its own for a failure. */
interface Words {
  text: Told;
  durationMs?: number;
}

/** For every catch of a page. `context` names what was being done, never what was typed. */
export function alertProblem(error: unknown, context: Record<string, unknown>, words?: Words) {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  const sessionIsOver = error instanceof CallRefused && error.status === 401;
  // The page shows itself as it is for strangers: with the way to the log-in.
  if (sessionIsOver) forgetSession();
  showToast({ theme: 'red', durationMs: TOAST_MS.long, ...(words && !sessionIsOver ? words : { text: problemText(error) }) });
  // What the server refused it has told in its own words, and written down itself.
  if (!(error instanceof CallRefused)) reportProblem(error, context);
}

function problemText(error: unknown): Told {
  if (error instanceof ConnectionLost) return 'We could not reach the server, please check your connection and try again';
  if (error instanceof CallRefused || error instanceof ScriptFailed) return asTold(error.message);
  return fill("Error - '{message}' posted to developers", { message: error instanceof Error ? error.message : String(error) });
}
