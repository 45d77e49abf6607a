/** `npm run backup -- <folder>`: writes the database and the photos to a new folder. */
import path from 'node:path';
import { PHOTOS } from '../src/db/backup/backup-format.server.ts';
import { writeBackup } from '../src/db/backup/write-backup.server.ts';
import type { Db } from '../src/db/database.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { kolkataDateTime } from '../src/lib/dates.ts';
import { listMissingPhotos, photoFolder, requirePhotoFolder } from './photo-folder.ts';
import { onConnection, printResult, UsageError, withDatabase } from './run-command.ts';

const USAGE = 'npm run backup -- <folder>    write a backup to a folder that does not exist yet';

const MAX_NAMED = 5;

/** Throws `UsageError` if the backup lacks photos that the database has. */
async function requirePhotos(db: Db, { photos, backup, now }: { photos: string; backup: string; now: Date }) {
  const missing = await listMissingPhotos(db, path.join(backup, PHOTOS), now);
  if (missing.length === 0) return;
  const named = missing.slice(0, MAX_NAMED).join(', ') + (missing.length > MAX_NAMED ? ', …' : '');
  throw new UsageError(
    `${backup} is written, but ${missing.length} photos of the database are not in ${photos}: ${named}. If the program had another DATA_DIR or PHOTO_DIR before, copy its photos to ${photos}, and write another backup.`,
  );
}

await printResult((settings) => {
  const [folder, ...more] = process.argv.slice(2);
  if (folder === undefined || more.length > 0) throw new UsageError(USAGE);
  return withDatabase(settings, async ({ connection, dataDir }) => {
    await onConnection({ connection }, (db) => requirePhotoFolder(db, settings, dataDir));
    const photos = photoFolder(settings, dataDir);
    const now = systemClock.now();
    const summary = await writeBackup({ connection, folder: path.resolve(folder), photos, now });
    if (photos !== undefined) await onConnection({ connection }, (db) => requirePhotos(db, { photos, backup: path.resolve(folder), now }));
    const photosText = photos === undefined ? 'The photos in the S3 bucket are not in it' : `${summary.photos} photos from ${photos}`;
    const secret = settings.secret === undefined ? path.join(dataDir, 'secret') : 'SECRET';
    return `${folder}: ${summary.rows} rows of ${kolkataDateTime(now).slice(0, 16)} in India, ${now.toISOString().slice(11, 16)} UTC. ${photosText}.\nKeep ${secret} and your settings apart from it: they are not in the backup.`;
  });
});
