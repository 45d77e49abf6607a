import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { toMigrations, type Migration } from '../src/db/migrate.server.ts';

const FOLDER = path.resolve(import.meta.dirname, '../src/db/migrations');

/** Returns the migrations of this version. The program has them in its bundle instead. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql'));
  return toMigrations(
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(path.join(FOLDER, name), 'utf8')]))),
  );
}
