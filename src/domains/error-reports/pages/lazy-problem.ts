/** The functions of problem.ts, loaded only after an error, because most visits have none. */
import { msg } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';

const loadProblem = () => import('./problem.ts');

/**
 * Shows the alert of the error and reports it. If that code cannot be loaded, shows the alert of a
 * lost connection.
 */
export function lazyAlertProblem(error: unknown, context: Record<string, unknown>) {
  loadProblem().then(
    ({ alertProblem }) => alertProblem(error, context),
    // The network failed: the code cannot be loaded.
    () =>
      showToast({
        text: msg('We could not reach the server, please check your connection and try again'),
        theme: 'red',
        durationMs: TOAST_MS.long,
      }),
  );
}

/** Reports the error without an alert. Does nothing if that code cannot be loaded. */
export function lazyReportProblem(error: unknown, context: Record<string, unknown>) {
  loadProblem().then(
    ({ reportProblem }) => reportProblem(error, context),
    () => {},
  );
}
