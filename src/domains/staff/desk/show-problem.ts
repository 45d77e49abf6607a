import { CallRefused, ConnectionLost, ServerFault } from '../../../contract/call-failures.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { msg, type Message } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';

/** Shows the error of a change that no form shows. */
export const showError = (text: Message) => showToast({ theme: 'red', durationMs: TOAST_MS.long, text });

/**
 * Shows the error of an operation, and reports it if the server did not send it. Ignores an aborted
 * request. `show` is for the error of a form, which is shown in the form.
 */
export function showProblem(error: unknown, doing: string, show: (text: Message) => void = showError) {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  show(problemText(error));
  if (!(error instanceof CallRefused)) reportProblem(error, { doing });
}

/** Shows the error of a refused change. */
export const showRefusal = (result: Parameters<typeof toErrorMessage>[0], show: (text: Message) => void = showError) =>
  show(toErrorMessage(result));

/** Returns the text of an error of a call, or of any other error. */
export function problemText(error: unknown): Message {
  if (error instanceof ConnectionLost) return msg('We could not reach the server, please check your connection and try again');
  if (error instanceof CallRefused) return error;
  if (error instanceof ServerFault) return msg("Error - 'Something went wrong, try again later' posted to developers");
  return msg("Error - '{message}' posted to developers", { message: error instanceof Error ? error.message : String(error) });
}
