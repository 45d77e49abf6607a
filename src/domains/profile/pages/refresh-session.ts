import * as z from 'zod/mini';
import { rupees } from '../../../contract/define-call.ts';
import { CallRefused } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { storeSession } from '../../../browser/change-session.ts';
import { currentUserid, endTabSession } from '../../../browser/session-user.ts';
import { getUserDetails } from '../contract.ts';

/**
 * Reads the details of the signed-in customer from the server and stores them for this tab. A new
 * tab has no userid yet and sends no token. Removes the details if the session has ended
 * or belongs to another customer. Throws if the call fails for another reason.
 */
export async function refreshSession() {
  try {
    const result = await fetchSend(getUserDetails, { token: currentUserid() });
    if (result.response !== 'success') return endTabSession();
    const { wallet, ...details } = result.data;
    storeSession({ ...details, wallet: z.encode(rupees, wallet) });
  } catch (error) {
    if (error instanceof CallRefused && error.code === 'login-required') return endTabSession();
    throw error;
  }
}
