import { expect, test } from 'vitest';
import { CallRefused, ConnectionLost, ServerFault } from '../../../contract/call-failures.ts';
import { protocolError } from '../../../contract/protocol-errors.ts';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { asPaise } from '../../../lib/money.ts';
import { deskError } from '../../order-desk/desk/contract.ts';
import { MAX_PHOTO_BYTES, photoError } from '../../photos/contract.ts';
import { staleError } from '../../order-desk/desk/refusals.ts';
import { staffError } from '../../staff/desk/contract.ts';
import {
  entriesToUpdate,
  entryError,
  canKeepPhoto,
  isReplacedBy,
  MAX_KEPT_PHOTOS,
  outcomeOfEnvelope,
  outcomeOfError,
  outcomeOfPhoto,
  requestOf,
  sendableEntries,
  toResend,
  type CallEntry,
  type Change,
  type Entry,
} from './entry.ts';

const refusal = staleError();
const OLD_REFUSAL = { ...staffError('response-expired'), code: 'answer-forgotten' };

const entry = (id: number, orderid: string, change: Partial<Entry> = {}): Entry =>
  ({
    id,
    orderid,
    owner: '9000000003',
    name: 'Meera Nair',
    key: `key-${id}`,
    at: '2026-11-22T10:00:00.000Z',
    version: 5,
    refusal: null,
    call: 'attempt',
    body: { why: 'nobody-home' },
    ...change,
  }) as Entry;

const moved: Change = { call: 'move', body: { stage: 'delivered', code: '0420' } };
const weighed: Change = { call: 'weigh', body: { weight: 7530, items: 12 } };
const paid: Change = { call: 'receive', body: { method: 'cash', amount: asPaise(7600) } };

const photographed: Change = { call: 'photo', body: { kind: 'weigh', photo: new Blob(['photo']) } };

test.each([
  ['no entries', [], []],
  ['one order in sequence', [entry(1, 'A'), entry(2, 'A')], [1]],
  ['orders apart from each other', [entry(1, 'A'), entry(2, 'B'), entry(3, 'A'), entry(4, 'B')], [1, 2]],
  ['a refused entry blocks the later entries of its own order only', [entry(1, 'A', { refusal }), entry(2, 'A'), entry(3, 'B')], [3]],
  ['a payment passes a refused move', [entry(1, 'A', { ...moved, refusal }), entry(2, 'A'), entry(3, 'A', paid)], [3]],
  ['a payment passes a refused visit', [entry(1, 'A', { refusal }), entry(2, 'A', paid)], [2]],
  ['a payment waits for a refused weight', [entry(1, 'A', { ...weighed, refusal }), entry(2, 'A', paid)], []],
  ['a payment waits for a refused payment', [entry(1, 'A', { ...paid, refusal }), entry(2, 'A', paid)], []],
  [
    'a payment waits for a weight that waits for a refused move',
    [entry(1, 'A', { ...moved, refusal }), entry(2, 'A', weighed), entry(3, 'A', paid)],
    [],
  ],
  ['a payment does not pass an entry that is not refused', [entry(1, 'A', moved), entry(2, 'A', paid)], [1]],
  ['a photo after the changes of its order', [entry(1, 'A', photographed), entry(2, 'A', moved), entry(3, 'B', photographed)], [2, 3]],
  ['photos of one order in sequence', [entry(1, 'A', photographed), entry(2, 'A', photographed)], [1]],
  ['a photo passes a refused entry', [entry(1, 'A', { refusal }), entry(2, 'A', photographed)], [2]],
  ['a refused photo blocks nothing', [entry(1, 'A', { ...photographed, refusal }), entry(2, 'A', moved), entry(3, 'A', paid)], [2]],
  ['a refused entry does not block earlier ones', [entry(1, 'A'), entry(2, 'A', { refusal }), entry(3, 'A')], [1]],
])('sends next: %s', (_name, entries, expected) => {
  expect(sendableEntries(entries).map(({ id }) => id)).toEqual(expected);
});

/** The response to an entry: the order with its version, and its history from version 5. */
const updatedOrder = (...kinds: string[]) => ({
  version: 5 + kinds.length,
  history: ['moved', ...kinds].map((kind, index) => ({ version: 5 + index, kind }) as never),
});

test('a new entry replaces a refused entry of the same kind, except a payment', () => {
  const isReplaced = (earlier: Partial<Entry>, later: Partial<Entry>) => isReplacedBy(entry(1, 'A', earlier), entry(2, 'A', later));
  const move = { call: 'move', body: { stage: 'delivered', code: '0420' } } as const;
  const payment = { call: 'receive', body: { method: 'cash', amount: 7600 as never } } as const;
  expect(isReplaced({ ...move, refusal }, move)).toBe(true);
  expect(isReplaced(move, move)).toBe(false);
  expect(isReplaced({ ...move, refusal }, { ...move, orderid: 'B' })).toBe(false);
  expect(isReplaced({ ...move, refusal }, { ...move, owner: '9000000001' })).toBe(false);
  expect(isReplaced({ ...payment, refusal }, payment)).toBe(false);
  expect(isReplaced({ ...payment, refusal }, move)).toBe(false);
});

const refused = (status: number, retryAfterSeconds?: number) => new CallRefused(status, refusal, retryAfterSeconds);

test.each([
  ['a lost connection', new ConnectionLost('Failed to fetch'), 'wait'],
  ['status 500', new ServerFault(protocolError('internal-error')), 'wait'],
  ['status 408', refused(408), 'wait'],
  ['status 429', refused(429, 90), 'wait'],
  ['status 502', refused(502), 'wait'],
  ['status 503', refused(503, 5), 'wait'],
  ['status 401', refused(401), 'log-in'],
  ['a log-in that is too old for a credit', new CallRefused(403, staffError('login-too-old')), 'log-in'],
  ['status 400', refused(400), 'refused'],
  ['status 403', refused(403), 'refused'],
  ['status 404', refused(404), 'refused'],
  ['status 409', refused(409), 'refused'],
  ['status 413', refused(413), 'refused'],
  ['a response that does not match its contract', new TypeError('unreadable'), 'refused'],
])('outcomeOfError classifies %s', (_name, error, kind) => {
  expect(outcomeOfError(error).kind).toBe(kind);
});

test('a stale version has the text of its cause', () => {
  const moved = deskError('customer-moved-pickup', { time: '18:00', day: '2026-11-25' });
  const refusalOf = (error: ErrorMessage) => outcomeOfError(new CallRefused(409, error));
  const explained = { ...moved, message: 'At 6:00 PM the customer moved this pickup to Nov 25, 2026' };
  expect(refusalOf(staleError(moved))).toEqual({ kind: 'refused', refusal: explained });
  // A server of another version.
  expect(refusalOf(moved)).toEqual({ kind: 'refused', refusal: moved });
  const unknown = { ...staleError(moved), params: { cause: 'wrong-stage' } };
  expect(refusalOf(unknown)).toEqual({ kind: 'refused', refusal: unknown });
});

test('a change that an earlier request made is done, without the order', () => {
  expect(outcomeOfError(new CallRefused(400, staffError('done-before')))).toEqual({ kind: 'done', order: null });
});

test('a transient error waits for Retry-After, and a refusal has its reason', () => {
  expect(outcomeOfError(refused(429, 90))).toEqual({ kind: 'wait', retryAfterSeconds: 90 });
  expect(outcomeOfError(refused(409))).toEqual({ kind: 'refused', refusal });
  const wrongCode = deskError('wrong-hand-over-code', { left: 4 });
  expect(outcomeOfEnvelope({ response: 'error', ...wrongCode, data: null })).toEqual({ kind: 'refused', refusal: wrongCode });
});

test('a photo that the storage refuses is sent again, and another refusal has its reason', () => {
  const failed = (code: keyof typeof photoError.texts) => outcomeOfPhoto({ response: 'error', ...photoError(code), data: null });
  expect(outcomeOfPhoto({ response: 'success', message: '', data: { photoid: 'A' } })).toEqual({ kind: 'done', order: null });
  expect(failed('photo-not-stored')).toEqual({ kind: 'wait' });
  expect(failed('photo-type')).toEqual({ kind: 'refused', refusal: photoError('photo-type') });
});

test('a phone keeps photos of a limited size, and a limited number of them', () => {
  expect(canKeepPhoto({ size: MAX_PHOTO_BYTES } as Blob, MAX_KEPT_PHOTOS - 1)).toBe(true);
  expect(canKeepPhoto({ size: MAX_PHOTO_BYTES + 1 } as Blob, 0)).toBe(false);
  expect(canKeepPhoto({ size: 1 } as Blob, MAX_KEPT_PHOTOS)).toBe(false);
});

test.each<[Change, object]>([
  [
    { call: 'move', body: { stage: 'delivered', code: '0420' } },
    { version: 5, stage: 'delivered', code: '0420' },
  ],
  // A payment cannot conflict.
  [
    { call: 'receive', body: { method: 'cash', amount: 7600 as never } },
    { method: 'cash', amount: 7600 },
  ],
])('requestOf returns the request of %o', (change, expected) => {
  const { call, body } = requestOf(entry(1, 'A', change) as CallEntry);
  expect(call.path).toBe(`staff/${change.call}`);
  expect(body).toEqual({ orderid: 'A', at: '2026-11-22T10:00:00.000Z', ...expected });
  expect(requestOf(entry(1, 'A', { ...(change as Partial<Entry>), at: null }) as CallEntry).body).toEqual({ orderid: 'A', ...expected });
});

test('a successful entry updates the version of the later entries of its order', () => {
  const entries = [entry(1, 'A'), entry(2, 'A'), entry(3, 'B'), entry(4, 'A', { version: 9 })];
  expect(entriesToUpdate(entries, entry(1, 'A'), updatedOrder('assigned', 'attempted')).map(({ id }) => id)).toEqual([2]);
});

test.each([
  ['of this payment', ['paid'], [2]],
  ['of this payment, whose excess is credited', ['paid', 'refunded'], [2]],
  ['of another person before it', ['assigned', 'paid'], []],
  ['of another payment before it', ['paid', 'paid'], []],
  ['of another payment with its credit before it', ['paid', 'refunded', 'paid', 'refunded'], []],
  ['of another credit before it', ['refunded', 'paid'], []],
])('a successful payment updates that version after the events %s', (_name, kinds, expected) => {
  const payment = entry(1, 'A', { call: 'receive', body: { method: 'cash', amount: 7600 as never } });
  const entries = [payment, entry(2, 'A')];
  expect(entriesToUpdate(entries, payment, updatedOrder(...kinds)).map(({ id }) => id)).toEqual(expected);
});

test.each([
  ['another request after a refusal', refusal, { key: 'new', version: 8, at: '2026-11-22T10:00:00.000Z' }],
  ['without the time of a clock that the server refuses', deskError('wrong-device-time'), { key: 'new', version: 8, at: null }],
  ['without its time if its response is not stored any more', staffError('response-expired'), { key: 'new', version: 8, at: null }],
  ['without its time also for the code of an older version', OLD_REFUSAL, { key: 'new', version: 8, at: null }],
  ['the same request if its response could not be read', entryError('unreadable-answer'), { key: 'key-1', version: 5 }],
])('toResend returns %s', (_name, reason, expected) => {
  expect(toResend(entry(1, 'A', { refusal: reason }), { key: 'new', version: 8 })).toMatchObject({ ...expected, refusal: null });
});
