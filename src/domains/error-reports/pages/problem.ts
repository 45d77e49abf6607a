/**
 * Reports an unexpected error and shows the specified text (section 8; design section 6, "Errors").
 */
import { msg, type Message } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { CallRefused, ConnectionLost, ServerFault } from '../../../contract/call-failures.ts';
import { endTabSession } from '../../../browser/session-user.ts';
import { SCRIPT_FAILED, ScriptFailed } from '../../../browser/lazy-component.ts';

/**
 * Sends an error report in the background and ignores a failure. Does not report `ConnectionLost`.
 * Loads the script only now, because most visits have no error.
 */
export function reportProblem(error: unknown, context: Record<string, unknown>): void {
  if (error instanceof ConnectionLost) return;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  import('./report.ts').then(({ sendReport }) => sendReport({ message, stack, context })).catch(() => {});
}

/** The toast of a failure with a specified text. */
interface FailureToast {
  text: Message;
  durationMs?: number;
}

/**
 * Shows an error in a toast and reports it. Ignores an aborted request, and does not report an
 * error response. `toast` replaces the general text. `context` describes the operation and contains
 * no input.
 */
export function alertProblem(error: unknown, context: Record<string, unknown>, toast?: FailureToast) {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  const sessionEnded = error instanceof CallRefused && error.code === 'login-required';
  // The page now shows the link to the log-in.
  if (sessionEnded) endTabSession();
  showToast({ theme: 'red', durationMs: TOAST_MS.long, ...(toast && !sessionEnded ? toast : { text: problemText(error) }) });
  // The server has explained its error response.
  if (!(error instanceof CallRefused)) reportProblem(error, context);
}

/** Returns the text of an error of a call, or of any other error. */
function problemText(error: unknown): Message {
  if (error instanceof ConnectionLost) return msg('We could not reach the server, please check your connection and try again');
  if (error instanceof CallRefused) return error;
  if (error instanceof ScriptFailed) return SCRIPT_FAILED;
  // The server's message of a fault, translated as a whole.
  if (error instanceof ServerFault) return msg("Error - 'Something went wrong, try again later' posted to developers");
  return msg("Error - '{message}' posted to developers", { message: error instanceof Error ? error.message : String(error) });
}
