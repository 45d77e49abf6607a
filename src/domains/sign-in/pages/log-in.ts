import type { ErrorMessage } from '../../../i18n/messages.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { signInSession } from '../../../browser/session-user.ts';
import { login } from '../../accounts/contract.ts';
import { track } from '../../analytics/pages/track.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { refreshSession } from '../../profile/pages/refresh-session.ts';

/** Logs in and fills `userdata`. Returns why the log-in failed, or undefined. */
export async function logIn(credentials: {
  mobile: string;
  password: string;
}): Promise<ErrorMessage<keyof typeof login.errors> | undefined> {
  const answer = await fetchSend(login, credentials);
  if (answer.response !== 'success') return toErrorMessage(answer);
  signInSession({ ...answer.data, wallet: 0 });
  track('login');
  // The log-in answers no balance. Failing to fetch it is no failed log-in.
  await refreshSession().catch((error: unknown) => reportProblem(error, { doing: 'fetching the details after log-in' }));
  return undefined;
}
