import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signUpCustomer } from '../../test/support/customer.ts';
import { useProgram } from '../../test/support/program.ts';
import { temporaryRoot } from '../../test/support/temporary-root.ts';
import { folderStorage } from '../domains/photos/providers/folder.server.ts';
import { addSeconds } from '../lib/clock.ts';
import { parseSettings } from '../settings.server.ts';
import { listIncompleteSetup } from './incomplete-setup.server.ts';

const program = useProgram();

test('a start with a folder that cannot be written says so, and why', async () => {
  const root = await mkdtemp(path.join(temporaryRoot, 'dhulai-photos-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const linesFor = async (folder: string) =>
    (await listIncompleteSetup(program.db, folderStorage(folder), parseSettings({ PHOTO_DIR: folder }), program.clock.now())).filter(
      (line) => line.startsWith('Photos'),
    );
  expect(await linesFor(path.join(root, 'new'))).toEqual([]);
  expect(await readdir(path.join(root, 'new'))).toEqual([]);
  const file = path.join(root, 'file');
  await writeFile(file, '');
  expect(await linesFor(path.join(file, 'photos'))).toEqual([
    `Photos cannot be stored (ENOTDIR: not a directory, mkdir '${file}/photos'): give the folder to the user of the program, or set DATA_DIR or PHOTO_DIR to another.`,
  ]);
});

test('a start with another folder than the photos have says so', async () => {
  const folder = await mkdtemp(path.join(temporaryRoot, 'dhulai-photos-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const now = program.clock.now();
  const lines = () =>
    listIncompleteSetup(program.db, folderStorage(folder), parseSettings({ PHOTO_DIR: folder }), addSeconds(now, 1)).then((all) =>
      all.filter((line) => line.startsWith('Photos')),
    );
  expect(await lines()).toEqual([]);
  const { userid } = await signUpCustomer(program);
  const photo = { id: 'photo', customer_id: userid, type: 'image/jpeg', bytes: 7, created_at: now, stored_at: now } as const;
  await program.db.insertInto('claim_photos').values(photo).execute();
  expect(await lines()).toEqual([
    'Photos are missing: they are in the folder of an earlier version. Set DATA_DIR or PHOTO_DIR as that version had them.',
  ]);
  await writeFile(path.join(folder, photo.id), 'a stain');
  expect(await lines()).toEqual([]);
});

test('a start whose photos are lost with its version says so', async () => {
  const root = await mkdtemp(path.join(temporaryRoot, 'dhulai-photos-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const linesFor = async (environment: Record<string, string>) =>
    (await listIncompleteSetup(program.db, folderStorage(root), parseSettings(environment), program.clock.now())).filter((line) =>
      line.startsWith('The photos'),
    );
  expect(await linesFor({})).toEqual([
    `The photos go to ${path.resolve('.data/photos')}, inside the folder of this version: the next version does not have them. Set DATA_DIR to a folder outside it.`,
  ]);
  expect(await linesFor({ DATA_DIR: root })).toEqual([
    `The photos are in ${root}/photos. Processes on other machines need the same folder (PHOTO_DIR) or PHOTO_STORAGE=s3.`,
  ]);
  expect(await linesFor({ PHOTO_DIR: root })).toEqual([]);
});
