/**
 * An entry of the round: a change of an order that stays on this phone until the server has
 * responded to it. Pure functions. docs/decisions/0061 has the table of its states.
 */
import type * as z from 'zod/mini';
import { CallRefused, isTransient } from '../../../contract/call-failures.ts';
import type { Call, Envelope } from '../../../contract/define-call.ts';
import { defineErrors, toErrorMessage } from '../../../contract/errors.ts';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { asPaise, type Paise } from '../../../lib/money.ts';
import { attempt, move, receive, weigh, type DeskOrder } from '../../order-desk/desk/contract.ts';
import type { OrderPhotoKind } from '../../order-desk/desk/order-photo.ts';
import type { OrderEventContent } from '../../orders/events-contract.ts';
import { explainStale } from '../../order-desk/desk/refusals.ts';
import { MAX_PHOTO_BYTES, type photoError } from '../../photos/contract.ts';
import { isDoneBefore } from '../../staff/desk/contract.ts';

/** The calls that a rider can make without a connection, besides the upload of a photo. */
export const ENTRY_CALLS = { weigh, move, attempt, receive } as const;
type CallName = keyof typeof ENTRY_CALLS;

/** The body of a call without the fields that every entry has. */
type BodyOf<Name extends CallName> = Omit<z.output<(typeof ENTRY_CALLS)[Name]['body']>, 'orderid' | 'version' | 'at'>;
type CallChange = { [Name in CallName]: { readonly call: Name; readonly body: BodyOf<Name> } }[CallName];
/** A photo, re-encoded before it is kept. */
interface PhotoChange {
  readonly call: 'photo';
  readonly body: { readonly kind: OrderPhotoKind; readonly photo: Blob };
}
export type Change = CallChange | PhotoChange;

interface EntryFields {
  /** Assigned by the storage, in the order of the entries. */
  readonly id: number;
  /** The mobile of its person. It is sent in a session of this person only. */
  readonly owner: string;
  readonly orderid: string;
  /** The name at the door, for the list of entries. */
  readonly name: string;
  /** The Idempotency-Key: a repeated request takes effect once. */
  readonly key: string;
  /** The time of the device, or null to send none. */
  readonly at: string | null;
  /** The version that the person saw, or that of the previous change's response. */
  readonly version: number;
  /** Why the server refused it. Null: the entry waits. */
  readonly refusal: ErrorMessage | null;
}

export type Entry = Change & EntryFields;
export type CallEntry = CallChange & EntryFields;
export type NewEntry = Change & Omit<EntryFields, 'id'>;

export const entryError = defineErrors({
  'too-many-photos-kept': 'This phone keeps {max} photos that are not sent. Send them first, and take this one again.',
  'unreadable-answer': 'The answer could not be read. Load the console again and look at the order.',
});

/** The photos that one phone keeps. Each has at most 1,600 pixels, and some 300 kB. */
export const MAX_KEPT_PHOTOS = 40;

/** Returns true if the photo is small enough, and `kept` less than `MAX_KEPT_PHOTOS`. */
export const canKeepPhoto = ({ size }: Blob, kept: number): boolean => size <= MAX_PHOTO_BYTES && kept < MAX_KEPT_PHOTOS;

/** A payment waits for the calls that decide how much is due. It states no version of the order. */
const BLOCKS_PAYMENTS: Record<Entry['call'], boolean> = { weigh: true, receive: true, move: false, attempt: false, photo: false };

/** Returns true if the later payments of its order wait until this entry is sent. */
export const blocksPayments = ({ call }: Entry): boolean => BLOCKS_PAYMENTS[call];

/**
 * Returns the entries that are sent without a decision of the person. A refused entry and those
 * behind it block the later ones of their order, except photos. docs/decisions/0096 and 0106
 */
export function unblockedEntries(entries: readonly Entry[]): Entry[] {
  const stopped: Entry[] = [];
  return entries.filter((entry) => {
    const isBlocked =
      entry.call !== 'photo' &&
      stopped.some(
        (earlier) => earlier.orderid === entry.orderid && earlier.call !== 'photo' && (entry.call !== 'receive' || blocksPayments(earlier)),
      );
    const isSent = !isBlocked && entry.refusal === null;
    if (!isSent) stopped.push(entry);
    return isSent;
  });
}

/** Returns the entry of each order that is sent next. A photo is large: it delays no change. */
export function sendableEntries(entries: readonly Entry[]): Entry[] {
  const first = new Map<string, Entry>();
  const unblocked = unblockedEntries(entries);
  const isPhoto = ({ call }: Entry) => call === 'photo';
  const inSequence = [...unblocked.filter((entry) => !isPhoto(entry)), ...unblocked.filter(isPhoto)];
  for (const entry of inSequence) if (!first.has(entry.orderid)) first.set(entry.orderid, entry);
  return [...first.values()];
}

type Payment = Entry & { call: 'receive' };

/**
 * Returns the payments that are not refused: the person took the money, the server may not know.
 */
export const unsentPayments = (entries: readonly Entry[]): Payment[] =>
  entries.filter((entry): entry is Payment => entry.call === 'receive' && entry.refusal === null);

export const totalPaise = (payments: readonly Payment[]): Paise => asPaise(payments.reduce((sum, { body }) => sum + body.amount, 0));

/**
 * Returns true for a refused entry that a new one replaces: another weight, or another hand-over
 * code. Payments and visits add up, so that the person discards a refused one.
 */
export const isReplacedBy = (earlier: Entry, { owner, orderid, call }: NewEntry): boolean =>
  earlier.refusal !== null &&
  earlier.owner === owner &&
  earlier.orderid === orderid &&
  earlier.call === call &&
  (call === 'move' || call === 'weigh');

/** Returns the call and its body, which stay the same for as long as the entry has its key. */
export function requestOf({ call, body, orderid, version, at }: CallEntry): { call: Call<unknown, DeskOrder>; body: unknown } {
  const target = { orderid, ...(call !== 'receive' && { version }), ...(at !== null && { at }) };
  return { call: ENTRY_CALLS[call], body: { ...target, ...body } };
}

export type EntryOutcome =
  /** Without an order, an earlier request made the change. Its response is not stored any more. */
  | { readonly kind: 'done'; readonly order: DeskOrder | null }
  /** It is unknown whether the server has made the change: the same request is sent again. */
  | { readonly kind: 'wait'; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'log-in' }
  /** The server has made no change. */
  | { readonly kind: 'refused'; readonly refusal: ErrorMessage };

export const outcomeOfEnvelope = (envelope: Envelope<DeskOrder>): EntryOutcome =>
  envelope.response === 'success' ? { kind: 'done', order: envelope.data } : { kind: 'refused', refusal: toErrorMessage(envelope) };

/**
 * Returns 'done' without an order, because a photo changes nothing that a later entry depends on.
 * Returns 'wait' if the storage of the server failed, otherwise 'refused' after an error.
 */
export function outcomeOfPhoto(envelope: Envelope<unknown>): EntryOutcome {
  if (envelope.response === 'success') return { kind: 'done', order: null };
  const refusal = toErrorMessage(envelope);
  return refusal.code === ('photo-not-stored' satisfies keyof typeof photoError.texts) ? { kind: 'wait' } : { kind: 'refused', refusal };
}

/**
 * Returns 'wait' for a transient error, 'done' if an earlier request made the change, 'log-in'
 * without a fresh session, otherwise 'refused'.
 */
export function outcomeOfError(error: unknown): EntryOutcome {
  if (isTransient(error)) return { kind: 'wait', retryAfterSeconds: error instanceof CallRefused ? error.retryAfterSeconds : undefined };
  if (!(error instanceof CallRefused)) return { kind: 'refused', refusal: entryError('unreadable-answer') };
  if (isDoneBefore(error)) return { kind: 'done', order: null };
  return error.status === 401 || error.code === 'login-too-old' ? { kind: 'log-in' } : { kind: 'refused', refusal: explainStale(error) };
}

/**
 * Returns the later changes of the order that must be sent with this response's version. Changes
 * made with a newer version keep it. After a payment that another person's change preceded, the
 * later changes keep their version, so that the server refuses them.
 */
export function entriesToUpdate(entries: readonly Entry[], { id, orderid, call, version }: Entry, order: UpdatedOrder): Entry[] {
  const changes = order.history.filter((change) => change.version > version);
  // The events of this payment are the last ones: 'paid', and 'refunded' if it was too much.
  if (call === 'receive' && changes.findLastIndex(({ kind }) => kind === ('paid' satisfies OrderEventContent['kind'])) > 0) return [];
  return entries.filter((later) => later.orderid === orderid && later.id > id && later.version < order.version);
}

type UpdatedOrder = Pick<DeskOrder, 'version' | 'history'>;

/** An older version stored 'answer-forgotten' on the phone for 'response-expired'. */
const OLD_CODES: ReadonlySet<string> = new Set(['wrong-device-time', 'response-expired', 'answer-forgotten']);

/**
 * Returns a refused change for sending again, with a new key, because the server repeats its
 * response to the old one. After an unreadable response the key stays: the change may have been
 * made. After 'wrong-device-time' or an expired response, sends no device time.
 */
export function toResend(entry: Entry, { key, version }: { key: string; version: number }): Entry {
  const { refusal, at } = entry;
  if (refusal?.code === 'unreadable-answer') return { ...entry, refusal: null };
  const isOld = refusal !== null && OLD_CODES.has(refusal.code);
  return { ...entry, key, version, at: isOld ? null : at, refusal: null };
}
