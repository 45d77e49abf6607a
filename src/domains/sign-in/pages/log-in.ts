import { fetchSend } from '../../../browser/client.ts';
import { signInSession } from '../../../browser/session-user.ts';
import { login } from '../../accounts/contract.ts';
import { track } from '../../analytics/pages/track.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { refreshSession } from '../../profile/pages/refresh-session.ts';

/** Logs in and fills `userdata`; answers the call's message when it was refused. */
export async function logIn(credentials: { mobile: string; password: string }): Promise<{ refused: string } | undefined> {
  const answer = await fetchSend(login, credentials);
  if (answer.response !== 'success') return { refused: answer.message };
  signInSession({ ...answer.data, wallet: 0 });
  track('login');
  // The log-in answers no balance. Failing to fetch it is no failed log-in.
  await refreshSession().catch((error: unknown) => reportProblem(error, { doing: 'fetching the details after log-in' }));
  return undefined;
}
