/** Changes of the session by this tab. A module of its own, because home does not load it. */
import { ownerInCookies } from '../shared/hint-cookies.ts';
import { deleteCustomerData } from './customer-data.ts';
import { OWNER_KEY, setSession, updateStorage, USER_KEY, type SessionUser } from './session-user.ts';

/** Writes to the local storage, which fires the event 'storage' in the other tabs. */
const notifyOtherTabs = () =>
  updateStorage(() => {
    localStorage.setItem(OWNER_KEY, '');
    localStorage.removeItem(OWNER_KEY);
  });

/** Stores the signed-in user for this tab and updates all users of `useSession`. */
export function storeSession(details: Omit<SessionUser, 'loggedin'>) {
  const user: SessionUser = { loggedin: true, ...details };
  updateStorage(() => {
    sessionStorage.setItem(USER_KEY, JSON.stringify(user));
    sessionStorage.setItem(OWNER_KEY, ownerInCookies() ?? '');
  });
  setSession(user);
  notifyOtherTabs();
}

/**
 * Ends the session in all tabs, without a call to the server: deletes their session storage and the
 * customer's data.
 */
export function clearSession() {
  updateStorage(() => sessionStorage.clear());
  deleteCustomerData();
  setSession('signed-out');
  notifyOtherTabs();
}
