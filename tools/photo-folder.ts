import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '../src/db/database.server.ts';
import { STORAGE_TIMEOUT_MS, type PhotoStorage } from '../src/domains/photos/provider.server.ts';
import { folderStorage } from '../src/domains/photos/providers/folder.server.ts';
import { s3Storage } from '../src/domains/photos/providers/s3.server.ts';
import { hasStoredPhotos, listStoredPhotoIds } from '../src/domains/claims/store.server.ts';
import { hasOrderPhotos, listStoredOrderPhotoIds } from '../src/domains/order-desk/photos-store.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import type { Settings } from '../src/settings.server.ts';
import { UsageError } from './run-command.ts';

/** Returns the folder of the photos, or undefined if they are stored in a bucket. */
export const photoFolder = ({ photos }: Settings, dataDir: string): string | undefined =>
  photos.kind === 'folder' ? path.resolve(photos.folder ?? path.join(dataDir, 'photos')) : undefined;

export function photoStorage(settings: Settings, dataDir: string): PhotoStorage {
  const { photos } = settings;
  if (photos.kind === 's3') return s3Storage({ ...photos, clock: systemClock, timeoutMs: STORAGE_TIMEOUT_MS });
  return folderStorage(photoFolder(settings, dataDir) ?? '');
}

/**
 * Throws `UsageError` if photos are stored and their folder does not exist: a command with another
 * DATA_DIR than the program would miss them.
 */
export async function requirePhotoFolder(db: Db, settings: Settings, dataDir: string) {
  const folder = photoFolder(settings, dataDir);
  if (folder === undefined || existsSync(folder)) return;
  if ((await hasStoredPhotos(db)) || (await hasOrderPhotos(db)))
    throw new UsageError(`The photos are not in ${folder}, which does not exist: set DATA_DIR or PHOTO_DIR as the program has them.`);
}

/**
 * Throws `UsageError` if a command of a live laundry would use the default folder of photos, in the
 * folder that it runs in: the program has another one (deploy/), or loses it with its version.
 */
export function requirePhotoPlace({ mode, directDatabase, dataDir, photos }: Settings) {
  if (mode !== 'live' || directDatabase === undefined || dataDir !== undefined) return;
  if (photos.kind === 'folder' && photos.folder === undefined)
    throw new UsageError('Nothing was done: the folder of the photos is not set. Set DATA_DIR or PHOTO_DIR as the program has them.');
}

/**
 * Returns the ids of the photos that were stored before a time and are not in the folder. A photo
 * that is deleted meanwhile is not among them.
 */
export async function listMissingPhotos(db: Db, folder: string, storedBefore: Date): Promise<string[]> {
  const files = new Set(existsSync(folder) ? await readdir(folder) : []);
  const ids = [...(await listStoredPhotoIds(db, storedBefore)), ...(await listStoredOrderPhotoIds(db, storedBefore))];
  return ids.filter((id) => !files.has(id));
}
