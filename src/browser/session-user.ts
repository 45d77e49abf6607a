/**
 * The signed-in customer as this tab shows them: `userdata` in session storage, as specified (section 3). It is for display only: the
 * server identifies the customer by the session cookie alone.
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

/** The outlet context of the root. The call behind it belongs to a domain that some pages may not import. */
export interface SiteContext {
  /** Fetches the customer's details and publishes them to all components. */
  refreshSession(): Promise<void>;
}

/** 'unknown' before the server has responded: in the server's document, and in a new tab whose cookie may be live. */
export type Session = SessionUser | 'signed-out' | 'unknown';

const KEY = 'userdata';

// Module state: one store for useSyncExternalStore, because code outside components (the client's failures, log-out) changes it, too.
let session: Session = 'unknown';
const listeners = new Set<() => void>();

function publish(next: Session) {
  session = next;
  for (const listener of listeners) listener();
}

/** The server sets these cookies beside the HttpOnly one: without them a request would be useless. */
const mayHaveSession = () => /(?:^|; )signed_in=1/.test(document.cookie);
const mayBeGuest = () => /(?:^|; )guest=1/.test(document.cookie);

/** Storage may throw (blocked, private mode, quota): then the session lasts as long as the page. */
function write(change: (storage: Storage) => void) {
  try {
    change(sessionStorage);
  } catch {
    // The published session is the page's own copy.
  }
}

function stored(): SessionUser | undefined {
  try {
    const user = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as SessionUser | null;
    return user?.loggedin === true && typeof user.userid === 'string' ? user : undefined;
  } catch {
    return undefined;
  }
}

/** Called once at the start. Returns true if the session has to be fetched from the server. */
export function readStoredSession(): boolean {
  const user = mayHaveSession() ? stored() : undefined;
  const ask = !user && mayHaveSession();
  publish(user ?? (ask ? 'unknown' : 'signed-out'));
  return ask;
}

export function signInSession(details: Omit<SessionUser, 'loggedin'>) {
  const user: SessionUser = { loggedin: true, ...details };
  write((storage) => storage.setItem(KEY, JSON.stringify(user)));
  publish(user);
}

/** Ends the session in this tab after the server or another tab has ended it. The rest of the tab's storage stays. */
export function forgetSession() {
  write((storage) => storage.removeItem(KEY));
  document.cookie = 'guest=; path=/; max-age=0';
  publish('signed-out');
}

/** Clears the session when this tab is shown again after a log-out in another one. Returns the clean-up function. */
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

/** Log-out: deletes everything that this tab has stored. */
export function clearSession() {
  write((storage) => storage.clear());
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

/** True if a guest ordered in this browser and may view that order. For everything else a guest is signed out. */
export const useMayBeGuest = (): boolean => useSyncExternalStore(subscribe, mayBeGuest, () => false);

/** The signed-in customer; undefined if there is none or the session is unknown. */
export function useSessionUser(): SessionUser | undefined {
  const current = useSession();
  return typeof current === 'object' ? current : undefined;
}
