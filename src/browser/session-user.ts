/**
 * The signed-in customer as this tab shows them: `userdata` in session storage, exactly as specified (section 3). It is for display; who someone is, the
 * server reads from the session cookie alone.
 */
import { useSyncExternalStore } from 'react';

export interface SessionUser {
  loggedin: true;
  name: string;
  email: string;
  mobile: string;
  userid: string;
  /** Rupees, as on the wire. */
  wallet: number;
}

/** What the root gives the pages. Asking the server who is signed in belongs to a domain that some of them may not use. */
export interface SiteContext {
  /** Asks the server for the customer's details, and shows them everywhere. */
  refreshSession(): Promise<void>;
}

/** 'unknown' while the page has not asked yet: in the server's document, and in a new tab whose cookie may still be live. */
export type Session = SessionUser | 'signed-out' | 'unknown';

const KEY = 'userdata';

let session: Session = 'unknown';
const listeners = new Set<() => void>();

function publish(next: Session) {
  session = next;
  for (const listener of listeners) listener();
}

/** The server sets these beside the HttpOnly cookie; they only say that asking is worth a request. */
const mayHaveSession = () => /(?:^|; )signed_in=1/.test(document.cookie);
const mayBeGuest = () => /(?:^|; )guest=1/.test(document.cookie);

function stored(): SessionUser | undefined {
  try {
    const user = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as SessionUser | null;
    return user?.loggedin === true && typeof user.userid === 'string' ? user : undefined;
  } catch {
    return undefined;
  }
}

/** Read once when the script starts; answers true when the server has to be asked. */
export function readStoredSession(): boolean {
  const user = mayHaveSession() ? stored() : undefined;
  const ask = !user && mayHaveSession();
  publish(user ?? (ask ? 'unknown' : 'signed-out'));
  return ask;
}

export function signInSession(details: Omit<SessionUser, 'loggedin'>) {
  const user: SessionUser = { loggedin: true, ...details };
  sessionStorage.setItem(KEY, JSON.stringify(user));
  publish(user);
}

/** Another tab's or the server's word that the session is over. What else this tab holds stays. */
export function forgetSession() {
  sessionStorage.removeItem(KEY);
  document.cookie = 'guest=; path=/; max-age=0';
  publish('signed-out');
}

/** Coming back to a tab after another one was logged out: this one shows nothing of the customer any more either. */
export function followOtherTabs(): () => void {
  const look = () => {
    if (document.visibilityState === 'visible' && typeof session === 'object' && !mayHaveSession()) clearSession();
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('focus', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('focus', look);
  };
}

/** Log-out: nothing of the customer stays in this tab. */
export function clearSession() {
  sessionStorage.clear();
  publish('signed-out');
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): Session =>
  useSyncExternalStore(
    subscribe,
    () => session,
    () => 'unknown' as const,
  );

/** Whether someone ordered as a guest in this browser and may follow that order; for everything else a guest is signed out. */
export const useMayBeGuest = (): boolean => useSyncExternalStore(subscribe, mayBeGuest, () => false);

/** The signed-in customer, or undefined while that is unknown or nobody is. */
export function useSessionUser(): SessionUser | undefined {
  const current = useSession();
  return typeof current === 'object' ? current : undefined;
}
