import { showToast } from '../../../ui/feedback/toast.ts';
import { fetchSend } from '../../../browser/client.ts';
import { clearSession } from '../../../browser/change-session.ts';
import { accountMessages, logout } from '../contract.ts';

/**
 * Ends the session on the server, then in all tabs. Throws if the call fails: the customer then
 * stays logged in, and the page shows it.
 */
export async function logOut({ everywhere = false } = {}) {
  await fetchSend(logout, { everywhere });
  clearSession();
  showToast({ text: accountMessages.loggedOut, theme: 'green' });
}
