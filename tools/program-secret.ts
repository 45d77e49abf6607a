import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '../src/settings.server.ts';
import { UsageError } from './run-command.ts';

/**
 * Returns the secret of the program. Throws `UsageError` if `SECRET` is not set and the data folder
 * has none: hashes with another secret would never be found.
 */
export async function programSecret({ secret }: Settings, dataDir: string): Promise<string> {
  if (secret !== undefined) return secret;
  const file = path.resolve(dataDir, 'secret');
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new UsageError(`The secret of the program is not in ${file}: set SECRET or DATA_DIR as the program has them.`);
  });
}
