/**
 * The signed-in customer as this tab displays them: `userdata` in session storage (specification
 * section 3). The server identifies the customer by the session cookie only.
 */
import { useSyncExternalStore } from 'react';
import { createStore } from '../lib/store.ts';
import { HINT_COOKIES, hasHintCookie, ownerInCookies } from '../shared/hint-cookies.ts';
import { deleteCustomerData } from './customer-data.ts';

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

export const USER_KEY = 'userdata';
/** The hint cookie of the customer or guest to whom the values in session storage belong. */
export const OWNER_KEY = 'owner';

// Module state for useSyncExternalStore, because code outside components changes it, for example
// a log-out.
const store = createStore<Session>('unknown');

/** Sets the session of this tab and updates the components. Does not write the session storage. */
export const setSession = store.set;

/**
 * Returns true if the browser has the hint cookie of a customer: only then the tab requests the
 * session.
 */
const mayHaveSession = () => hasHintCookie('customer');
const mayBeGuest = () => hasHintCookie('guest');

/**
 * Runs a change of the storage. Ignores an unavailable storage (blocked, private mode, quota): the
 * session then lasts until a reload.
 */
export function updateStorage(change: () => void) {
  try {
    change();
  } catch {
    // The published session remains in memory.
  }
}

function readStoredUser(): SessionUser | undefined {
  try {
    const user = JSON.parse(sessionStorage.getItem(USER_KEY) ?? 'null') as SessionUser | null;
    return user?.loggedin === true && typeof user.userid === 'string' ? user : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Clears values of another owner and publishes the session of session storage. Called once when the
 * script starts. Returns true if the session must be fetched from the server.
 */
export function restoreSession(): boolean {
  dropStaleValues();
  const user = mayHaveSession() ? readStoredUser() : undefined;
  const mustFetch = !user && mayHaveSession();
  setSession(user ?? (mustFetch ? 'unknown' : 'signed-out'));
  return mustFetch;
}

/**
 * Ends the session in this tab after the server has ended it. Keeps the rest of the session
 * storage.
 */
export function endTabSession() {
  updateStorage(() => {
    sessionStorage.removeItem(USER_KEY);
    sessionStorage.removeItem(OWNER_KEY);
  });
  deleteCustomerData();
  document.cookie = `${HINT_COOKIES.guest}=; path=/; max-age=0`;
  setSession('signed-out');
}

/**
 * Clears the session storage if it belongs to a session that has ended or to another customer.
 * Returns whether it did. `isMessage`: another tab has reported the end or a change of the session.
 */
function dropStaleValues(isMessage = false): boolean {
  const owner = ownerInCookies();
  let isStale = false;
  updateStorage(() => {
    const stored = sessionStorage.getItem(OWNER_KEY);
    isStale = stored ? stored !== owner : isMessage && !owner;
    if (isStale) sessionStorage.clear();
    if (owner) sessionStorage.setItem(OWNER_KEY, owner);
  });
  return isStale;
}

/**
 * Loads home, without the values of this tab, when the session ends or changes in another tab. A
 * frozen tab gets no message and notices when it is shown.
 */
export function watchOtherTabs() {
  const check = ({ key }: Event & { key?: string | null }) => {
    if (dropStaleValues(key === OWNER_KEY)) location.replace('/');
  };
  for (const event of ['storage', 'visibilitychange', 'focus', 'blur']) window.addEventListener(event, check);
}

function currentUser(): SessionUser | undefined {
  const session = store.get();
  return typeof session === 'object' ? session : undefined;
}

/** The userid of the session of this tab, for calls outside components. */
export const currentUserid = (): string | undefined => currentUser()?.userid;

/** Returns the session of this tab. It is 'unknown' on the server and until hydration. */
export const useSession = (): Session => useSyncExternalStore(store.subscribe, store.get, () => 'unknown' as const);

/**
 * True if a guest ordered in this browser and may view that order. For everything else a guest is
 * signed out.
 */
export const useMayBeGuest = (): boolean => useSyncExternalStore(store.subscribe, mayBeGuest, () => false);

/**
 * Whether this browser has a customer or a guest, who may have orders. 'unknown' on the server and
 * until hydration; the pre-hydration script shows the same for that time (app.css).
 */
export const useKnownBrowser = (): 'yes' | 'no' | 'unknown' =>
  useSyncExternalStore(
    store.subscribe,
    () => (currentUser() || (store.get() === 'unknown' && mayHaveSession()) || mayBeGuest() ? 'yes' : 'no'),
    () => 'unknown',
  );

/** The signed-in customer; undefined if there is none or the session is unknown. */
export const useSessionUser = (): SessionUser | undefined => useSyncExternalStore(store.subscribe, currentUser, () => undefined);
