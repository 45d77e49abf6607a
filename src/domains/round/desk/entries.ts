/**
 * The queue of this tab, while the console is open. A Web Lock lets one tab send at a time. Where
 * browsers have none, the keys of the entries still make every change happen once.
 */
import { useSyncExternalStore } from 'react';
import { CallRefused } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { DAY_SECONDS, systemClock } from '../../../lib/clock.ts';
import { msg } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { getDeskOrder, type ListedOrder } from '../../order-desk/desk/contract.ts';
import { uploadOrderPhoto } from '../../order-desk/desk/upload-photo.ts';
import { askForLogin, countLogins, onLogin, staffHeaders } from '../../staff/desk/session.ts';
import { createEntryQueue } from './entry-queue.ts';
import { outcomeOfEnvelope, outcomeOfError, outcomeOfPhoto, requestOf, type Change, type Entry, type EntryOutcome } from './entry.ts';
import {
  changeStop,
  deleteEntry,
  deleteStops,
  deleteStopsSeenBefore,
  finishEntry,
  insertEntry,
  listEntries,
  refreshPhoneData,
  replaceEntry,
} from './phone-store.ts';

const LOCK = 'entries of the staff';
/** The stops are of no use later, and the phone of a person who was removed keeps no names. */
const STOPS_LIFETIME_MS = DAY_SECONDS * 1000;

const queue = createEntryQueue({
  store: { list: listEntries, insert: insertEntry, replace: replaceEntry, delete: deleteEntry, finish: finishEntry, changeStop },
  clock: systemClock,
  send,
  async readVersion({ orderid, owner, version }) {
    const result = await fetchSend(getDeskOrder, { orderid }, { headers: staffHeaders(owner) });
    return result.response === 'success' ? result.data.version : version;
  },
  withLock: (work) => (navigator.locks ? navigator.locks.request(LOCK, work) : work()),
  countLogins,
  askForLogin: () => askForLogin('entries'),
  onRefused: () => showToast({ theme: 'red', durationMs: TOAST_MS.long, text: msg('An entry of the round was not accepted') }),
  onError: (error) => reportProblem(error, { doing: 'sending entries' }),
});

/** Returns true while entries wait for a log-in. */
export const useNeedsLogin = (): boolean => useSyncExternalStore(queue.needsLogin.subscribe, queue.needsLogin.get);

/** Begins to send the entries of a person. Returns the function that stops it. */
export function startSending(mobile: string): () => void {
  const onOnline = () => void queue.sendNow();
  const onVisible = () => {
    // Another tab may have logged in.
    if (document.visibilityState === 'visible') void queue.sendAfterLogin();
  };
  const stopListening = onLogin(() => void queue.sendAfterLogin());
  window.addEventListener('online', onOnline);
  document.addEventListener('visibilitychange', onVisible);
  void deleteStopsSeenBefore(systemClock.now().getTime() - STOPS_LIFETIME_MS)
    .then(refreshPhoneData)
    .catch(() => undefined);
  void queue.start(mobile);
  return () => {
    queue.stop();
    stopListening();
    window.removeEventListener('online', onOnline);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/** Adds a change to the queue, and asks the browser to keep the storage. See `add` of the queue. */
export function addEntry(change: Change, order: Pick<ListedOrder, 'orderid' | 'name' | 'version'>): Promise<EntryOutcome> {
  // A browser that is short of space deletes other storage first.
  void navigator.storage?.persist?.().catch(() => false);
  return queue.add(change, order);
}

export const sendAgain = (entry: Entry): Promise<void> => queue.sendAgain(entry);

/** Sends a refused weighing again, which moves the pickup to the day of the entry. */
export const collectNow = (entry: Entry & { call: 'weigh' }): Promise<void> =>
  queue.sendAgain({ ...entry, body: { ...entry.body, collect_now: true } });

export const discardEntry = (entry: Entry): Promise<void> => queue.discard(entry);

/** Returns the number of entries of a person that the server has not accepted. */
export const countEntries = async (mobile: string | undefined): Promise<number> =>
  (await listEntries()).filter((entry) => entry.owner === mobile).length;

/** Returns the number of photos that this phone keeps, of all people. */
export const countPhotos = async (): Promise<number> => (await listEntries()).filter(({ call }) => call === 'photo').length;

/**
 * Deletes the seen stops with their names and addresses. Keeps the entries until their person sends
 * them. Never rejects.
 */
export async function deleteSeenStops(): Promise<void> {
  // A browser that denies the storage has none.
  await deleteStops().catch(() => undefined);
}

/**
 * Shows the log-in, after which the queue sends the entries. Resolves once the person has logged in
 * or cancelled, at once if the tab has no session. Ends a session that the server has ended as
 * `leaveIfEnded` does, without a log-in.
 */
export async function logInToSend(): Promise<void> {
  await askForLogin('entries');
}

async function send(entry: Entry): Promise<EntryOutcome> {
  try {
    if (entry.call === 'photo') {
      const { orderid, at, key: idempotencyKey, owner } = entry;
      const { kind, photo } = entry.body;
      const body = { orderid, kind, ...(at !== null && { at }) };
      return outcomeOfPhoto(await uploadOrderPhoto(photo, body, { idempotencyKey, owner }));
    }
    const { call, body } = requestOf(entry);
    return outcomeOfEnvelope(await fetchSend(call, body, { idempotencyKey: entry.key, headers: staffHeaders(entry.owner) }));
  } catch (error) {
    const outcome = outcomeOfError(error);
    if (outcome.kind === 'refused' && !(error instanceof CallRefused)) reportProblem(error, { doing: 'sending an entry' });
    return outcome;
  }
}
