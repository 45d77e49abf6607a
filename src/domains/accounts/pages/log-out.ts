import { showToast } from '../../../ui/feedback/toast.ts';
import { fetchSend } from '../../../browser/client.ts';
import { clearSession } from '../../../browser/session-user.ts';
import { accountMessages, logout } from '../contract.ts';

/** Ends the session on the server first: should that fail, the customer is still signed in and sees so. */
export async function logOut({ everywhere = false } = {}) {
  await fetchSend(logout, { everywhere });
  clearSession();
  showToast({ text: accountMessages.loggedOut, theme: 'green' });
}
