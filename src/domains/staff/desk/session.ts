/**
 * The session of the staff in this tab, and the client of every staff call. A call that needs a
 * log-in waits for it: the shell shows the log-in above the page, so that nothing typed is lost.
 * Module state, because the client is used outside components.
 */
import { useSyncExternalStore } from 'react';
import { CallRefused, ConnectionLost, requireData } from '../../../contract/call-failures.ts';
import type { Call, Envelope } from '../../../contract/define-call.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import type { Send, SendOptions } from '../../../contract/send.ts';
import { fetchSend } from '../../../browser/client.ts';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { createStore } from '../../../lib/store.ts';
import { setDraftOwner } from './draft-storage.ts';
import { STAFF_MOBILE_HEADER, staffLogout, staffMe, type Me, type staffError } from './contract.ts';

export type StaffSession =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: unknown }
  /** `ending`: why the server has ended the session, if it has. */
  | { readonly status: 'logged-out'; readonly ending: ErrorMessage | null }
  /** `reloginReason`: why a call waits for another log-in of the same person, null if none does. */
  | { readonly status: 'logged-in'; readonly me: Me; readonly reloginReason: LoginReason | null };

/** 'entries': the entries of the round wait for a log-in of any cause. */
export type LoginReason = 'login-required' | 'login-too-old' | 'entries';

const session = createStore<StaffSession>({ status: 'loading' });
/** Resolves the calls that wait for a log-in. */
let waiting: { promise: Promise<boolean>; resolve(isLoggedIn: boolean): void } | undefined;
const logins = createStore(0);

/** The number of log-ins in this tab. */
export const countLogins = (): number => logins.get();

/**
 * Calls the listener after every log-in, also after one that a call needed. Returns the function
 * that ends this.
 */
export const onLogin = logins.subscribe;

export const useStaffSession = (): StaffSession => useSyncExternalStore(session.subscribe, session.get);

/**
 * Reads who is logged in. Without a connection it is the person who was: the server still
 * authenticates every call.
 */
export async function startStaffSession(): Promise<void> {
  session.set({ status: 'loading' });
  try {
    const result = await fetchSend(staffMe, {});
    rememberMe(result.response === 'success' ? result.data : null);
    if (result.response === 'success') setLoggedIn(result.data);
    else setLoggedOut(sessionEndError(result));
  } catch (error) {
    const me = error instanceof ConnectionLost ? rememberedMe() : null;
    isRemembered = me !== null;
    if (me) setLoggedIn(me);
    else session.set({ status: 'failed', error });
  }
}

function setLoggedIn(me: Me) {
  setDraftOwner(me.mobile);
  session.set({ status: 'logged-in', me, reloginReason: null });
}

function setLoggedOut(ending: ErrorMessage | null) {
  setDraftOwner(null);
  session.set({ status: 'logged-out', ending });
}

/** The key of local storage. */
const REMEMBERED = 'staffmember';

/** The storage has the person of this tab. */
let isRemembered = false;

/**
 * Stores the person for a start without a connection; null deletes it. Does nothing if the browser
 * denies the storage.
 */
function rememberMe(me: Me | null) {
  isRemembered = false;
  try {
    if (me) localStorage.setItem(REMEMBERED, JSON.stringify(me));
    else localStorage.removeItem(REMEMBERED);
    isRemembered = me !== null;
  } catch {
    // Then the console does not start without a connection, and does not notice other tabs.
  }
}

/** Reloads this tab after a log-out, or the log-in of another person, in another tab. */
export function followOtherTabs() {
  const follow = () => {
    const current = session.get();
    const isOther = current.status === 'logged-in' && isRemembered && rememberedMe()?.mobile !== current.me.mobile;
    if (isOther) window.location.reload();
  };
  window.addEventListener('storage', follow);
  // A tab that was frozen has missed the event.
  document.addEventListener('visibilitychange', follow);
}

/** Returns null without a stored person. */
function rememberedMe(): Me | null {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? 'null') as Me | null;
  } catch {
    return null;
  }
}

/**
 * Stores the person who has logged in, and sends the calls that wait for the log-in. Reloads the
 * page if another person was logged in.
 */
export function rememberLogin(me: Me) {
  rememberMe(me);
  const current = session.get();
  if (current.status === 'logged-in' && current.me.mobile !== me.mobile) return window.location.reload();
  setLoggedIn(me);
  waiting?.resolve(true);
  waiting = undefined;
  logins.set(logins.get() + 1);
}

/** Closes the dialog of the log-in. The calls that wait for the log-in fail. */
export function cancelLogin() {
  const current = session.get();
  if (current.status === 'logged-in') session.set({ ...current, reloginReason: null });
  waiting?.resolve(false);
  waiting = undefined;
}

/** Ends the session. Throws if the call fails: the person then stays logged in. */
export async function logOut(): Promise<void> {
  await fetchSend(staffLogout, {});
  rememberMe(null);
  cancelLogin();
  setLoggedOut(null);
}

const ENDED = new Set<string>(['person-removed', 'session-ended'] satisfies (keyof typeof staffError.texts)[]);

/** Returns why the server has ended the session of this browser. Null if it has not. */
const sessionEndError = (result: Envelope<Me>): ErrorMessage | null =>
  result.response === 'error' && ENDED.has(result.code ?? '') ? toErrorMessage(result) : null;

/**
 * Ends the session in the tabs of this browser if the server has ended it: an owner has removed the
 * person, or given another role or password. The log-in replaces the page and its data. Returns
 * whether it did. A session that has expired stays.
 */
export async function leaveIfEnded(): Promise<boolean> {
  if (session.get().status !== 'logged-in') return false;
  const loginsBefore = logins.get();
  let ending: ErrorMessage | null = null;
  // Twice: the first request may have been sent before a log-in in this tab or another.
  for (let time = 0; time < 2; time += 1) {
    const result = await fetchSend(staffMe, {}).catch(() => undefined);
    ending = result ? sessionEndError(result) : null;
    if (!ending) return false;
  }
  if (session.get().status !== 'logged-in' || logins.get() !== loginsBefore) return false;
  rememberMe(null);
  cancelLogin();
  setLoggedOut(ending);
  return true;
}

const ENDING_CHECK_MS = 15_000;

/** Calls `leaveIfEnded` while the page is visible. Returns the function that ends this. */
export function watchSessionEnd(): () => void {
  const check = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) void leaveIfEnded();
  };
  const timer = setInterval(check, ENDING_CHECK_MS);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}

/**
 * Shows the log-in above the page. Resolves to false if the person does not log in, or at once if
 * there was no session or the server has ended it.
 */
export async function askForLogin(reason: LoginReason): Promise<boolean> {
  if (!waiting && (await leaveIfEnded())) return false;
  const current = session.get();
  if (current.status !== 'logged-in') return false;
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting = { promise, resolve };
  }
  session.set({ ...current, reloginReason: reason });
  return waiting.promise;
}

function currentMobile(): string | undefined {
  const current = session.get();
  return current.status === 'logged-in' ? current.me.mobile : undefined;
}

/**
 * The header that names the person of this tab, or of the entry that it sends. Another tab may have
 * begun the session of another person: the server then asks for a log-in.
 */
export function staffHeaders(mobile = currentMobile()): Record<string, string> {
  return mobile === undefined ? {} : { [STAFF_MOBILE_HEADER]: mobile };
}

const loginReason = (error: unknown): LoginReason | undefined =>
  error instanceof CallRefused && (error.code === 'login-required' || error.code === 'login-too-old') ? error.code : undefined;

/**
 * Sends a call with `fetchSend`. If the session has ended or is too old for the call, waits for a
 * log-in and sends the call again. Throws the error of the call if the person does not log in.
 */
export const staffSend: Send = async (call, body, options) => {
  const loginsBefore = logins.get();
  const send = () => fetchSend(call, body, { ...options, headers: staffHeaders() });
  try {
    return await send();
  } catch (error) {
    const reason = loginReason(error);
    if (reason === undefined) throw error;
    // The refused request may have been sent before a log-in.
    if (logins.get() === loginsBefore && !(await askForLogin(reason))) {
      // The log-in that replaces the page shows the reason. An error beside it would contradict it.
      throw session.get().status === 'logged-out' ? new DOMException('The session has ended', 'AbortError') : error;
    }
    return send();
  }
};

/**
 * Sends a call that only reads with `staffSend`. Returns its data. May wait for a log-in. Throws
 * `CallRefused` if it is refused, `ConnectionLost`, and an AbortError if the session has ended.
 */
export async function staffRead<Body, Data, Code extends string = never>(
  call: Call<Body, Data, Code>,
  body: Body,
  options?: SendOptions,
): Promise<Data> {
  return requireData(await staffSend(call, body, options));
}

/** Returns the person who is logged in. Throws outside the shell of the console. */
export function useMe(): Me {
  const current = useStaffSession();
  if (current.status !== 'logged-in') throw new Error('This screen is outside the shell of the console');
  return current.me;
}
