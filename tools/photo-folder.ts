import path from 'node:path';
import { STORAGE_TIMEOUT_MS, type PhotoStorage } from '../src/domains/claims/provider.server.ts';
import { folderStorage } from '../src/domains/claims/providers/folder.server.ts';
import { s3Storage } from '../src/domains/claims/providers/s3.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import type { Settings } from '../src/settings.server.ts';

/** Returns the folder of the photos, or undefined if they are stored in a bucket. */
export const photoFolder = ({ photos }: Settings, dataDir: string): string | undefined =>
  photos.kind === 'folder' ? path.resolve(photos.folder ?? path.join(dataDir, 'photos')) : undefined;

export function photoStorage(settings: Settings, dataDir: string): PhotoStorage {
  const { photos } = settings;
  if (photos.kind === 's3') return s3Storage({ ...photos, clock: systemClock, timeoutMs: STORAGE_TIMEOUT_MS });
  return folderStorage(photoFolder(settings, dataDir) ?? '');
}
