import type { ErrorMessage } from '../../../i18n/messages.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { storeSession } from '../../../browser/change-session.ts';
import { deleteCustomerData } from '../../../browser/customer-data.ts';
import { login } from '../../accounts/contract.ts';
import { track } from '../../analytics/pages/track.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { refreshSession } from '../../profile/pages/refresh-session.ts';

/**
 * Logs in and stores `userdata`. Returns the error of a failed log-in, otherwise undefined. Throws
 * the errors of `fetchSend`.
 */
export async function logIn(credentials: {
  mobile: string;
  password: string;
}): Promise<ErrorMessage<keyof typeof login.errors> | undefined> {
  const result = await fetchSend(login, credentials);
  if (result.response !== 'success') return toErrorMessage(result);
  deleteCustomerData();
  storeSession({ ...result.data, wallet: 0 });
  track('login');
  // The response contains no wallet balance. A failure to fetch it does not fail the log-in.
  await refreshSession().catch((error: unknown) => reportProblem(error, { doing: 'fetching the details after log-in' }));
  return undefined;
}
