/**
 * The data of the round on this phone, in IndexedDB: entries, the stops that were seen last, and
 * their order. All tabs of the browser share it. Every function throws if the browser denies the
 * storage.
 */
import { useSyncExternalStore } from 'react';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { newId } from '../../../lib/ids.ts';
import { createStore } from '../../../lib/store.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import type { DeskOrder, ListedOrder } from '../../order-desk/desk/contract.ts';
import { entriesToUpdate, isReplacedBy, type Entry, type NewEntry } from './entry.ts';
import { newestStops, withOrder, type SeenStops } from './stops.ts';

interface PhoneSchema extends DBSchema {
  entries: { key: number; value: Entry };
  /** One record. */
  seen: { key: string; value: SeenStops };
  /** The order of the stops of each person, by mobile. */
  sequences: { key: string; value: readonly string[] };
}

const NAME = 'staff';
/** Another key for another form of the stops: those of an older version are not read. */
const STOPS = 'stops 2';

let opening: Promise<IDBPDatabase<PhoneSchema>> | undefined;

/** Returns the connection of this tab. Opens it again after a failure or a close. */
function openDatabase(): Promise<IDBPDatabase<PhoneSchema>> {
  opening ??= openDB<PhoneSchema>(NAME, 1, {
    upgrade(db) {
      db.createObjectStore('entries', { keyPath: 'id', autoIncrement: true });
      db.createObjectStore('seen');
      db.createObjectStore('sequences');
    },
    // Another tab has a newer version of the console.
    blocking(_version, _next, event) {
      (event.target as IDBDatabase).close();
      opening = undefined;
    },
    terminated: () => (opening = undefined),
  }).catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** The data that screens show. */
export interface PhoneData {
  /** The entries of all people who used this phone, the oldest first. */
  readonly entries: readonly Entry[];
  readonly seen: SeenStops | undefined;
  readonly sequences: ReadonlyMap<string, readonly string[]>;
}

const data = createStore<PhoneData | undefined>(undefined);
/** The key of local storage whose new value makes the other tabs read the storage again. */
const CHANGED = 'staffentries';
window.addEventListener('storage', ({ key }) => {
  if (key === CHANGED) refreshPhoneData().catch((error: unknown) => reportProblem(error, { doing: 'reading entries' }));
});

/** Undefined until the storage has been read. */
export const usePhoneData = (): PhoneData | undefined => useSyncExternalStore(data.subscribe, data.get);

/** Reads the storage, updates `usePhoneData` and returns the data. */
export async function refreshPhoneData(): Promise<PhoneData> {
  const tx = (await openDatabase()).transaction(['entries', 'seen', 'sequences']);
  const sequences = tx.objectStore('sequences');
  const [entries, seen, owners, values] = await Promise.all([
    tx.objectStore('entries').getAll(),
    tx.objectStore('seen').get(STOPS),
    sequences.getAllKeys(),
    sequences.getAll(),
  ]);
  const read = { entries, seen, sequences: new Map(owners.map((owner, index) => [owner, values[index] ?? []])) };
  data.set(read);
  return read;
}

/** Updates `usePhoneData` in this tab and the others. */
async function publish() {
  await refreshPhoneData();
  localStorage.setItem(CHANGED, newId());
}

/** Inserts an entry and deletes the refused ones that it replaces. */
export async function insertEntry(entry: NewEntry): Promise<void> {
  const tx = (await openDatabase()).transaction('entries', 'readwrite');
  for (const earlier of await tx.store.getAll()) if (isReplacedBy(earlier, entry)) await tx.store.delete(earlier.id);
  // The storage assigns the id.
  await tx.store.add(entry as Entry);
  await tx.done;
  await publish();
}

export const listEntries = async (): Promise<Entry[]> => (await openDatabase()).getAll('entries');

/** Replaces an entry. Does nothing if it has been deleted. */
export async function replaceEntry(entry: Entry): Promise<void> {
  const tx = (await openDatabase()).transaction('entries', 'readwrite');
  if (await tx.store.get(entry.id)) await tx.store.put(entry);
  await tx.done;
  await publish();
}

export async function deleteEntry({ id }: Entry): Promise<void> {
  await (await openDatabase()).delete('entries', id);
  await publish();
}

/**
 * Deletes an entry that the server has made, and stores the values of the response. Without them,
 * later entries keep their version, so that the server refuses them.
 */
export async function finishEntry(entry: Entry, order: DeskOrder | null): Promise<void> {
  if (!order) return deleteEntry(entry);
  const tx = (await openDatabase()).transaction(['entries', 'seen'], 'readwrite');
  const [entries, seen] = [tx.objectStore('entries'), tx.objectStore('seen')];
  await entries.delete(entry.id);
  for (const later of entriesToUpdate(await entries.getAll(), entry, order)) await entries.put({ ...later, version: order.version });
  const before = await seen.get(STOPS);
  if (before) await seen.put({ ...before, stops: before.stops.map((stop) => withOrder(stop, order)) }, STOPS);
  await tx.done;
  await publish();
}

/** Replaces the seen stops. Keeps a stop whose stored version is newer than the listed one. */
export async function storeStops(owner: string, listed: readonly ListedOrder[], seenAt: number): Promise<void> {
  const tx = (await openDatabase()).transaction('seen', 'readwrite');
  const before = await tx.store.get(STOPS);
  await tx.store.clear();
  await tx.store.put({ owner, seenAt, stops: newestStops(listed, before?.stops ?? []) }, STOPS);
  await tx.done;
  await publish();
}

/** Sets values of a seen stop, from a refusal. Does nothing if the order is not among the stops. */
export async function changeStop(orderid: string, values: Partial<ListedOrder>): Promise<void> {
  const tx = (await openDatabase()).transaction('seen', 'readwrite');
  const before = await tx.store.get(STOPS);
  const stops = before?.stops.map((stop) => (stop.orderid === orderid ? { ...stop, ...values } : stop));
  if (before && stops) await tx.store.put({ ...before, stops }, STOPS);
  await tx.done;
  await publish();
}

export async function storeSequence(owner: string, orderids: readonly string[]): Promise<void> {
  await (await openDatabase()).put('sequences', orderids, owner);
  await publish();
}

export async function deleteStops(): Promise<void> {
  await (await openDatabase()).clear('seen');
  await publish();
}

/** Deletes the seen stops if they were seen before a time in milliseconds. */
export async function deleteStopsSeenBefore(time: number): Promise<void> {
  const seen = await (await openDatabase()).get('seen', STOPS);
  if (seen && seen.seenAt < time) await deleteStops();
}
