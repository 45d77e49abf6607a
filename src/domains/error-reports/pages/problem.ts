/** What a page does with an error that nobody expected: report it and say so, in the specified words (section 8; design section 6, "Errors"). */
import { msg, type Message } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { CallRefused, ConnectionLost } from '../../../contract/call-failures.ts';
import { forgetSession } from '../../../browser/session-user.ts';
import { SCRIPT_FAILED, ScriptFailed } from '../../../browser/lazy-component.ts';

/** Nobody waits for a report, and a failed one is silent. Its own script is fetched only now: nearly every visit ends without one. */
export function reportProblem(error: unknown, context: Record<string, unknown>): void {
  if (error instanceof ConnectionLost) return;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  import('./report.ts').then(({ sendReport }) => sendReport({ message, stack, context })).catch(() => {});
}

/** What to say where the specification has words of its own for a failure. */
interface Words {
  text: Message;
  durationMs?: number;
}

/** For every catch of a page. `context` names what was being done, never what was typed. */
export function alertProblem(error: unknown, context: Record<string, unknown>, words?: Words) {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  const sessionIsOver = error instanceof CallRefused && error.code === 'login-required';
  // The page shows itself as it is for strangers: with the way to the log-in.
  if (sessionIsOver) forgetSession();
  showToast({ theme: 'red', durationMs: TOAST_MS.long, ...(words && !sessionIsOver ? words : { text: problemText(error) }) });
  // What the server refused it has told in its own words, and written down itself.
  if (!(error instanceof CallRefused)) reportProblem(error, context);
}

function problemText(error: unknown): Message {
  if (error instanceof ConnectionLost) return msg('We could not reach the server, please check your connection and try again');
  if (error instanceof CallRefused) return error;
  if (error instanceof ScriptFailed) return SCRIPT_FAILED;
  return msg("Error - '{message}' posted to developers", { message: error instanceof Error ? error.message : String(error) });
}
