import { showToast } from './ui/feedback/toast.ts';

/** What tells of a problem is fetched when there is one: nearly every visit ends without. */
const problems = () => import('./domains/error-reports/pages/problem.ts');

export function alertLater(error: unknown, context: Record<string, unknown>) {
  problems().then(
    ({ alertProblem }) => alertProblem(error, context),
    // Not even that can be fetched.
    () => showToast({ text: 'We could not reach the server, please check your connection and try again', theme: 'red', durationMs: 5000 }),
  );
}

export function reportLater(error: unknown, context: Record<string, unknown>) {
  problems().then(
    ({ reportProblem }) => reportProblem(error, context),
    () => {},
  );
}
