/** `npm run backup -- <folder>`: writes the database and the photos to a new folder. */
import path from 'node:path';
import { PHOTOS } from '../src/db/backup/backup-format.server.ts';
import { writeBackup } from '../src/db/backup/write-backup.server.ts';
import type { Db } from '../src/db/database.server.ts';
import { BACKUP_RUN } from '../src/domains/system/desk/rules.ts';
import { recordJob } from '../src/domains/system/service.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { describeTime } from './describe-time.ts';
import { listMissingPhotos, photoFolder, requirePhotoFolder, requirePhotoPlace } from './photo-folder.ts';
import { onConnection, printResult, unknownWordsError, UsageError, withDatabase } from './run-command.ts';

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

/**
 * Records a complete backup in the database, where every process and console reads its age. A
 * replica cannot record it, and its backup is complete: the command does not fail.
 */
async function recordBackup(db: Db, startedAt: Date) {
  const endedAt = systemClock.now();
  const durationMs = endedAt.getTime() - startedAt.getTime();
  await recordJob(db, { job: BACKUP_RUN, startedAt, durationMs }, endedAt).catch((error: Error) =>
    console.error(`The backup is complete, but the program does not learn of it: ${error.message}`),
  );
}

await printResult((settings) => {
  const [folder, ...more] = process.argv.slice(2);
  if (folder === undefined) throw new UsageError(USAGE);
  if (more.length > 0) throw unknownWordsError(more, USAGE);
  requirePhotoPlace(settings);
  return withDatabase(settings, async ({ connection, dataDir }) => {
    await onConnection({ connection }, (db) => requirePhotoFolder(db, settings, dataDir));
    const photos = photoFolder(settings, dataDir);
    const now = systemClock.now();
    const summary = await writeBackup({ connection, folder: path.resolve(folder), photos, now });
    await onConnection({ connection }, async (db) => {
      if (photos !== undefined) await requirePhotos(db, { photos, backup: path.resolve(folder), now });
      await recordBackup(db, now);
    });
    const photosText = photos === undefined ? 'The photos in the S3 bucket are not in it' : `${summary.photos} photos from ${photos}`;
    const secret = settings.secret === undefined ? path.join(dataDir, 'secret') : 'SECRET';
    const addedText = summary.added.length > 0 ? `\nNot in the backup, because it is not the program's: ${summary.added.join(', ')}` : '';
    return `${folder}: ${summary.rows} rows of ${describeTime(now)}. ${photosText}.\nKeep ${secret} and your settings apart from it: they are not in the backup.${addedText}`;
  });
});
