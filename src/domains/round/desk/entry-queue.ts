/**
 * Sends the entries of a person: those of one order one after another, and each order apart from
 * the others. docs/decisions/0061. `entries.ts` has the queue of the browser.
 */
import type { ErrorMessage } from '../../../i18n/messages.ts';
import type { Clock } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import { createStore, type Store } from '../../../lib/store.ts';
import { MAX_WRONG_CODES, type DeskOrder, type ListedOrder } from '../../order-desk/desk/contract.ts';
import { isCancelledMeanwhile, isMovedPickup } from '../../order-desk/desk/refusals.ts';
import type { Stage } from '../../orders/contract.ts';
import { sendableEntries, toResend, type Change, type Entry, type NewEntry, type EntryOutcome } from './entry.ts';
import { createEntryBackoff, retryDelayMs } from './entry-backoff.ts';
import { createWaitingForms } from './waiting-forms.ts';

/** The entries on this device. They outlive the queue. */
export interface EntryStore {
  list(): Promise<Entry[]>;
  /** Inserts an entry and deletes the refused ones that it replaces. */
  insert(entry: NewEntry): Promise<void>;
  /** Does nothing if the entry has been deleted. */
  replace(entry: Entry): Promise<void>;
  delete(entry: Entry): Promise<void>;
  /** Deletes an entry that the server has made, and stores the values of the response. */
  finish(entry: Entry, order: DeskOrder | null): Promise<void>;
  changeStop(orderid: string, values: Partial<ListedOrder>): Promise<void>;
}

export interface EntryQueueDependencies {
  readonly store: EntryStore;
  readonly clock: Clock;
  /** Sends the request of an entry. Never throws. */
  send(entry: Entry): Promise<EntryOutcome>;
  /** Returns the current version of the order of an entry. */
  readVersion(entry: Entry): Promise<number>;
  /** Runs the work of one tab at a time. */
  withLock(work: () => Promise<void>): Promise<void>;
  /** The number of log-ins in this tab. */
  countLogins(): number;
  askForLogin(): Promise<unknown>;
  /** Called for a refused entry whose form has closed. */
  onRefused(): void;
  onError(error: unknown): void;
}

export interface EntryQueue {
  /** True if entries wait for a log-in that the person has not made. */
  readonly needsLogin: Pick<Store<boolean>, 'get' | 'subscribe'>;
  /** Begins to send the entries of a person. */
  start(mobile: string): Promise<void>;
  /** Sends nothing more. The entries stay on the device. */
  stop(): void;
  /**
   * Sends everything that can be sent, without the rest of the wait of failed entries. Asks for a
   * log-in if one is needed. Never rejects: an error of the store is passed to `onError`. During a
   * run, resolves at once, and the run repeats.
   */
  sendNow(): Promise<void>;
  /** The person has logged in, in this tab or perhaps in another one. Then like `sendNow`. */
  sendAfterLogin(): Promise<void>;
  /**
   * Keeps a change of an order, and sends it as soon as possible. Returns how its first request
   * ended, `wait` if it waits for an earlier one or has no response after four seconds. A change
   * that is refused before is not kept: its form still shows what was typed. Throws if the browser
   * cannot keep it, and before `start`.
   */
  add(change: Change, order: Pick<ListedOrder, 'orderid' | 'name' | 'version'>): Promise<EntryOutcome>;
  /**
   * Sends a refused entry again, with the current version of its order. Throws if that version
   * cannot be loaded.
   */
  sendAgain(entry: Entry): Promise<void>;
  /** Deletes a refused entry, whose person has confirmed it. */
  discard(entry: Entry): Promise<void>;
}

export function createEntryQueue(dependencies: EntryQueueDependencies): EntryQueue {
  const { store, clock } = dependencies;
  let owner: string | undefined;
  const needsLogin = createStore(false);
  const backoff = createEntryBackoff();
  const forms = createWaitingForms();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The runs since the last complete one, ended by an error of the store or of the lock. */
  let failedRuns = 0;
  let isRunning = false;
  let isRequested = false;

  const ownEntries = async () => (await store.list()).filter((entry) => entry.owner === owner);

  /** Like `sendNow`, but failed entries wait. */
  async function sendEntries(): Promise<void> {
    isRequested = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isRequested) {
        isRequested = false;
        await dependencies.withLock(sendAll);
      }
      failedRuns = 0;
    } catch (error) {
      failedRuns += 1;
      dependencies.onError(error);
    } finally {
      isRunning = false;
    }
    schedule();
    if (needsLogin.get()) await dependencies.askForLogin();
  }

  /**
   * Sends the entries of each order apart from those of the others. An order whose entries cannot
   * be read or stored waits as after a lost connection. Resolves once no order sends, because the
   * lock ends then.
   */
  async function sendAll() {
    if (owner === undefined || needsLogin.get()) return;
    const orderids = sendableEntries(await ownEntries()).map(({ orderid }) => orderid);
    // The entry was refused, discarded or sent by another tab: no timer waits for its order.
    backoff.keepOnly(orderids);
    const dueIds = orderids.filter((orderid) => backoff.isDue(orderid));
    const results = await Promise.allSettled(dueIds.map(sendOrder));
    const rejected = results.flatMap((result, index) => (result.status === 'rejected' ? [{ ...result, orderid: dueIds[index]! }] : []));
    for (const { orderid } of rejected) backoff.recordFailure(orderid, undefined);
    if (rejected[0]) dependencies.onError(rejected[0].reason);
  }

  /** Sends the entries of an order, one after another, until one waits. */
  async function sendOrder(orderid: string) {
    for (;;) {
      const [entry] = sendableEntries((await ownEntries()).filter((other) => other.orderid === orderid));
      if (!entry) return;
      const loginsBefore = dependencies.countLogins();
      const outcome = await dependencies.send(entry);
      const resolveForm = forms.remove(entry.key);
      try {
        if (outcome.kind === 'done' || outcome.kind === 'refused') backoff.forget(orderid);
        if (outcome.kind === 'done') await store.finish(entry, outcome.order);
        if (outcome.kind === 'log-in') waitForLogin(entry, loginsBefore);
        if (outcome.kind === 'wait') backoff.recordFailure(orderid, outcome.retryAfterSeconds);
        if (outcome.kind === 'refused') {
          await updateStopFromRefusal(store, orderid, outcome.refusal);
          if (resolveForm) await store.delete(entry);
          else await store.replace({ ...entry, refusal: outcome.refusal });
          if (!resolveForm) dependencies.onRefused();
        }
      } finally {
        resolveForm?.(outcome);
      }
      if (outcome.kind === 'log-in' || outcome.kind === 'wait') return;
    }
  }

  /** Sends again if the person has logged in since the refused request was sent. */
  function waitForLogin(entry: Entry, loginsBefore: number) {
    // The person of the entry has logged out since.
    if (owner !== entry.owner) return;
    if (dependencies.countLogins() === loginsBefore) needsLogin.set(true);
    else isRequested = true;
  }

  /**
   * Sets the timer of the next attempt, for the order whose wait ends first. A failed run is also
   * repeated if no order waits: its entries are not known.
   */
  function schedule() {
    clearTimeout(timer);
    const nextMs = backoff.nextDelayMs();
    const delayMs = failedRuns > 0 ? Math.max(nextMs ?? 0, retryDelayMs(failedRuns)) : nextMs;
    if (delayMs === undefined || owner === undefined || needsLogin.get()) return;
    timer = setTimeout(() => void sendEntries(), delayMs);
  }

  const sendNow = (): Promise<void> => {
    backoff.clear();
    return sendEntries();
  };

  return {
    needsLogin,
    sendNow,

    start(mobile) {
      owner = mobile;
      return sendNow();
    },

    stop() {
      owner = undefined;
      needsLogin.set(false);
      clearTimeout(timer);
    },

    sendAfterLogin() {
      needsLogin.set(false);
      return sendNow();
    },

    async add(change, { orderid, name, version }) {
      if (owner === undefined) throw new Error('An entry needs a person');
      const at = clock.now().toISOString();
      const key = newId();
      await store.insert({ ...change, owner, orderid, name, version, key, at, refusal: null });
      const [next] = sendableEntries((await ownEntries()).filter((entry) => entry.orderid === orderid));
      const outcome = next?.key === key ? forms.wait(key) : Promise.resolve({ kind: 'wait' } as const);
      void sendEntries();
      return outcome;
    },

    async sendAgain(entry) {
      await store.replace(toResend(entry, { key: newId(), version: await dependencies.readVersion(entry) }));
      backoff.forget(entry.orderid);
      void sendEntries();
    },

    async discard(entry) {
      await store.delete(entry);
      void sendEntries();
    },
  };
}

/**
 * Updates the cached stop from a refusal: attempts left, new day, cancellation. Loading the lists
 * again would not help: they omit orders that moved or were cancelled.
 */
async function updateStopFromRefusal(store: EntryStore, orderid: string, refusal: ErrorMessage) {
  const { code, params } = refusal;
  if (code === 'wrong-hand-over-code') await store.changeStop(orderid, { wrong_codes: MAX_WRONG_CODES - Number(params.left) });
  if (code === 'too-many-codes') await store.changeStop(orderid, { wrong_codes: MAX_WRONG_CODES });
  if (isMovedPickup(refusal)) await store.changeStop(orderid, { pickup_date: String(params.day) });
  if (isCancelledMeanwhile(refusal)) await store.changeStop(orderid, { stage: 'cancelled' satisfies Stage });
}
