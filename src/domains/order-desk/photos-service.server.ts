/**
 * Photos that the staff takes for an order. The customer sees those of the scale only.
 * docs/decisions/0061 and 0072.
 */
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../contract/api-error.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { DAY_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import { consumeLimit } from '../../db/limits.server.ts';
import { orderError } from '../orders/contract.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { isScalePhoto, lockOrder } from '../orders/store.server.ts';
import { photoError } from '../photos/contract.ts';
import type { PhotoStorage } from '../photos/provider.server.ts';
import { cleanUpload, openFile, queueFileDeletions, storeFile, type OpenPhoto } from '../photos/service.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { laundryOf, type StaffMember } from '../staff/authentication.server.ts';
import { staffError } from '../staff/desk/contract.ts';
import { audit } from '../staff/audit-store.server.ts';
import { deskError } from './desk/contract.ts';
import { MAX_ORDER_PHOTOS, type OrderPhotoKind } from './desk/order-photo.ts';
import { isPlausibleDeviceTime } from './desk/rules.ts';
import type { addOrderPhoto } from './desk/photos-contract.ts';
import { maySee } from './queries-service.server.ts';
import * as store from './photos-store.server.ts';
import { findDeskOrder } from './store.server.ts';

export interface OrderPhotoDependencies {
  db: Db;
  clock: Clock;
  storage: PhotoStorage;
  onFailure(error: unknown, operation: string): void;
}

type RefusalCode = keyof typeof addOrderPhoto.errors;

/** Uploads of a person in a day, refused ones included. */
const MAX_UPLOADS_PER_DAY = 300;

/** An older upload that is not stored has failed, and takes no place among the photos. */
const UPLOAD_SECONDS = 2 * 60;

/**
 * Returns the error of an upload that is refused before its file is read, otherwise undefined.
 * Counts the upload in the limit of the person, unless the order is unknown or hidden.
 */
export async function checkUpload(db: Db, staff: StaffMember, orderid: string, now: Date): Promise<ErrorMessage<RefusalCode> | undefined> {
  if (!(await isVisible(db, orderid, staff, now))) return orderError('order-not-found', { orderid });
  const use = { name: 'photos of a person of the staff', max: MAX_UPLOADS_PER_DAY, windowSeconds: DAY_SECONDS, subject: staff.id, now };
  return (await consumeLimit(db, use)).allowed ? undefined : photoError('too-many-uploads');
}

/** Returns false for an unknown order and for one that the person may not see. */
const isVisible = async (db: Db, orderid: string, staff: StaffMember, now: Date) =>
  (await findDeskOrder(db, orderid)) !== undefined && maySee(db, orderid, staff, now);

interface NewOrderPhoto {
  orderid: string;
  kind: OrderPhotoKind;
  /** The time of the device when it took the photo. */
  at?: string | undefined;
  /** A repeated key stores one photo. */
  requestKey: string;
  file: Buffer;
}

/**
 * Returns the id of the photo that was stored or begun with the key. Throws `ApiError`
 * (bad-request) if the key was used for another photo.
 */
function toReserved({ id, stored_at, ...first }: store.PhotoOfKey, photo: Omit<store.PhotoOfKey, 'id' | 'stored_at'>) {
  if (!isDeepStrictEqual(first, photo)) throw new ApiError('bad-request', staffError('staff-key-used'));
  return { id, isStored: stored_at !== null };
}

/**
 * Stores a photo without its metadata, once for each key of the person, and writes it to the audit.
 * A photo of the scale becomes an event of the order. After 'photo-not-stored', a request with the
 * same key tries again. Throws `ApiError`: bad-request if the key was used for another photo,
 * conflict if the customer is erased.
 */
export async function storeOrderPhoto(
  { db, clock, storage, onFailure }: OrderPhotoDependencies,
  staff: StaffMember,
  { orderid, kind, at, requestKey, file }: NewOrderPhoto,
): Promise<Outcome<{ photoid: string }, RefusalCode>> {
  const { data: cleaned, error } = cleanUpload(file);
  if (error) return { error };
  const now = clock.now();
  const deviceAt = at === undefined ? null : new Date(at);
  if (deviceAt && !isPlausibleDeviceTime(deviceAt, now)) return { error: deskError('wrong-device-time') };
  const reserved = await transaction(db, async (tx) => {
    // The lock makes concurrent photos of an order wait, so that their count is exact.
    await lockOrder(tx, laundryOf(staff), orderid);
    if (!(await isVisible(tx, orderid, staff, now))) return { error: orderError('order-not-found', { orderid }) };
    const first = await store.findPhotoOfKey(tx, staff.id, requestKey);
    const photo = { order_id: orderid, kind, type: cleaned.type, bytes: cleaned.bytes.length };
    if (first) return toReserved(first, photo);
    const count = await store.countOrderPhotos(tx, orderid, addSeconds(now, -UPLOAD_SECONDS));
    if (count >= MAX_ORDER_PHOTOS) return { error: deskError('too-many-order-photos') };
    const id = newId();
    await store.insertOrderPhoto(tx, { id, staff_id: staff.id, request_key: requestKey, created_at: now, device_at: deviceAt, ...photo });
    return { id, isStored: false };
  });
  if ('error' in reserved) return { error: reserved.error };
  const { id } = reserved;
  if (reserved.isStored) return { data: { photoid: id } };
  // `deleteIncompletePhotos` deletes the row and queues the file, which may exist.
  if (!(await storeFile({ storage, onFailure }, id, cleaned))) return { error: photoError('photo-not-stored') };
  await transaction(db, async (tx) => {
    // Throws if an erasure has deleted the row and queued the file.
    await lockOrder(tx, laundryOf(staff), orderid);
    const isNew = await store.setOrderPhotoStored(tx, id, clock.now());
    if (isNew && kind === 'weigh') await insertOrderEvent(tx, orderid, { kind: 'photographed', photoId: id, at: clock.now() });
    if (isNew) await audit(tx, staff, { action: 'add-photo', subject: ['order', orderid], after: { photo: id, kind } }, clock.now());
  });
  return { data: { photoid: id } };
}

/** Returns undefined for an unknown photo, and for one of an order that the caller may not see. */
export async function openOrderPhoto(
  { db, clock, storage }: OrderPhotoDependencies,
  staff: StaffMember,
  id: string,
): Promise<OpenPhoto | undefined> {
  const photo = await store.findOrderPhoto(db, id);
  if (!photo || !(await maySee(db, photo.order_id, staff, clock.now()))) return undefined;
  return openFile(storage, photo);
}

/**
 * Returns undefined for an unknown photo, for one of another caller's order, and for one that the
 * customer does not see (`isScalePhoto`).
 */
export async function openScalePhoto(
  { db, storage }: Pick<OrderPhotoDependencies, 'db' | 'storage'>,
  caller: CustomerOrGuest,
  id: string,
): Promise<OpenPhoto | undefined> {
  const photo = await store.findOrderPhoto(db, id);
  if (!photo || !(await isScalePhoto(db, caller, photo.order_id, id))) return undefined;
  return openFile(storage, photo);
}

/**
 * Deletes the photos that were begun more than a day ago and are still not stored. Queues their
 * files for deletion.
 */
export const deleteIncompletePhotos = (db: Db, now: Date): Promise<void> =>
  transaction(db, async (tx) => queueFileDeletions(tx, await store.deleteIncomplete(tx, addSeconds(now, -DAY_SECONDS)), now));
