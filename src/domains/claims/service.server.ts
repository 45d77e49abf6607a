/**
 * Creates claims, each exactly once, stores their photos, and adds the messages of the laundry.
 * docs/decisions/0046.
 */
import { hash } from 'node:crypto';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { newClaimId, newId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import { BODY_KEY_PREFIX } from '../../contract/body-key.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { transaction, transactionWithOutcome, type Db, type Tx } from '../../db/database.server.ts';
import { consumeLimit, releaseUse } from '../../db/limits.server.ts';
import { orderError } from '../orders/contract.ts';
import { lockCustomerOfOrder, isOwnOrder, selectOrdersForPayments, type OrderActor } from '../orders/store.server.ts';
import { photoError } from '../photos/contract.ts';
import type { PhotoStorage } from '../photos/provider.server.ts';
import { cleanUpload, openFile, queueFileDeletions, storeFile, type OpenPhoto } from '../photos/service.server.ts';
import { callerKey, type CustomerOrGuest } from '../sessions/authentication.server.ts';
import { callerErasedError, lockCaller, lockCustomerOrThrow } from '../accounts/locks-service.server.ts';
import { lockCustomer } from '../accounts/store.server.ts';
import { ledgerReference } from '../wallet/reference-rules.ts';
import { creditWallet } from '../wallet/service.server.ts';
import {
  claimError,
  MAX_CLAIM_PHOTOS,
  type AddClaimErrorCode,
  type addPhoto,
  type addReply,
  type Claim,
  type ClaimRequest,
  type ClaimStatus,
} from './contract.ts';
import {
  answerBy,
  replyUntil,
  MAX_CLAIMS_PER_DAY,
  MAX_PHOTOS_PER_DAY,
  MAX_REPLIES_PER_DAY,
  MAX_STORED_BYTES,
  UNSENT_PHOTO_SECONDS,
} from './rules.ts';
import {
  setPhotoClaim,
  deleteUnsent,
  findAnyPhoto,
  findClaim,
  findClaimOfKey,
  findCustomerOfClaim,
  findPhoto,
  hasSettlement,
  insertClaim,
  insertMessage,
  insertPhoto,
  readLastMessage,
  listClaims,
  lockClaim,
  type LockedClaim,
  lockOwnClaim,
  toOwnerColumns,
  setAnswered,
  setOpenAgain,
  setPhotoStored,
  setSettled,
  sumStoredBytes,
  type ClaimRow,
} from './store.server.ts';

export interface ClaimDependencies {
  db: Db;
  storage: PhotoStorage;
  onFailure(error: unknown, operation: string): void;
}

type AddPhotoErrorCode = keyof typeof addPhoto.errors;

const uploadUse = (caller: CustomerOrGuest, now: Date) => ({
  name: 'photos of a customer',
  max: MAX_PHOTOS_PER_DAY,
  windowSeconds: DAY_SECONDS,
  subject: callerKey(caller),
  now,
});

/**
 * Counts an upload of the caller, before its file is read. Returns the error beyond the limit,
 * otherwise undefined.
 */
export async function countUpload(db: Db, caller: CustomerOrGuest, now: Date): Promise<ErrorMessage<AddPhotoErrorCode> | undefined> {
  return (await consumeLimit(db, uploadUse(caller, now))).allowed ? undefined : photoError('too-many-uploads');
}

/**
 * Stores a photo without its metadata. Until a claim contains it, only the caller can read it.
 * `now` is the time at which the upload was counted: a failure of the storage releases that count.
 * Throws `ApiError` (unauthenticated) if the caller was erased.
 */
export async function storePhoto(
  { db, storage, onFailure }: ClaimDependencies,
  caller: CustomerOrGuest,
  file: Buffer,
  now: Date,
): Promise<Outcome<{ photoid: string }, AddPhotoErrorCode>> {
  const { data: photo, error } = cleanUpload(file);
  if (error) return { error };

  // Each process runs one upload of a caller at a time, so the total is exceeded by few photos.
  if ((await sumStoredBytes(db, caller.id)) + photo.bytes.length > MAX_STORED_BYTES) return { error: claimError('photos-full') };
  const id = newId();
  await transaction(db, async (tx) => {
    await lockCaller(tx, caller);
    await insertPhoto(tx, { id, ...toOwnerColumns(caller), type: photo.type, bytes: photo.bytes.length, created_at: now });
  });
  if (!(await storeFile({ storage, onFailure }, id, photo))) {
    // The file may exist. `deleteUnsentPhotos` queues it with the deletion of its row.
    await releaseUse(db, uploadUse(caller, now));
    return { error: photoError('photo-not-stored') };
  }
  // An erasure has queued the file.
  if (!(await setPhotoStored(db, id, now))) throw callerErasedError();
  return { data: { photoid: id } };
}

/**
 * Returns undefined if the photo or its file does not exist, or if the actor may not see it. The
 * laundry sees the photos of any claim. Throws `StorageError` if the storage fails.
 */
export async function openPhoto(
  { db, storage }: Pick<ClaimDependencies, 'db' | 'storage'>,
  actor: OrderActor,
  id: string,
): Promise<OpenPhoto | undefined> {
  return openFile(storage, await (actor.kind === 'laundry' ? findAnyPhoto(db, id) : findPhoto(db, actor, id)));
}

/**
 * Deletes photos that were uploaded more than a day ago and never sent, at most 500. Queues their
 * files for deletion.
 */
export const deleteUnsentPhotos = (db: Db, now: Date): Promise<void> =>
  transaction(db, async (tx) => queueFileDeletions(tx, await deleteUnsent(tx, addSeconds(now, -UNSENT_PHOTO_SECONDS)), now));

const MAX_LISTED = 20;

/**
 * Returns the newest `MAX_LISTED` claims of the caller, or of one order. Undefined if the caller
 * may not read that order.
 */
export async function readClaims(db: Db, caller: CustomerOrGuest, orderid: string | undefined, now: Date): Promise<Claim[] | undefined> {
  if (orderid !== undefined && !(await isOwnOrder(db, caller, orderid))) return undefined;
  return (await listClaims(db, caller, { orderid, limit: MAX_LISTED })).map((row) => toClaim(row, now));
}

export const toClaim = (row: ClaimRow, now: Date): Claim => ({
  claimid: row.id,
  orderid: row.order_id,
  kind: row.kind,
  status: row.status,
  claim_date: kolkataDateTime(row.created_at),
  answer_by: kolkataDateTime(row.answer_by),
  reply_until: row.status === 'settled' && acceptsReply(row, now) && row.settled_at ? kolkataDateTime(replyUntil(row.settled_at)) : null,
  credited: row.settled_paise,
  ...toReversed(row),
  messages: row.messages.map(({ author, message, written_at }) => ({
    author,
    message,
    message_date: kolkataDateTime(new Date(written_at)),
  })),
  photos: row.photos.map(({ id }) => id),
});

function toReversed({ reversals }: ClaimRow): Pick<Claim, 'reversed' | 'reversed_at'> {
  const [last] = reversals;
  if (!last) return { reversed: null, reversed_at: null };
  return {
    reversed: asPaise(reversals.reduce((sum, { amount_paise }) => sum + amount_paise, 0)),
    reversed_at: kolkataDateTime(new Date(last.created_at)),
  };
}

/** Returns true until `replyUntil` of a settled claim, and always for another one. */
const acceptsReply = ({ status, settled_at: settledAt }: Pick<ClaimRow, 'status' | 'settled_at'>, now: Date): boolean =>
  status !== ('settled' satisfies ClaimStatus) || settledAt === null || now < replyUntil(settledAt);

type ClaimOutcome = Outcome<Claim, AddClaimErrorCode>;

/**
 * Creates a claim once for each key, with its photos, and returns it. A retry returns the claim of
 * the first request, and an error if its body differs. Without `clientKey`, requests with equal
 * bodies are one claim. Throws `ApiError` (unauthenticated) if the caller was erased.
 */
export async function createClaim(
  db: Db,
  caller: CustomerOrGuest,
  request: ClaimRequest,
  clientKey: string | undefined,
  now: Date,
): Promise<ClaimOutcome> {
  const { orderid } = request;
  return transactionWithOutcome(db, async (tx) => {
    await lockCaller(tx, caller);
    // A guest who proved another number can report a problem with an order of the first one.
    await lockCustomerOfOrder(tx, orderid);
    if (!(await isOwnOrder(tx, caller, orderid))) return { error: orderError('order-not-found', { orderid }) };
    return insertOnce(tx, caller, request, clientKey, now);
  });
}

async function insertOnce(
  tx: Tx,
  caller: CustomerOrGuest,
  { orderid, kind, message, photos = [] }: ClaimRequest,
  clientKey: string | undefined,
  now: Date,
): Promise<ClaimOutcome> {
  const bodyHash = hash('sha256', JSON.stringify([orderid, kind, message, photos]), 'buffer');
  const key = clientKey ?? `${BODY_KEY_PREFIX}${bodyHash.toString('base64url')}`;
  const id = newClaimId();
  const inserted = await insertClaim(tx, {
    id,
    customer_id: caller.id,
    order_id: orderid,
    kind,
    request_key: key,
    body_hash: bodyHash,
    created_at: now,
    answer_by: answerBy(now),
  });
  if (!inserted) {
    const first = await findClaimOfKey(tx, caller.id, key);
    invariant(first, 'a used key has a claim');
    return first.body_hash.equals(bodyHash) ? { data: toClaim(first, now) } : { error: claimError('claim-key-reused') };
  }
  const use = { name: 'claims of a customer', max: MAX_CLAIMS_PER_DAY, windowSeconds: DAY_SECONDS, subject: callerKey(caller), now };
  const counted = await consumeLimit(tx, use);
  if (!counted.allowed) return { error: claimError('too-many-claims') };
  if (!(await attachPhotos(tx, caller, id, photos))) return { error: claimError('unknown-photo') };
  await insertMessage(tx, orderid, { claim_id: id, author: 'customer', message, written_at: now });
  return { data: await readClaim(tx, id, now) };
}

/**
 * Adds photos after the `earlier` ones of a claim. Returns false if one cannot be added: the caller
 * rolls back those before it.
 */
async function attachPhotos(tx: Tx, caller: CustomerOrGuest, claimId: string, photos: readonly string[], earlier = 0): Promise<boolean> {
  for (const [index, id] of photos.entries()) {
    if (!(await setPhotoClaim(tx, caller, { id, claimId, position: earlier + index + 1 }))) return false;
  }
  return true;
}

async function readClaim(db: Db, id: string, now: Date): Promise<Claim> {
  const row = await findClaim(db, id);
  invariant(row, 'a claim is never removed');
  return toClaim(row, now);
}

/** Locks the customer of a claim until the transaction ends, also an erased one. */
async function lockCustomerOfClaim(tx: Tx, id: string) {
  const customerId = await findCustomerOfClaim(tx, id);
  if (customerId !== undefined) await lockCustomer(tx, customerId, 'key share');
}

/**
 * Adds a message of the customer to the thread. A claim that is answered, or was settled in the
 * last days, is open again, with a new deadline. Treats a repetition of the last message as a
 * retry, unless it has other photos. Throws `ApiError` (unauthenticated) if the caller was erased.
 */
export const replyToClaim = (
  db: Db,
  caller: CustomerOrGuest,
  { claimid, message, photos = [] }: { claimid: string; message: string; photos?: readonly string[] | undefined },
  now: Date,
): Promise<Outcome<Claim, keyof typeof addReply.errors>> =>
  transactionWithOutcome(db, async (tx) => {
    await lockCaller(tx, caller);
    // A guest who proved another number can reply about an order of the first one.
    await lockCustomerOfClaim(tx, claimid);
    const claim = await lockOwnClaim(tx, caller, claimid);
    if (!claim) return { error: claimError('unknown-claim') };
    const last = await readLastMessage(tx, claimid);
    const earlier = await readClaim(tx, claimid, now);
    const isRetry = last.author === 'customer' && last.message === message && photos.every((id) => earlier.photos.includes(id));
    if (isRetry) return { data: earlier };
    if (!acceptsReply(claim, now)) return { error: claimError('claim-is-settled') };
    const use = { name: 'replies of a customer', max: MAX_REPLIES_PER_DAY, windowSeconds: DAY_SECONDS, subject: callerKey(caller), now };
    if (!(await consumeLimit(tx, use)).allowed) return { error: claimError('too-many-replies') };
    if (earlier.photos.length + photos.length > MAX_CLAIM_PHOTOS) return { error: claimError('photos-full') };
    if (!(await attachPhotos(tx, caller, claimid, photos, earlier.photos.length))) return { error: claimError('unknown-photo') };
    await insertMessage(tx, claim.order_id, { claim_id: claimid, author: 'customer', message, written_at: now });
    await setOpenAgain(tx, claimid, answerBy(now));
    return { data: await readClaim(tx, claimid, now) };
  });

/** For the laundry only: reads the claim of any customer. Returns undefined if there is none. */
export async function findAnyClaim(db: Db, id: string, now: Date): Promise<Claim | undefined> {
  const row = await findClaim(db, id);
  return row && toClaim(row, now);
}

/** Every other status than 'done' has written nothing. */
export type ClaimAnswer =
  | { status: 'done'; claim: Claim }
  | { status: 'unknown-claim' }
  /** The thread already ends with this message. */
  | { status: 'already-answered'; claim: Claim };

/** Every other status than 'done' has written nothing. */
export type ClaimSettlement =
  | { status: 'done'; claim: Claim }
  | { status: 'unknown-claim' }
  | { status: 'already-settled'; claim: Claim }
  /** A guest placed the order, and no account has it: the number may get another owner. */
  | { status: 'no-wallet'; claim: Claim };

/**
 * Locks a claim for the laundry, the customer of its order first. Returns undefined for an unknown
 * claim. Throws `ApiError` (conflict) if the customer is erased.
 */
export async function lockClaimForLaundry(tx: Tx, id: string): Promise<LockedClaim | undefined> {
  const customerId = await findCustomerOfClaim(tx, id);
  if (customerId === undefined) return undefined;
  await lockCustomerOrThrow(tx, customerId);
  return lockClaim(tx, id);
}

/**
 * Adds a message of the laundry to the thread. A settled claim stays settled. Treats a repetition
 * of the last message as a retry. Throws `ApiError` (conflict) if the customer is erased.
 */
export const answerClaim = (db: Db, id: string, message: string, now: Date): Promise<ClaimAnswer> =>
  transaction(db, async (tx) => {
    const claim = await lockClaimForLaundry(tx, id);
    if (!claim) return { status: 'unknown-claim' };
    const last = await readLastMessage(tx, id);
    if (last.author === 'staff' && last.message === message) return { status: 'already-answered', claim: await readClaim(tx, id, now) };
    await insertMessage(tx, claim.order_id, { claim_id: id, author: 'staff', message, written_at: now });
    await setAnswered(tx, id);
    return { status: 'done', claim: await readClaim(tx, id, now) };
  });

/**
 * Ends a claim with an answer, and credits the wallet if `amountPaise` is positive. The caller
 * checks the limits of the amount. The lock of the claim makes concurrent calls wait for each
 * other. A claim that the customer opened again can be settled again, with another amount or
 * message; its credits add up. Throws `ApiError` (conflict) if the customer is erased.
 */
export const settleClaim = (
  db: Db,
  { id, amountPaise, message }: { id: string; amountPaise: Paise; message: string },
  now: Date,
): Promise<ClaimSettlement> =>
  transaction(db, async (tx) => {
    const claim = await lockClaimForLaundry(tx, id);
    if (!claim) return { status: 'unknown-claim' };
    const before = await readClaim(tx, id, now);
    // The claim was opened again after this settlement: by the customer, or with an answer.
    const isRepeated = await hasSettlement(tx, claim, { amountPaise, message });
    if (claim.status === ('settled' satisfies ClaimStatus) || isRepeated) return { status: 'already-settled', claim: before };
    const order = await selectOrdersForPayments(tx).where('id', '=', claim.order_id).executeTakeFirstOrThrow();
    if (amountPaise > 0 && order.is_unassigned) return { status: 'no-wallet', claim: before };
    // Locks the order before the wallet, as payments do, so that no two transactions can deadlock.
    const settlement = { claim_id: id, author: 'staff', message, written_at: now } as const;
    await insertMessage(tx, claim.order_id, settlement, { settledPaise: amountPaise });
    if (amountPaise > 0) {
      const credited = await creditWallet(tx, {
        // Not the customer of the claim: a guest can prove another number in the same browser and
        // then report a problem with an earlier order.
        customerId: order.customer_id,
        kind: 'compensation',
        amountPaise,
        reason: `Report ${id}`,
        reference: claim.settled_at ? ledgerReference('claim-again', { claim: id, id: newId() }) : ledgerReference('claim', { claim: id }),
        orderId: claim.order_id,
        at: now,
      });
      invariant(credited === 'recorded', 'a claim that is not settled has no credit');
    }
    const creditedPaise = (claim.settled_paise ?? 0) + amountPaise;
    await setSettled(tx, id, { settled_at: now, settled_paise: creditedPaise > 0 ? creditedPaise : null });
    return { status: 'done', claim: await readClaim(tx, id, now) };
  });
