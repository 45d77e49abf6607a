import { sql, type Insertable, type Selectable } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Paise } from '../../lib/money.ts';
import type { ClaimMessages, ClaimPhotos, Claims } from '../../db/tables.generated.ts';
import { listSettlementTimes, insertOrderEvent } from '../orders/events-store.server.ts';
import { orderIdsSql } from '../orders/personal-data-store.server.ts';
import { selectOrdersForPayments, readableOrdersSql } from '../orders/store.server.ts';
import type { DeletedPhoto } from '../photos/service.server.ts';
import { listStoredIds } from '../photos/store.server.ts';
import { reversedClaimCreditsSql, type ClaimCreditReversal } from '../wallet/store.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';

/**
 * Returns the columns of the owner of a photo. A guest's photo belongs to the session, because the
 * mobile number may have an account.
 */
export const toOwnerColumns = (caller: CustomerOrGuest) => ({
  customer_id: caller.id,
  guest_session_hash: caller.kind === 'guest' ? caller.sessionHash : null,
});

/** SQL condition: the caller uploaded the photo. */
const uploadedBySql = (caller: CustomerOrGuest) =>
  caller.kind === 'guest'
    ? sql<boolean>`guest_session_hash = ${caller.sessionHash}`
    : sql<boolean>`(customer_id = ${caller.id} and guest_session_hash is null)`;

/** Returns the bytes of all photos that were uploaded for a mobile number, by guests too. */
export const sumStoredBytes = async (db: Db, customerId: string): Promise<number> => {
  const total = sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes');
  return (await db.selectFrom('claim_photos').select(total).where('customer_id', '=', customerId).executeTakeFirstOrThrow()).bytes;
};

/** Returns the ids of the photos that were stored before a time, newest first. */
export const listStoredPhotoIds = (db: Db, before: Date, limit?: number): Promise<string[]> =>
  listStoredIds(db, sql.table('claim_photos'), before, limit);

export const hasStoredPhotos = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('claim_photos').select('id').where('stored_at', 'is not', null).limit(1).execute()).length > 0;

export const insertPhoto = (db: Db, photo: Insertable<ClaimPhotos>) => db.insertInto('claim_photos').values(photo).execute();

/** Returns false if the photo was deleted. */
export async function setPhotoStored(db: Db, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('claim_photos').set({ stored_at: now }).where('id', '=', id).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Returns a stored photo that the caller uploaded for no claim yet, or that belongs to a claim of
 * an order that the caller may read. Undefined otherwise.
 */
export const findPhoto = (db: Db, caller: CustomerOrGuest, id: string) =>
  db
    .selectFrom('claim_photos')
    .select(['id', 'type', 'bytes'])
    .where('id', '=', id)
    .where('stored_at', 'is not', null)
    .where(({ or, and, exists, selectFrom }) =>
      or([
        and([sql<boolean>`claim_id is null`, uploadedBySql(caller)]),
        exists(
          selectFrom('claims')
            .select('claims.id')
            .whereRef('claims.id', '=', 'claim_photos.claim_id')
            .where('order_id', 'in', readableOrdersSql(caller)),
        ),
      ]),
    )
    .executeTakeFirst();

/**
 * Adds a photo to a claim. Returns false if the caller did not upload it, if it was deleted, if its
 * file is not stored yet, or if a claim has it already.
 */
export async function setPhotoClaim(
  tx: Tx,
  caller: CustomerOrGuest,
  { id, claimId, position }: { id: string; claimId: string; position: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('claim_photos')
    .set({ claim_id: claimId, position })
    .where('id', '=', id)
    .where(uploadedBySql(caller))
    .where('claim_id', 'is', null)
    .where('stored_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** For the laundry only: returns a stored photo of any claim. */
export const findAnyPhoto = (db: Db, id: string) =>
  db.selectFrom('claim_photos').select(['id', 'type', 'bytes']).where('id', '=', id).where('claim_id', 'is not', null).executeTakeFirst();

const MAX_DELETIONS = 500;

/**
 * Deletes up to `MAX_DELETIONS` photos that were uploaded before `uploadedBefore` and are in no
 * claim. Returns them: the caller must queue their files for deletion.
 */
export const deleteUnsent = (tx: Tx, uploadedBefore: Date): Promise<DeletedPhoto[]> =>
  tx
    .deleteFrom('claim_photos')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('claim_photos')
        .select('id')
        .where('claim_id', 'is', null)
        .where('created_at', '<', uploadedBefore)
        .orderBy('created_at')
        .limit(MAX_DELETIONS),
    )
    // Again: a concurrent claim may have got the photo.
    .where('claim_id', 'is', null)
    .returning(['id', 'stored_at'])
    .execute();

/**
 * Returns false if the customer has used the key. Waits for a concurrent claim with the same key.
 */
export async function insertClaim(tx: Tx, claim: Insertable<Claims>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('claims')
    .values(claim)
    .onConflict((conflict) => conflict.columns(['customer_id', 'request_key']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

interface NewMessage {
  claim_id: string;
  author: 'customer' | 'staff';
  message: string;
  written_at: Date;
}

interface MessageEvent {
  /** The amount that a settlement credited. Undefined for other messages. */
  settledPaise?: number;
}

/**
 * Adds a message, and its event to the order, which stays locked until the end of the transaction.
 */
export async function insertMessage(tx: Tx, orderid: string, message: NewMessage, { settledPaise }: MessageEvent = {}) {
  await tx.insertInto('claim_messages').values(message).execute();
  const by = message.author === 'staff' ? 'laundry' : 'customer';
  await insertOrderEvent(tx, orderid, { kind: 'claim-message', claimId: message.claim_id, by, settledPaise, at: message.written_at });
}

/** Returns whether the laundry has settled the claim before with this amount and this message. */
export async function hasSettlement(
  tx: Tx,
  { id, order_id }: { id: string; order_id: string },
  { amountPaise, message }: { amountPaise: Paise; message: string },
): Promise<boolean> {
  const settledAt = await listSettlementTimes(tx, order_id, { claimId: id, by: 'laundry', settledPaise: amountPaise });
  if (settledAt.length === 0) return false;
  const found = await tx
    .selectFrom('claim_messages')
    .select('claim_id')
    .where('claim_id', '=', id)
    .where('author', '=', 'staff')
    .where('message', '=', message)
    .where('written_at', 'in', settledAt)
    .executeTakeFirst();
  return found !== undefined;
}

/** The columns of the API, with the messages, the ids of the photos and the reversed credits. */
export const selectClaims = (db: Db) =>
  db
    .selectFrom('claims')
    .select(['claims.id', 'order_id', 'kind', 'status', 'claims.created_at', 'answer_by', 'settled_at', 'settled_paise', 'body_hash'])
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('claim_messages')
          .select(['author', 'message', 'written_at'])
          .whereRef('claim_id', '=', 'claims.id')
          .orderBy('claim_messages.id'),
      ).as('messages'),
      jsonArrayFrom(eb.selectFrom('claim_photos').select('claim_photos.id').whereRef('claim_id', '=', 'claims.id').orderBy('position')).as(
        'photos',
      ),
      // A settlement credits the customer of the order.
      reversedClaimCreditsSql(
        sql`(${eb.selectFrom(selectOrdersForPayments(db).as('credited')).select('credited.customer_id').whereRef('credited.id', '=', 'claims.order_id')})`,
        sql.ref('claims.id'),
      ).as('reversals'),
    ]);

export interface ClaimRow extends Pick<
  Selectable<Claims>,
  'id' | 'order_id' | 'kind' | 'status' | 'created_at' | 'answer_by' | 'settled_at' | 'settled_paise' | 'body_hash'
> {
  /** The oldest first. JSON contains the time as text. */
  messages: { author: ClaimMessages['author']; message: string; written_at: string }[];
  photos: { id: string }[];
  /** The reversals of its credits, the latest first. */
  reversals: ClaimCreditReversal[];
}

/** Returns claims of orders that the caller may read, or of one of them, newest first. */
export const listClaims = (
  db: Db,
  caller: CustomerOrGuest,
  { orderid, limit }: { orderid: string | undefined; limit: number },
): Promise<ClaimRow[]> => {
  const claims = selectClaims(db).where('order_id', 'in', readableOrdersSql(caller));
  return (orderid === undefined ? claims : claims.where('order_id', '=', orderid))
    .orderBy('claims.created_at', 'desc')
    .orderBy('claims.id', 'desc')
    .limit(limit)
    .execute();
};

/** Returns the claim that the customer's key created. Undefined for an unused key. */
export const findClaimOfKey = (db: Db, customerId: string, key: string): Promise<ClaimRow | undefined> =>
  selectClaims(db).where('customer_id', '=', customerId).where('request_key', '=', key).executeTakeFirst();

/** For the laundry only: reads the claim of any customer. Undefined for an unknown claim. */
export const findClaim = (db: Db, claimId: string): Promise<ClaimRow | undefined> =>
  selectClaims(db).where('claims.id', '=', claimId).executeTakeFirst();

/** Returns the customer of the claim's order, undefined for an unknown claim. */
export const findCustomerOfClaim = async (db: Db, claimId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('claims')
      .innerJoin(selectOrdersForPayments(db).as('placed'), 'placed.id', 'order_id')
      .select('placed.customer_id')
      .where('claims.id', '=', claimId)
      .executeTakeFirst()
  )?.customer_id;

/**
 * Locks a claim until the end of the transaction. Returns undefined for an unknown claim. The
 * caller holds the lock of the customer of its order.
 */
export const lockClaim = (tx: Tx, claimId: string) =>
  tx
    .selectFrom('claims')
    .select(['id', 'order_id', 'status', 'settled_at', 'settled_paise'])
    .where('id', '=', claimId)
    .forNoKeyUpdate()
    .executeTakeFirst();

export type LockedClaim = NonNullable<Awaited<ReturnType<typeof lockClaim>>>;

/**
 * Locks a claim of an order that the caller may read, until the end of the transaction. Returns
 * undefined for every other claim.
 */
export const lockOwnClaim = (tx: Tx, caller: CustomerOrGuest, claimId: string) =>
  tx
    .selectFrom('claims')
    .select(['id', 'order_id', 'status', 'settled_at'])
    .where('id', '=', claimId)
    .where('order_id', 'in', readableOrdersSql(caller))
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Throws if the claim does not exist: every claim has a message. */
export const readLastMessage = (tx: Tx, claimId: string) =>
  tx
    .selectFrom('claim_messages')
    .select(['author', 'message'])
    .where('claim_id', '=', claimId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

/** Changes the status of an open claim only. */
export const setAnswered = (tx: Tx, claimId: string) =>
  tx.updateTable('claims').set({ status: 'answered' }).where('id', '=', claimId).where('status', '=', 'open').execute();

/** Opens an answered or settled claim again. It keeps the time and the credit of its settlement. */
export const setOpenAgain = (tx: Tx, claimId: string, answerBy: Date) =>
  tx.updateTable('claims').set({ status: 'open', answer_by: answerBy }).where('id', '=', claimId).where('status', '<>', 'open').execute();

/**
 * Settles a claim in any status. `settled_paise` is the sum of its credits; null without any. The
 * caller credits the wallet.
 */
export const setSettled = (tx: Tx, claimId: string, settled: { settled_at: Date; settled_paise: number | null }) =>
  tx
    .updateTable('claims')
    .set({ status: 'settled', ...settled })
    .where('id', '=', claimId)
    .execute();

const MAX_OPEN_CLAIMS = 200;

/**
 * Returns claims that are not settled, the earliest deadline first, at most `MAX_OPEN_CLAIMS`. The
 * `total` of each row counts all of them.
 */
export const listOpenClaims = (db: Db) =>
  db
    .selectFrom('claims')
    .select(['id', 'order_id', 'kind', 'status', 'answer_by', sql<number>`count(*) over ()`.as('total')])
    .where('status', '<>', 'settled')
    .orderBy('answer_by')
    .orderBy('id')
    .limit(MAX_OPEN_CLAIMS)
    .execute();

/**
 * SQL condition on `claims`: made by the customer, or about an order of theirs. After a guest
 * proved another number in the same browser, the browser reports earlier orders for that number.
 * PostgreSQL uses an index for each part of the union, and none for an `or` with a subquery.
 */
const concernsSql = (customerId: string) => sql<boolean>`claims.id in (
  select id from claims where customer_id = ${customerId}
  union all select id from claims where order_id in ${orderIdsSql(customerId)})`;

/** SQL condition on `claim_photos`: uploaded by the customer, or of a claim of `concernsSql`. */
const photoConcernsSql = (customerId: string) => sql<boolean>`claim_photos.id in (
  select id from claim_photos where customer_id = ${customerId}
  union all select claim_photos.id from claim_photos join claims on claims.id = claim_id where ${concernsSql(customerId)})`;

/**
 * Returns three lists for the export: the claims that a customer made and those about an order of
 * theirs, the messages of these claims, and their photos with those that the customer has uploaded
 * for no claim.
 */
export const readStoredClaims = async (db: Db, customerId: string) => ({
  claims: await db
    .selectFrom('claims')
    .select(['id', 'order_id', 'kind', 'status', 'created_at', 'settled_at', 'settled_paise'])
    .where(concernsSql(customerId))
    .execute(),
  messages: await db
    .selectFrom('claim_messages')
    .innerJoin('claims', 'claims.id', 'claim_messages.claim_id')
    .select(['claim_id', 'author', 'message', 'written_at'])
    .where(concernsSql(customerId))
    .orderBy('claim_messages.id')
    .execute(),
  photos: await listPhotosConcerning(db, customerId),
});

/** Returns the photos that the customer uploaded, and those of claims that concern them. */
export const listPhotosConcerning = (db: Db, customerId: string) =>
  db.selectFrom('claim_photos').select(['id', 'claim_id', 'type', 'bytes', 'created_at']).where(photoConcernsSql(customerId)).execute();

/**
 * Moves the claims of a customer about these orders to another one, with their photos. `orderIds`
 * must not be empty.
 */
export async function setCustomerOfClaims(tx: Tx, { orderIds, from, to }: { orderIds: readonly string[]; from: string; to: string }) {
  const moved = tx.updateTable('claims').set({ customer_id: to }).where('order_id', 'in', orderIds).where('customer_id', '=', from);
  const claimIds = (await moved.returning('id').execute()).map(({ id }) => id);
  if (claimIds.length === 0) return;
  await tx.updateTable('claim_photos').set({ customer_id: to }).where('claim_id', 'in', claimIds).where('customer_id', '=', from).execute();
}

/**
 * Replaces the messages of the claims that concern a customer, and deletes their photos. Returns
 * the photos: the caller must queue their files for deletion.
 */
export async function eraseClaimsOf(tx: Tx, customerId: string): Promise<DeletedPhoto[]> {
  const ofCustomer = tx.selectFrom('claims').select('id').where(concernsSql(customerId));
  await tx.updateTable('claim_messages').set({ message: ERASED }).where('claim_id', 'in', ofCustomer).execute();
  await tx
    .updateTable('claims')
    .set({ body_hash: Buffer.alloc(0) })
    .where(concernsSql(customerId))
    .execute();
  return tx.deleteFrom('claim_photos').where(photoConcernsSql(customerId)).returning(['id', 'stored_at']).execute();
}

const ERASED = '(erased)';
