import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns the secret of a data folder and creates it on first use. Of several processes that start
 * together, one creates the secret and all read it: a temporary file is linked only when complete.
 */
export async function storedSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret');
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(temporary, randomBytes(32).toString('base64url'), { mode: 0o600 });
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(temporary);
  return readFile(file, 'utf8');
}
