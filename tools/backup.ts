/** `npm run backup -- <folder>`: writes the database and the photos to a new folder. */
import path from 'node:path';
import { writeBackup } from '../src/db/backup/write-backup.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { photoFolder, requirePhotoFolder } from './photo-folder.ts';
import { onConnection, printResult, UsageError, withDatabase } from './run-command.ts';

const USAGE = 'npm run backup -- <folder>    write a backup to a folder that does not exist yet';

await printResult((settings) => {
  const [folder, ...more] = process.argv.slice(2);
  if (folder === undefined || more.length > 0) throw new UsageError(USAGE);
  return withDatabase(settings, async ({ connection, dataDir }) => {
    await onConnection({ connection }, (db) => requirePhotoFolder(db, settings, dataDir));
    const photos = photoFolder(settings, dataDir);
    const summary = await writeBackup({ connection, folder: path.resolve(folder), photos, now: systemClock.now() });
    const photosText = photos === undefined ? 'The photos in the S3 bucket are not in it' : `${summary.photos} photos from ${photos}`;
    const secret = settings.secret === undefined ? path.join(dataDir, 'secret') : 'SECRET';
    return `${folder}: ${summary.rows} rows. ${photosText}.\nKeep ${secret} and your settings apart from it: they are not in the backup.`;
  });
});
