import { CallRefused } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { forgetSession, signInSession } from '../../../browser/session-user.ts';
import { getUserDetails } from '../contract.ts';

/** Asks the server who is signed in, and shows that: in a new tab with a live cookie, and after anything that changed the details. */
export async function refreshSession() {
  try {
    const answer = await fetchSend(getUserDetails, {});
    if (answer.response !== 'success') return forgetSession();
    const { wallet, ...details } = answer.data;
    signInSession({ ...details, wallet: wallet / 100 });
  } catch (error) {
    if (error instanceof CallRefused && error.code === 'login-required') return forgetSession();
    throw error;
  }
}
