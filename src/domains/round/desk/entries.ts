/**
 * Sends the entries of the person who is logged in, while the console is open. A Web Lock lets one
 * tab send at a time. Where browsers have none, the keys of the entries still make every change
 * happen once.
 */
import { useSyncExternalStore } from 'react';
import { CallRefused } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { systemClock } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import { createStore } from '../../../lib/store.ts';
import { msg, type ErrorMessage } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { getDeskOrder, MAX_WRONG_CODES, type ListedOrder } from '../../order-desk/desk/contract.ts';
import { CANCELLED_MEANWHILE, MOVED_PICKUP } from '../../order-desk/desk/rules.ts';
import type { Stage } from '../../orders/contract.ts';
import { askForLogin, countLogins, onLogin, staffHeaders } from '../../staff/desk/session.ts';
import {
  outcomeOfEnvelope,
  outcomeOfError,
  requestOf,
  retryDelayMs,
  sendableEntries,
  sentAgain,
  type Change,
  type Entry,
  type Outcome,
} from './entry.ts';
import {
  changeStop,
  deleteEntry,
  deleteStops,
  finishEntry,
  insertEntry,
  listEntries,
  refreshPhoneData,
  refuseEntry,
  replaceEntry,
} from './phone-store.ts';

const LOCK = 'entries of the staff';

let owner: string | undefined;
const needsLogin = createStore(false);
/** The orders whose last request failed. */
const failures = new Map<string, { count: number; retryAt: number }>();
let timer: ReturnType<typeof setTimeout> | undefined;
let running = false;
let again = false;

/** True if entries wait for a log-in that the person has not made. */
export const useNeedsLogin = (): boolean => useSyncExternalStore(needsLogin.subscribe, needsLogin.get);

/** Begins to send the entries of a person. Returns the function that stops it. */
export function startSending(mobile: string): () => void {
  owner = mobile;
  const sendNow = () => {
    failures.clear();
    void sendEntries();
  };
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return;
    // Another tab may have logged in.
    needsLogin.set(false);
    sendNow();
  };
  const stopListening = onLogin(() => {
    needsLogin.set(false);
    sendNow();
  });
  window.addEventListener('online', sendNow);
  document.addEventListener('visibilitychange', onVisible);
  void refreshPhoneData().catch(() => undefined);
  sendNow();
  return () => {
    owner = undefined;
    needsLogin.set(false);
    clearTimeout(timer);
    stopListening();
    window.removeEventListener('online', sendNow);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/**
 * Keeps a change of an order, and sends it as soon as possible. Returns how its first request
 * ended, `wait` if it waits for an earlier one. A refused change is not kept: its form still shows
 * what was typed. Throws if the browser cannot keep it.
 */
export async function addEntry(
  change: Change,
  { orderid, name, version }: Pick<ListedOrder, 'orderid' | 'name' | 'version'>,
): Promise<Outcome> {
  if (owner === undefined) throw new Error('An entry needs a person');
  const at = systemClock.now().toISOString();
  const key = newId();
  await insertEntry({ ...change, owner, orderid, name, version, key, at, refusal: null });
  // A browser that is short of space deletes other storage first.
  void navigator.storage?.persist?.().catch(() => false);
  const [next] = sendableEntries((await ownEntries()).filter((entry) => entry.orderid === orderid));
  const outcome = next?.key === key ? firstOutcome(key) : Promise.resolve({ kind: 'wait' } as const);
  void sendEntries();
  return outcome;
}

/**
 * The forms that wait for the first outcome of their entries, by key. The function that removes a
 * form resolves it, so that no entry is deleted whose form has closed.
 */
const forms = new Map<string, (outcome: Outcome) => void>();

/** A form does not wait longer: its entry may be sent by another tab, or to a slow server. */
const FORM_WAIT_MS = 4000;

function firstOutcome(key: string): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  forms.set(key, resolve);
  const timeout = setTimeout(() => {
    if (forms.delete(key)) resolve({ kind: 'wait' });
  }, FORM_WAIT_MS);
  return promise.finally(() => clearTimeout(timeout));
}

/** Sends a refused entry again, with the current version of its order. */
export async function sendAgain(entry: Entry): Promise<void> {
  const result = await fetchSend(getDeskOrder, { orderid: entry.orderid }, { headers: staffHeaders(entry.owner) });
  const version = result.response === 'success' ? result.data.version : entry.version;
  await replaceEntry(sentAgain(entry, { key: newId(), version }));
  failures.delete(entry.orderid);
  void sendEntries();
}

/** Sends a refused weighing again, which moves the pickup to the day of the entry. */
export const collectNow = (entry: Entry & { call: 'weigh' }): Promise<void> =>
  sendAgain({ ...entry, body: { ...entry.body, collect_now: true } });

/** Deletes a refused entry, whose person has confirmed it. */
export async function discardEntry(entry: Entry): Promise<void> {
  await deleteEntry(entry);
  void sendEntries();
}

/** Returns the number of entries of a person that are not with the laundry. */
export const countEntries = async (mobile: string | undefined): Promise<number> =>
  (await listEntries()).filter((entry) => entry.owner === mobile).length;

/** Deletes the names and addresses of customers. Entries stay until their person sends them. */
export async function forgetStops(): Promise<void> {
  // A browser that denies the storage has none.
  await deleteStops().catch(() => undefined);
}

/** Asks for the log-in for which entries wait. */
export async function logInToSend(): Promise<void> {
  await askForLogin();
}

/** Sends everything that can be sent. Concurrent calls run one after another. */
async function sendEntries(): Promise<void> {
  again = true;
  if (running) return;
  running = true;
  try {
    while (again) {
      again = false;
      await withLock(sendAll);
    }
  } catch (error) {
    reportProblem(error, { doing: 'sending entries' });
  } finally {
    running = false;
  }
  schedule();
  if (needsLogin.get()) await logInToSend();
}

const withLock = (work: () => Promise<void>): Promise<void> => (navigator.locks ? navigator.locks.request(LOCK, work) : work());

async function ownEntries(): Promise<Entry[]> {
  return (await listEntries()).filter((entry) => entry.owner === owner);
}

const isDue = (orderid: string) => (failures.get(orderid)?.retryAt ?? 0) <= performance.now();

/** Sends the entries of each order apart from those of the others. */
async function sendAll() {
  if (owner === undefined || needsLogin.get()) return;
  const orderids = sendableEntries(await ownEntries()).map(({ orderid }) => orderid);
  // The entry was refused, discarded or sent by another tab: no timer waits for its order.
  for (const orderid of failures.keys()) if (!orderids.includes(orderid)) failures.delete(orderid);
  await Promise.all(orderids.filter(isDue).map(sendOrder));
}

function waitWith(orderid: string, { retryAfterSeconds }: Outcome & { kind: 'wait' }) {
  const count = (failures.get(orderid)?.count ?? 0) + 1;
  failures.set(orderid, { count, retryAt: performance.now() + retryDelayMs(count, retryAfterSeconds) });
}

/** Does nothing if the person has logged in since the refused request was sent. */
function waitForLogin(loginsBefore: number) {
  if (countLogins() === loginsBefore) needsLogin.set(true);
  else again = true;
}

/** Sends the entries of an order, one after another, until one is not done. */
async function sendOrder(orderid: string) {
  for (;;) {
    const [entry] = sendableEntries((await ownEntries()).filter((other) => other.orderid === orderid));
    if (!entry) return;
    const loginsBefore = countLogins();
    const outcome = await send(entry);
    const resolveForm = forms.get(entry.key);
    forms.delete(entry.key);
    try {
      if (outcome.kind === 'done') {
        failures.delete(orderid);
        await finishEntry(entry, outcome.order);
      }
      if (outcome.kind === 'log-in') waitForLogin(loginsBefore);
      if (outcome.kind === 'wait') waitWith(orderid, outcome);
      if (outcome.kind === 'refused') {
        await updateStopFromRefusal(orderid, outcome.refusal);
        if (resolveForm) await deleteEntry(entry);
        else await refuseEntry(entry, outcome.refusal);
        if (!resolveForm) showToast({ theme: 'red', durationMs: TOAST_MS.long, text: msg('An entry of the round was not accepted') });
      }
    } finally {
      resolveForm?.(outcome);
    }
    if (outcome.kind !== 'done') return;
  }
}

/**
 * Updates the cached stop from a refusal: attempts left, new day, cancellation. The rider's lists
 * would not contain these orders.
 */
async function updateStopFromRefusal(orderid: string, { code, params }: ErrorMessage) {
  if (code === 'wrong-hand-over-code') await changeStop(orderid, { wrong_codes: MAX_WRONG_CODES - Number(params.left) });
  if (code === 'too-many-codes') await changeStop(orderid, { wrong_codes: MAX_WRONG_CODES });
  if (MOVED_PICKUP.has(code)) await changeStop(orderid, { pickup_date: String(params.day) });
  if (CANCELLED_MEANWHILE.has(code)) await changeStop(orderid, { stage: 'cancelled' satisfies Stage });
}

async function send(entry: Entry): Promise<Outcome> {
  const { call, body } = requestOf(entry);
  try {
    return outcomeOfEnvelope(await fetchSend(call, body, { idempotencyKey: entry.key, headers: staffHeaders(entry.owner) }));
  } catch (error) {
    const outcome = outcomeOfError(error);
    if (outcome.kind === 'refused' && !(error instanceof CallRefused)) reportProblem(error, { doing: 'sending an entry' });
    return outcome;
  }
}

/** Sets the timer of the next attempt, for the order whose wait ends first. */
function schedule() {
  clearTimeout(timer);
  if (failures.size === 0 || owner === undefined || needsLogin.get()) return;
  const next = Math.min(...[...failures.values()].map(({ retryAt }) => retryAt));
  timer = setTimeout(() => void sendEntries(), Math.max(0, next - performance.now()));
}
