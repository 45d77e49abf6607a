/** The queue of entries on a phone, with a store in memory in place of IndexedDB. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { asPaise } from '../../../lib/money.ts';
import { deskError, type DeskOrder } from '../../order-desk/desk/contract.ts';
import { createEntryQueue, type EntryQueueDependencies, type EntryStore } from './entry-queue.ts';
import { isReplacedBy, type Change, type Entry, type EntryOutcome } from './entry.ts';

const MOBILE = '9000000003';
const visit: Change = { call: 'attempt', body: { why: 'nobody-home' } };
const handOver: Change = { call: 'move', body: { stage: 'delivered', code: '0420' } };
const weight: Change = { call: 'weigh', body: { weight: 7530, items: 12 } };
const payment: Change = { call: 'receive', body: { method: 'cash', amount: asPaise(7600) } };
const order = (orderid: string) => ({ orderid, name: 'Meera Nair', version: 5 });
const done: EntryOutcome = { kind: 'done', order: null };
const lost: EntryOutcome = { kind: 'wait' };
const refused: EntryOutcome = { kind: 'refused', refusal: deskError('wrong-stage') };

/** The entries of a phone, which a killed tab leaves behind. */
function memory() {
  let entries: Entry[] = [];
  let nextId = 1;
  const finished: [Entry, DeskOrder | null][] = [];
  const stops: [string, object][] = [];
  const store: EntryStore = {
    list: async () => entries,
    async insert(entry) {
      entries = [...entries.filter((earlier) => !isReplacedBy(earlier, entry)), { ...entry, id: nextId++ }];
    },
    async replace(entry) {
      entries = entries.map((earlier) => (earlier.id === entry.id ? entry : earlier));
    },
    async delete({ id }) {
      entries = entries.filter((entry) => entry.id !== id);
    },
    async finish(entry, response) {
      finished.push([entry, response]);
      await store.delete(entry);
    },
    changeStop: async (orderid, values) => void stops.push([orderid, values]),
  };
  return { store, stops, finished, waiting: () => entries.filter(({ refusal }) => refusal === null), all: () => entries };
}

/** A tab with a queue, whose server returns `outcomeOf` an entry. */
function tab(
  { store }: ReturnType<typeof memory>,
  outcomeOf: (entry: Entry) => EntryOutcome | Promise<EntryOutcome>,
  browser: Partial<Pick<EntryQueueDependencies, 'withLock' | 'onError'>> = {},
) {
  const sent: Entry[] = [];
  const shown: string[] = [];
  let logins = 0;
  const queue = createEntryQueue({
    store,
    clock: { now: () => new Date('2026-11-21T13:00:00Z') },
    async send(entry) {
      sent.push(entry);
      return outcomeOf(entry);
    },
    readVersion: async () => 9,
    withLock: (work) => work(),
    countLogins: () => logins,
    askForLogin: async () => shown.push('log-in'),
    onRefused: () => shown.push('refused'),
    onError: (error) => {
      throw error;
    },
    ...browser,
  });
  onTestFinished(() => queue.stop());
  return { queue, sent, shown, logIn: () => (logins += 1), keys: () => sent.map(({ key }) => key) };
}

test('an entry whose response is lost, or whose tab is killed, is sent again with its key', async () => {
  const phone = memory();
  const killed = tab(phone, () => lost);
  await killed.queue.start(MOBILE);
  expect(await killed.queue.add(visit, order('A'))).toEqual(lost);
  await killed.queue.sendNow();
  killed.queue.stop();
  const other = tab(phone, () => done);
  await other.queue.start(MOBILE);
  expect(killed.sent).toHaveLength(2);
  expect(new Set([...killed.keys(), ...other.keys()]).size).toBe(1);
  expect(other.sent).toMatchObject([{ orderid: 'A', version: 5, at: '2026-11-21T13:00:00.000Z', owner: MOBILE }]);
  expect(phone.all()).toEqual([]);
  expect(phone.finished).toHaveLength(1);
});

test('an order whose response cannot be stored is sent again with its key, and the lock waits for the others', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const phone = memory();
  const offline = tab(phone, () => lost);
  await offline.queue.start(MOBILE);
  for (const id of ['A', 'B']) await offline.queue.add(visit, order(id));
  offline.queue.stop();
  const failure = new Error('The quota is exceeded');
  const { finish } = phone.store;
  phone.store.finish = async () => {
    phone.store.finish = finish;
    throw failure;
  };

  const responseOfB = Promise.withResolvers<EntryOutcome>();
  const errors: unknown[] = [];
  let isLocked = false;
  const online = tab(phone, ({ orderid }) => (orderid === 'B' ? responseOfB.promise : done), {
    async withLock(work) {
      isLocked = true;
      await work().finally(() => (isLocked = false));
    },
    onError: (error) => errors.push(error),
  });
  const started = online.queue.start(MOBILE);
  await vi.advanceTimersByTimeAsync(0);
  expect(online.sent.map(({ orderid }) => orderid)).toEqual(['A', 'B']);
  expect(isLocked).toBe(true);
  responseOfB.resolve(done);
  await started;
  expect(isLocked).toBe(false);
  expect(errors).toEqual([failure]);
  expect(phone.waiting()).toMatchObject([{ orderid: 'A' }]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(phone.all()).toEqual([]);
  expect(online.sent.map(({ orderid }) => orderid)).toEqual(['A', 'B', 'A']);
  expect(online.sent[2]!.key).toBe(online.sent[0]!.key);
});

test.each([
  ['the store', 'with', 'list'],
  ['the store', 'without', 'list'],
  ['the lock', 'with', 'lock'],
  ['the lock', 'without', 'lock'],
] as const)('an error of %s is retried after growing waits, %s an order in back-off', async (_what, failedOrder, failing) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const phone = memory();
  const failure = new Error('Internal error opening backing store');
  let isBroken = false;
  let tries = 0;
  const breakIf = (part: typeof failing) => {
    if (!isBroken || part !== failing) return;
    tries += 1;
    throw failure;
  };
  const { list } = phone.store;
  phone.store.list = async () => {
    breakIf('list');
    return list();
  };
  const errors: unknown[] = [];
  const { queue, sent } = tab(phone, () => (isBroken || sent.length === 1 ? lost : done), {
    async withLock(work) {
      breakIf('lock');
      await work();
    },
    onError: (error) => errors.push(error),
  });
  await queue.start(MOBILE);
  if (failedOrder === 'with') await queue.add(visit, order('A'));
  isBroken = true;
  if (failedOrder === 'without') await queue.sendNow();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tries).toBeGreaterThanOrEqual(2);
  expect(tries).toBeLessThanOrEqual(4);
  expect(errors).toEqual(Array.from({ length: tries }, () => failure));
  isBroken = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(phone.all()).toEqual([]);
  expect(errors).toHaveLength(tries);
});

test('a refused entry in the middle blocks the later ones of its order, and no other order', async () => {
  const phone = memory();
  const offline = tab(phone, () => lost);
  await offline.queue.start(MOBILE);
  for (const id of ['A', 'A', 'A', 'B']) await offline.queue.add(visit, order(id));
  offline.queue.stop();
  const [first, second, third, fourth] = phone.all();
  const online = tab(phone, ({ id }) => (id === second!.id ? refused : done));
  await online.queue.start(MOBILE);
  expect(new Set(online.sent.map(({ id }) => id))).toEqual(new Set([first!.id, second!.id, fourth!.id]));
  expect(online.shown).toEqual(['refused']);
  expect(phone.all()).toMatchObject([
    { id: second!.id, refusal: { code: 'wrong-stage' } },
    { id: third!.id, refusal: null },
  ]);

  // Sent again, it has another key, because the server repeats its response to the old one.
  const again = tab(phone, () => done);
  await again.queue.start(MOBILE);
  expect(again.sent).toEqual([]);
  await again.queue.sendAgain(phone.all()[0]!);
  await again.queue.sendNow();
  await expect.poll(() => phone.all()).toEqual([]);
  expect(again.sent.map(({ id, version }) => [id, version])).toEqual([
    [second!.id, 9],
    [third!.id, 5],
  ]);
  expect(again.sent[0]?.key).not.toBe(second!.key);
});

test('a photo is kept until it is sent, after the changes of its order, with one key', async () => {
  const phone = memory();
  const offline = tab(phone, () => lost);
  await offline.queue.start(MOBILE);
  const photo = new Blob(['photo'], { type: 'image/jpeg' });
  await offline.queue.add({ call: 'photo', body: { kind: 'weigh', photo } }, order('A'));
  await offline.queue.add(weight, order('A'));
  offline.queue.stop();
  const online = tab(phone, ({ call }) => (call === 'weigh' ? refused : done));
  await online.queue.start(MOBILE);
  expect(online.sent.map(({ call }) => call)).toEqual(['weigh', 'photo']);
  expect(online.sent[1]).toMatchObject({ key: offline.sent[0]!.key, at: '2026-11-21T13:00:00.000Z', body: { photo } });
  expect(phone.all()).toMatchObject([{ call: 'weigh', refusal: { code: 'wrong-stage' } }]);
});

test('a refused photo is parked and delays nothing', async () => {
  const phone = memory();
  const { queue, shown } = tab(phone, ({ call }) => (call === 'photo' ? refused : done));
  await queue.start(MOBILE);
  const change: Change = { call: 'photo', body: { kind: 'damage', photo: new Blob(['photo']) } };
  await phone.store.insert({ ...change, ...order('A'), owner: MOBILE, key: 'key-1', at: null, refusal: null });
  await phone.store.insert({ ...visit, ...order('A'), owner: MOBILE, key: 'key-2', at: null, refusal: null });
  await queue.sendNow();
  expect(phone.all()).toMatchObject([{ call: 'photo', refusal: { code: 'wrong-stage' } }]);
  expect(shown).toEqual(['refused']);
});

test('a payment is sent once behind a refused move, and a visit waits', async () => {
  const phone = memory();
  const offline = tab(phone, () => lost);
  await offline.queue.start(MOBILE);
  for (const change of [handOver, visit, payment]) await offline.queue.add(change, order('A'));
  offline.queue.stop();
  const [first, second, third] = phone.all();
  const online = tab(phone, ({ call }) => (call === 'move' ? refused : done));
  await online.queue.start(MOBILE);
  expect(online.keys()).toEqual([first!.key, third!.key]);
  expect(phone.all()).toMatchObject([
    { id: first!.id, refusal: { code: 'wrong-stage' } },
    { id: second!.id, refusal: null },
  ]);
  // Another payment does not wait, either.
  expect(await online.queue.add(payment, order('A'))).toEqual(done);
  expect(phone.all().map(({ id }) => id)).toEqual([first!.id, second!.id]);
});

test('a payment that gets no response behind a refused move is sent again with its key', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const phone = memory();
  const offline = tab(phone, () => lost);
  await offline.queue.start(MOBILE);
  for (const change of [handOver, payment]) await offline.queue.add(change, order('A'));
  offline.queue.stop();
  const online = tab(phone, ({ call }) => (call === 'move' ? refused : online.sent.length === 2 ? lost : done));
  await online.queue.start(MOBILE);
  expect(phone.waiting()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(phone.waiting()).toEqual([]);
  expect(online.sent.map(({ call }) => call)).toEqual(['move', 'receive', 'receive']);
  expect(online.sent[1]!.key).toBe(online.sent[2]!.key);
});

test('a payment waits for a refused weight until that is discarded', async () => {
  const phone = memory();
  const offline = tab(phone, () => lost);
  await offline.queue.start(MOBILE);
  for (const change of [weight, payment]) await offline.queue.add(change, order('A'));
  offline.queue.stop();
  const online = tab(phone, ({ call }) => (call === 'weigh' ? refused : done));
  await online.queue.start(MOBILE);
  expect(online.sent.map(({ call }) => call)).toEqual(['weigh']);
  await online.queue.discard(phone.all()[0]!);
  await expect.poll(() => phone.all()).toEqual([]);
  expect(online.sent.map(({ call }) => call)).toEqual(['weigh', 'receive']);
});

test('a discarded entry lets the later ones of its order go', async () => {
  const phone = memory();
  const offline = tab(phone, () => lost);
  await offline.queue.start(MOBILE);
  for (const id of ['A', 'A']) await offline.queue.add(visit, order(id));
  offline.queue.stop();
  const [first, second] = phone.all();
  const online = tab(phone, ({ id }) => (id === first!.id ? refused : done));
  await online.queue.start(MOBILE);
  await online.queue.discard(phone.all()[0]!);
  await expect.poll(() => phone.all()).toEqual([]);
  expect(online.sent.map(({ id }) => id)).toEqual([first!.id, second!.id]);
});

test('an entry that the server refuses while its form is open goes back to the form', async () => {
  const phone = memory();
  const { queue, shown } = tab(phone, () => refused);
  await queue.start(MOBILE);
  expect(await queue.add(visit, order('A'))).toEqual(refused);
  expect(phone.all()).toEqual([]);
  expect(shown).toEqual([]);
});

test('an ended session keeps the entries and asks for the log-in, which sends them', async () => {
  const phone = memory();
  let isLoggedIn = false;
  const { queue, sent, shown, logIn } = tab(phone, () => (isLoggedIn ? done : { kind: 'log-in' }));
  await queue.start(MOBILE);
  expect(await queue.add(visit, order('A'))).toEqual({ kind: 'log-in' });
  await expect.poll(() => shown).toEqual(['log-in']);
  expect(queue.needsLogin.get()).toBe(true);
  // Nothing is sent until then.
  await queue.sendNow();
  expect(sent).toHaveLength(1);
  isLoggedIn = true;
  logIn();
  await queue.sendAfterLogin();
  expect(queue.needsLogin.get()).toBe(false);
  expect(phone.all()).toEqual([]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});

test('a request that a log-in has overtaken is sent again and asks for no other log-in', async () => {
  const phone = memory();
  const { queue, sent, shown, logIn } = tab(phone, () => {
    if (sent.length > 1) return done;
    logIn();
    return { kind: 'log-in' };
  });
  await queue.start(MOBILE);
  await queue.add(visit, order('A'));
  await expect.poll(() => phone.all()).toEqual([]);
  expect(sent).toHaveLength(2);
  expect(shown).toEqual([]);
});

test('a request that a log-out has overtaken asks the next session for no log-in', async () => {
  const phone = memory();
  const response = Promise.withResolvers<EntryOutcome>();
  const { queue, sent, shown } = tab(phone, () => (sent.length > 1 ? done : response.promise));
  await queue.start(MOBILE);
  void queue.add(visit, order('A'));
  await expect.poll(() => sent).toHaveLength(1);
  queue.stop();
  response.resolve({ kind: 'log-in' });
  await expect.poll(() => phone.waiting()).toHaveLength(1);
  await setImmediate();
  await queue.start(MOBILE);
  expect(shown).toEqual([]);
  expect(phone.all()).toEqual([]);
  expect(sent).toHaveLength(2);
});

test('the entries of another person stay, and no entry is added without a person', async () => {
  const phone = memory();
  const offline = tab(phone, () => lost);
  await expect(offline.queue.add(visit, order('A'))).rejects.toThrow('An entry needs a person');
  await offline.queue.start(MOBILE);
  await offline.queue.add(visit, order('A'));
  offline.queue.stop();
  const other = tab(phone, () => done);
  await other.queue.start('9000000004');
  expect(other.sent).toEqual([]);
  expect(phone.all()).toHaveLength(1);
});

test.each([
  ['a wrong code', deskError('wrong-hand-over-code', { left: 3 }), { wrong_codes: 2 }],
  ['the last wrong code', deskError('too-many-codes'), { wrong_codes: 5 }],
  ['a moved pickup', deskError('customer-moved-pickup', { time: '18:00', day: '2026-11-25' }), { pickup_date: '2026-11-25' }],
  ['a cancellation', deskError('customer-cancelled', { time: '18:00' }), { stage: 'cancelled' }],
])('the refusal because of %s changes the stop', async (_name, refusal, values) => {
  const phone = memory();
  const { queue } = tab(phone, () => ({ kind: 'refused', refusal }));
  await queue.start(MOBILE);
  await queue.add(visit, order('A'));
  expect(phone.stops).toEqual([['A', values]]);
});
