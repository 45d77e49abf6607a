import path from 'node:path';
import type { Settings } from '../src/settings.server.ts';

/** Returns the folder of the photos, or undefined if they are stored in a bucket. */
export const photoFolder = ({ photos }: Settings, dataDir: string): string | undefined =>
  photos.kind === 'folder' ? path.resolve(photos.folder ?? path.join(dataDir, 'photos')) : undefined;
