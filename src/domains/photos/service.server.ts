/**
 * Cleans, stores, opens and deletes photos. The domain that a photo belongs to has its row and
 * decides who may read it.
 */
import type { Readable } from 'node:stream';
import type { Outcome } from '../../contract/outcome.ts';
import { cleanPhoto, type PhotoType } from '../../lib/clean-photo.server.ts';
import { addSeconds } from '../../lib/clock.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { MAX_PHOTO_PIXELS, photoError } from './contract.ts';
import { StorageError, type PhotoStorage } from './provider.server.ts';
import { insertDeletedPhotos, listDueFiles, delayDeletion, deleteDueFile } from './store.server.ts';

export interface CleanPhoto {
  type: PhotoType;
  bytes: Buffer;
}

/** Returns a photo without its metadata, or the error of a file that cannot be accepted. */
export function cleanUpload(file: Buffer): Outcome<CleanPhoto, 'photo-type' | 'photo-damaged' | 'photo-dimensions'> {
  const cleaned = cleanPhoto(file);
  if ('fault' in cleaned) return { error: photoError(cleaned.fault === 'damaged' ? 'photo-damaged' : 'photo-type') };
  const { type, bytes, width, height } = cleaned.photo;
  return Math.max(width, height) > MAX_PHOTO_PIXELS ? { error: photoError('photo-dimensions') } : { data: { type, bytes } };
}

interface StoreOptions {
  storage: Pick<PhotoStorage, 'put'>;
  onFailure(error: unknown, operation: string): void;
}

/** Returns false if the storage failed. The file may exist then. */
export async function storeFile({ storage, onFailure }: StoreOptions, id: string, { type, bytes }: CleanPhoto): Promise<boolean> {
  try {
    await storage.put(id, type, bytes);
    return true;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    onFailure(error, 'storing a photo');
    return false;
  }
}

export interface OpenPhoto {
  type: string;
  bytes: number;
  content: Readable;
}

/** Returns undefined without a photo or its file. Throws `StorageError`. */
export async function openFile(
  storage: Pick<PhotoStorage, 'get'>,
  photo: { id: string; type: string; bytes: number } | undefined,
): Promise<OpenPhoto | undefined> {
  const content = photo && (await storage.get(photo.id));
  return content && { type: photo.type, bytes: photo.bytes, content };
}

/** A photo whose row is deleted. Its file may not exist yet if `stored_at` is null. */
export interface DeletedPhoto {
  id: string;
  stored_at: Date | null;
}

/**
 * When the file of a photo that is being stored is deleted, and when a failed deletion is tried
 * again. Storing a photo takes far less.
 */
const LATER_SECONDS = 10 * 60;

/**
 * Queues the files of photos whose rows the transaction deletes, for `deleteQueuedFiles`. A file
 * still being stored is deleted 10 minutes later.
 */
export async function queueFileDeletions(tx: Tx, photos: readonly DeletedPhoto[], now: Date): Promise<void> {
  if (photos.length === 0) return;
  const later = addSeconds(now, LATER_SECONDS);
  await insertDeletedPhotos(
    tx,
    photos.map(({ id, stored_at: storedAt }) => ({ id, delete_at: storedAt === null ? later : now })),
  );
}

const BATCH = 500;
/** After these failures, the rest is left to the next run. */
const MAX_FAILURES = 5;

interface QueuedFiles {
  now: Date;
  signal: AbortSignal;
  /** All photos without it. */
  among?: readonly string[];
}

/**
 * Deletes queued files until `signal` is aborted. A file that the storage does not delete is tried
 * again later, after the others. Throws its `StorageError`.
 */
export async function deleteQueuedFiles(
  { db, storage }: { db: Db; storage: Pick<PhotoStorage, 'delete'> },
  { now, signal, among }: QueuedFiles,
): Promise<void> {
  const failures: StorageError[] = [];
  let ids: string[];
  do {
    ids = await listDueFiles(db, { now, maxDelaySeconds: LATER_SECONDS, limit: BATCH, among });
    for (const id of ids) {
      if (signal.aborted || failures.length >= MAX_FAILURES) break;
      try {
        await storage.delete(id);
        await deleteDueFile(db, id);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        failures.push(error);
        await delayDeletion(db, id, addSeconds(now, LATER_SECONDS));
      }
    }
  } while (ids.length === BATCH && !signal.aborted && failures.length < MAX_FAILURES);
  if (failures[0]) throw failures[0];
}
