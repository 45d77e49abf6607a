/**
 * The signed-in customer as this tab displays them: `userdata` in session storage (specification
 * section 3). The server identifies the customer by the session cookie only.
 */
import { useSyncExternalStore } from 'react';
import { HINT_COOKIES, hasHintCookie } from '../shared/hint-cookies.ts';

export interface SessionUser {
  loggedin: true;
  name: string;
  email: string;
  mobile: string;
  userid: string;
  /** Rupees, as in the responses. */
  wallet: number;
}

/** The outlet context of the root, for pages that must not import the domain of the call. */
export interface SiteContext {
  /** Fetches the customer's details and publishes them to all components. */
  refreshSession(): Promise<void>;
}

/**
 * 'unknown' in the document of the server, and in a new tab until the server confirms its cookie.
 */
export type Session = SessionUser | 'signed-out' | 'unknown';

const KEY = 'userdata';

// Module state for useSyncExternalStore, because code outside components changes it, for example
// a log-out.
let session: Session = 'unknown';
const listeners = new Set<() => void>();

function publish(next: Session) {
  session = next;
  for (const listener of listeners) listener();
}

/** Without this cookie, the tab does not request the session. */
const mayHaveSession = () => hasHintCookie('customer');
const mayBeGuest = () => hasHintCookie('guest');

/**
 * Ignores an unavailable storage (blocked, private mode, quota): the session then lasts until a
 * reload.
 */
function updateStorage(change: (storage: Storage) => void) {
  try {
    change(sessionStorage);
  } catch {
    // The published session remains in memory.
  }
}

function readStoredUser(): SessionUser | undefined {
  try {
    const user = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as SessionUser | null;
    return user?.loggedin === true && typeof user.userid === 'string' ? user : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Called once when the script starts. Returns true if the session must be fetched from the server.
 */
export function restoreSession(): boolean {
  const user = mayHaveSession() ? readStoredUser() : undefined;
  const mustFetch = !user && mayHaveSession();
  publish(user ?? (mustFetch ? 'unknown' : 'signed-out'));
  return mustFetch;
}

/** Stores the signed-in user for this tab and updates all users of `useSession`. */
export function storeSession(details: Omit<SessionUser, 'loggedin'>) {
  const user: SessionUser = { loggedin: true, ...details };
  updateStorage((storage) => storage.setItem(KEY, JSON.stringify(user)));
  publish(user);
}

/**
 * Ends the session in this tab after the server has ended it. Keeps the rest of the session
 * storage.
 */
export function forgetSession() {
  updateStorage((storage) => storage.removeItem(KEY));
  document.cookie = `${HINT_COOKIES.guest}=; path=/; max-age=0`;
  publish('signed-out');
}

/**
 * Clears the session when this tab is shown again after a log-out in another one. Returns the
 * clean-up function.
 */
export function watchLogout(): () => void {
  const checkSession = () => {
    if (document.visibilityState === 'visible' && typeof session === 'object' && !mayHaveSession()) clearSession();
  };
  document.addEventListener('visibilitychange', checkSession);
  window.addEventListener('focus', checkSession);
  return () => {
    document.removeEventListener('visibilitychange', checkSession);
    window.removeEventListener('focus', checkSession);
  };
}

/** Logs out in this tab: deletes its session storage. */
export function clearSession() {
  updateStorage((storage) => storage.clear());
  publish('signed-out');
}

/** The userid of the session of this tab, for calls outside components. */
export const currentUserid = (): string | undefined => (typeof session === 'object' ? session.userid : undefined);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the session of this tab. It is 'unknown' on the server and until hydration. */
export const useSession = (): Session =>
  useSyncExternalStore(
    subscribe,
    () => session,
    () => 'unknown' as const,
  );

/**
 * True if a guest ordered in this browser and may view that order. For everything else a guest is
 * signed out.
 */
export const useMayBeGuest = (): boolean => useSyncExternalStore(subscribe, mayBeGuest, () => false);

/**
 * Whether this browser has a customer or a guest, who may have orders. 'unknown' on the server and
 * until hydration; the pre-hydration script shows the same for that time (app.css).
 */
export const useKnownBrowser = (): 'yes' | 'no' | 'unknown' =>
  useSyncExternalStore(
    subscribe,
    () => (typeof session === 'object' || (session === 'unknown' && mayHaveSession()) || mayBeGuest() ? 'yes' : 'no'),
    () => 'unknown',
  );

/** The signed-in customer; undefined if there is none or the session is unknown. */
export function useSessionUser(): SessionUser | undefined {
  const current = useSession();
  return typeof current === 'object' ? current : undefined;
}
