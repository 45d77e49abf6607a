/** Photos as files of one folder, for a program on one machine. */
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '../../../lib/ids.ts';
import { StorageError, type PhotoStorage } from '../provider.server.ts';

/** Creates the folder with the first photo or check. Other users of the machine cannot read it. */
export function folderStorage(folder: string): PhotoStorage {
  const fileOf = (id: string) => path.join(folder, id);
  const createFolder = () => mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    put: (id, _type, bytes) =>
      withStorageErrors(async () => {
        await createFolder();
        const incomplete = `${fileOf(id)}.part`;
        await writeFile(incomplete, bytes, { mode: 0o600, flush: true });
        // Atomic: a reader and the next start after a power failure see the whole file or none.
        await rename(incomplete, fileOf(id));
      }),
    get: (id) =>
      withStorageErrors(async () => {
        // Opened here, because a stream would report a missing file after the response has begun.
        const file = await open(fileOf(id)).catch(ignoreMissing);
        return file && createReadStream('', { fd: file });
      }),
    delete: (id) =>
      withStorageErrors(async () => {
        await rm(fileOf(id), { force: true });
        await rm(`${fileOf(id)}.part`, { force: true });
      }),
    check: () =>
      withStorageErrors(async () => {
        await createFolder();
        // The name of an incomplete photo, which backups leave out.
        const file = `${fileOf(newId())}.part`;
        try {
          await writeFile(file, 'check', { mode: 0o600, flush: true });
        } finally {
          await rm(file, { force: true });
        }
      }),
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/** Throws a `StorageError` for any error of the operation. */
const withStorageErrors = <Result>(operation: () => Promise<Result>): Promise<Result> =>
  operation().catch((cause: unknown) => {
    throw new StorageError('The folder of the photos cannot be used', { cause });
  });
