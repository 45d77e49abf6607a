import { CallRefused, ConnectionLost, ServerFault } from '../../../contract/call-failures.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { msg, type Message } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';

/**
 * Shows the error of an operation in a toast, and reports it if the server did not send it. Ignores
 * an aborted request.
 */
export function showProblem(error: unknown, doing: string) {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  showToast({ theme: 'red', durationMs: TOAST_MS.long, text: problemText(error) });
  if (!(error instanceof CallRefused)) reportProblem(error, { doing });
}

/** Shows the error of a refused change in a toast. */
export const showRefusal = (answer: Parameters<typeof toErrorMessage>[0]) =>
  showToast({ theme: 'red', durationMs: TOAST_MS.long, text: toErrorMessage(answer) });

export function problemText(error: unknown): Message {
  if (error instanceof ConnectionLost) return msg('We could not reach the server, please check your connection and try again');
  if (error instanceof CallRefused) return error;
  if (error instanceof ServerFault) return msg("Error - 'Something went wrong, try again later' posted to developers");
  return msg("Error - '{message}' posted to developers", { message: error instanceof Error ? error.message : String(error) });
}
