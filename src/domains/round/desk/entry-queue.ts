/**
 * Sends the entries of a person: those of one order one after another, and each order apart from
 * the others. docs/decisions/0061. `entries.ts` has the queue of the browser.
 */
import type { ErrorMessage } from '../../../i18n/messages.ts';
import type { Clock } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import { createStore, type Store } from '../../../lib/store.ts';
import { MAX_WRONG_CODES, type DeskOrder, type ListedOrder } from '../../order-desk/desk/contract.ts';
import { CANCELLED_MEANWHILE, MOVED_PICKUP } from '../../order-desk/desk/rules.ts';
import type { Stage } from '../../orders/contract.ts';
import { retryDelayMs, sendableEntries, toResend, type Change, type Entry, type NewEntry, type EntryOutcome } from './entry.ts';

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

/** A form does not wait longer: its entry may be sent by another tab, or to a slow server. */
const FORM_WAIT_MS = 4000;

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
   * ended, `wait` if it waits for an earlier one or has no response after `FORM_WAIT_MS`. A change
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
  /** The orders whose last request failed. */
  const failures = new Map<string, { count: number; retryAt: number }>();
  /**
   * The forms that wait for the first outcome of their entries, by key. The function that removes a
   * form resolves it, so that no entry is deleted whose form has closed.
   */
  const forms = new Map<string, (outcome: EntryOutcome) => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isRequested = false;

  const ownEntries = async () => (await store.list()).filter((entry) => entry.owner === owner);
  const isDue = (orderid: string) => (failures.get(orderid)?.retryAt ?? 0) <= performance.now();

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
    } catch (error) {
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
    for (const orderid of failures.keys()) if (!orderids.includes(orderid)) failures.delete(orderid);
    const dueIds = orderids.filter(isDue);
    const results = await Promise.allSettled(dueIds.map(sendOrder));
    const rejected = results.flatMap((result, index) => (result.status === 'rejected' ? [{ ...result, orderid: dueIds[index]! }] : []));
    for (const { orderid } of rejected) waitWith(orderid, { kind: 'wait' });
    if (rejected[0]) dependencies.onError(rejected[0].reason);
  }

  /** Sends the entries of an order, one after another, until one waits. */
  async function sendOrder(orderid: string) {
    for (;;) {
      const [entry] = sendableEntries((await ownEntries()).filter((other) => other.orderid === orderid));
      if (!entry) return;
      const loginsBefore = dependencies.countLogins();
      const outcome = await dependencies.send(entry);
      const resolveForm = forms.get(entry.key);
      forms.delete(entry.key);
      try {
        if (outcome.kind === 'done' || outcome.kind === 'refused') failures.delete(orderid);
        if (outcome.kind === 'done') await store.finish(entry, outcome.order);
        if (outcome.kind === 'log-in') waitForLogin(loginsBefore);
        if (outcome.kind === 'wait') waitWith(orderid, outcome);
        if (outcome.kind === 'refused') {
          await updateStopFromRefusal(orderid, outcome.refusal);
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

  function waitWith(orderid: string, { retryAfterSeconds }: EntryOutcome & { kind: 'wait' }) {
    const count = (failures.get(orderid)?.count ?? 0) + 1;
    failures.set(orderid, { count, retryAt: performance.now() + retryDelayMs(count, retryAfterSeconds) });
  }

  /** Does nothing if the person has logged in since the refused request was sent. */
  function waitForLogin(loginsBefore: number) {
    if (dependencies.countLogins() === loginsBefore) needsLogin.set(true);
    else isRequested = true;
  }

  /**
   * Updates the cached stop from a refusal: attempts left, new day, cancellation. Loading the lists
   * again would not help: they omit orders that moved or were cancelled.
   */
  async function updateStopFromRefusal(orderid: string, { code, params }: ErrorMessage) {
    if (code === 'wrong-hand-over-code') await store.changeStop(orderid, { wrong_codes: MAX_WRONG_CODES - Number(params.left) });
    if (code === 'too-many-codes') await store.changeStop(orderid, { wrong_codes: MAX_WRONG_CODES });
    if (MOVED_PICKUP.has(code)) await store.changeStop(orderid, { pickup_date: String(params.day) });
    if (CANCELLED_MEANWHILE.has(code)) await store.changeStop(orderid, { stage: 'cancelled' satisfies Stage });
  }

  /** Sets the timer of the next attempt, for the order whose wait ends first. */
  function schedule() {
    clearTimeout(timer);
    if (failures.size === 0 || owner === undefined || needsLogin.get()) return;
    const next = Math.min(...[...failures.values()].map(({ retryAt }) => retryAt));
    timer = setTimeout(() => void sendEntries(), Math.max(0, next - performance.now()));
  }

  function firstOutcome(key: string): Promise<EntryOutcome> {
    const { promise, resolve } = Promise.withResolvers<EntryOutcome>();
    forms.set(key, resolve);
    const timeout = setTimeout(() => {
      if (forms.delete(key)) resolve({ kind: 'wait' });
    }, FORM_WAIT_MS);
    return promise.finally(() => clearTimeout(timeout));
  }

  const sendNow = (): Promise<void> => {
    failures.clear();
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
      const outcome = next?.key === key ? firstOutcome(key) : Promise.resolve({ kind: 'wait' } as const);
      void sendEntries();
      return outcome;
    },

    async sendAgain(entry) {
      await store.replace(toResend(entry, { key: newId(), version: await dependencies.readVersion(entry) }));
      failures.delete(entry.orderid);
      void sendEntries();
    },

    async discard(entry) {
      await store.delete(entry);
      void sendEntries();
    },
  };
}
