import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { OrderPhotos } from '../../db/tables.generated.ts';
import type { DeletedPhoto } from '../photos/service.server.ts';
import { listStoredIds } from '../photos/store.server.ts';

/** Returns the ids of the photos that were stored before a time, newest first. */
export const listStoredOrderPhotoIds = (db: Db, before: Date, limit?: number): Promise<string[]> =>
  listStoredIds(db, sql.table('order_photos'), before, limit);

export const hasOrderPhotos = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('order_photos').select('id').where('stored_at', 'is not', null).limit(1).execute()).length > 0;

/** Throws if the person has used the key before. */
export const insertOrderPhoto = (tx: Tx, photo: Insertable<OrderPhotos>) => tx.insertInto('order_photos').values(photo).execute();

/** Returns the photo of a key, also one that is not stored yet. Undefined for an unused key. */
export const findPhotoOfKey = (db: Db, staffId: string, requestKey: string) =>
  db
    .selectFrom('order_photos')
    .select(['id', 'order_id', 'kind', 'type', 'bytes', 'stored_at'])
    .where('staff_id', '=', staffId)
    .where('request_key', '=', requestKey)
    .executeTakeFirst();

export type PhotoOfKey = NonNullable<Awaited<ReturnType<typeof findPhotoOfKey>>>;

/** Counts the photos of an order that are stored or were begun after a time. */
export async function countOrderPhotos(tx: Tx, orderid: string, begunAfter: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('order_photos')
    .select(tx.fn.countAll<number>().as('count'))
    .where('order_id', '=', orderid)
    .where((where) => where.or([where('stored_at', 'is not', null), where('created_at', '>', begunAfter)]))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns false if the photo was stored before. */
export async function setOrderPhotoStored(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('order_photos')
    .set({ stored_at: now })
    .where('id', '=', id)
    .where('stored_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns undefined for an unknown photo and for one that is not stored. */
export const findOrderPhoto = (db: Db, id: string) =>
  db
    .selectFrom('order_photos')
    .select(['id', 'order_id', 'type', 'bytes'])
    .where('id', '=', id)
    .where('stored_at', 'is not', null)
    .executeTakeFirst();

/** Returns the stored photos of an order, the oldest first. */
export const listOrderPhotos = (db: Db, orderid: string) =>
  db
    .selectFrom('order_photos')
    .select(['id', 'kind', 'created_at', 'device_at', 'staff_id'])
    .where('order_id', '=', orderid)
    .where('stored_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Deletes the photos that were created before `createdBefore` and are not stored. Returns them. */
export const deleteIncomplete = (tx: Tx, createdBefore: Date): Promise<DeletedPhoto[]> =>
  tx
    .deleteFrom('order_photos')
    .where('stored_at', 'is', null)
    .where('created_at', '<', createdBefore)
    .returning(['id', 'stored_at'])
    .execute();

/**
 * Returns the photos of orders for an export, also those that are not completely stored. `orderIds`
 * must not be empty.
 */
export const listPhotosOfOrders = (db: Db, orderIds: readonly string[]) =>
  db
    .selectFrom('order_photos')
    .select(['id', 'order_id', 'kind', 'type', 'bytes', 'created_at'])
    .where('order_id', 'in', orderIds)
    .execute();

/**
 * Returns the deleted photos, whose files the caller must queue for deletion. `orderIds` must not
 * be empty.
 */
export const deletePhotosOfOrders = (tx: Tx, orderIds: readonly string[]): Promise<DeletedPhoto[]> =>
  tx.deleteFrom('order_photos').where('order_id', 'in', orderIds).returning(['id', 'stored_at']).execute();
