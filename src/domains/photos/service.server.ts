/**
 * Cleans, stores, opens and deletes photos. The domain that a photo belongs to has its row and
 * decides who may read it.
 */
import type { Readable } from 'node:stream';
import type { Outcome } from '../../contract/outcome.ts';
import { cleanPhoto } from '../../lib/clean-photo.server.ts';
import { MAX_PHOTO_PIXELS, photoError } from './contract.ts';
import { StorageError, type PhotoStorage } from './provider.server.ts';

export interface CleanPhoto {
  type: string;
  bytes: Buffer;
}

/** Returns a photo without its metadata. */
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

/** Deletes photos until `signal` is aborted. Throws `StorageError`. */
export async function deleteFiles(
  storage: Pick<PhotoStorage, 'delete'>,
  ids: readonly string[],
  deleteRow: (id: string) => Promise<unknown>,
  signal: AbortSignal,
) {
  for (const id of ids) {
    if (signal.aborted) return;
    // The file before its row: without the row, a later run would not find the file.
    await storage.delete(id);
    await deleteRow(id);
  }
}
