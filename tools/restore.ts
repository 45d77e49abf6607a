/**
 * `npm run restore -- <folder>`: restores a backup, all of it or nothing, and audits its ledger.
 */
import path from 'node:path';
import { restoreBackup } from '../src/db/backup/restore-backup.server.ts';
import { asSnapshot } from '../src/db/database.server.ts';
import { withdrawUnsent } from '../src/domains/notifications/store.server.ts';
import { deleteAllSessions } from '../src/domains/sessions/store.server.ts';
import { deleteAllLogins } from '../src/domains/staff/store.server.ts';
import { auditSnapshot, isSound } from '../src/domains/wallet/service.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { describeDatabase } from './describe-database.ts';
import { describePeople } from './describe-people.ts';
import { readMigrations } from './migration-files.ts';
import { describeTime } from './describe-time.ts';
import { photoFolder, requirePhotoPlace } from './photo-folder.ts';
import { UsageError, printResult, unknownWordsError, withDatabase } from './run-command.ts';

const USAGE = `npm run restore -- <folder>            restore a backup into an empty database
npm run restore -- <folder> replace    restore it, and keep the present data in another schema`;

await printResult(async (settings) => {
  const [folder, ...words] = process.argv.slice(2);
  if (folder === undefined) throw new UsageError(USAGE);
  const replace = words[0] === 'replace';
  const unknown = words.slice(replace ? 1 : 0);
  if (unknown.length > 0) throw unknownWordsError(unknown, USAGE);
  requirePhotoPlace(settings);
  const migrations = await readMigrations();
  return withDatabase(
    settings,
    async ({ connection, dataDir }) => {
      const now = systemClock.now();
      const photos = photoFolder(settings, dataDir);
      let people: string[] = [];
      let database = '';
      const restored = await restoreBackup({
        connection,
        folder: path.resolve(folder),
        photos,
        migrations,
        replace,
        now,
        async complete(db) {
          // No other process sees the restored tables before the commit.
          const audit = await auditSnapshot(asSnapshot(db));
          if (!isSound(audit)) throw new Error(`Nothing was restored: the ledger of the backup is not balanced: ${JSON.stringify(audit)}`);
          // It is unknown whether they were sent after the backup.
          await withdrawUnsent(db, now);
          await deleteAllSessions(db);
          await deleteAllLogins(db);
          people = await describePeople(db);
          database = await describeDatabase(db);
        },
      });
      const previous = restored.previousSchema;
      return [
        `Restored the backup of ${describeTime(new Date(restored.createdAt))}: ${restored.rows} rows, and ${describePhotos(restored.photos, photos)}. The ledger is balanced. ${database} Everybody logs in again.`,
        ...(restored.photosLeft > 0
          ? [`${restored.photosLeft} photos of the backup are not restored: the settings store photos in a bucket. Copy them there.`]
          : []),
        ...(restored.added.length > 0 ? [`Not restored, because it is not the program's: ${restored.added.join(', ')}`] : []),
        ...describeReturned(people),
        ...(previous ? [`The data before is in the schema ${previous}. To delete it: drop schema ${previous} cascade`] : []),
      ].join('\n');
    },
    { createsDatabase: true },
  );
});

function describePhotos(copied: number, folder: string | undefined): string {
  return folder === undefined || copied === 0 ? 'no photos' : `${copied} photos to ${folder}`;
}

/** The backup knows no later removal of a person and no later password. */
function describeReturned(people: readonly string[]): string[] {
  if (people.length === 0) return [];
  return [
    'The backup brings back these people of the staff, with the passwords and passkeys of its time:',
    ...people.map((person) => `  ${person}`),
    'Before the program starts, remove the people who have left since (npm run staff -- remove <mobile>). For a password that was changed since, make a link (npm run staff -- link <mobile>): the old password works until a new one is set.',
  ];
}
