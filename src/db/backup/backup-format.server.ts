/**
 * The folder of a backup:
 * - `manifest.json`: the version of the schema, and the tables with their columns and rows
 * - `tables/<table>.copy.gz`: the rows in the text format of COPY
 * - `photos/<id>`: the photos of reports, if they are stored in a folder
 * - `SHA256SUMS`: the checksum of every other file, for this program and for `sha256sum --check`
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { parseJson } from '../../lib/parse-json.ts';

export const MANIFEST = 'manifest.json';
export const CHECKSUMS = 'SHA256SUMS';
export const PHOTOS = 'photos';
export const FORMAT = 'dhulai-backup-1';

export const tableFile = (table: string) => `tables/${table}.copy.gz`;

const tableSchema = z.object({
  name: z.string().regex(/^[a-z_]+$/),
  columns: z.array(z.string().regex(/^[a-z0-9_]+$/)).min(1),
  rows: z.number().int().min(0),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(tableSchema).min(1),
  sequences: z.array(z.object({ table: z.string(), column: z.string(), value: z.string().regex(/^\d+$/) })),
});

export type Manifest = z.output<typeof manifestSchema>;
export type BackupTable = z.output<typeof tableSchema>;

/** A backup cannot be written, read or restored. The message is one line for the operator. */
export class UnusableBackup extends Error {
  override name = 'UnusableBackup';
}

/**
 * Compares every file with its checksum. Returns the manifest and the names of the photos. Throws
 * `UnusableBackup` if a file is missing, changed, added or not of this format.
 */
export async function readBackup(folder: string): Promise<{ manifest: Manifest; photos: string[] }> {
  const expected = await readChecksums(folder);
  const files = await filesBelow(folder);
  for (const file of files)
    if (!expected.has(file) && file !== CHECKSUMS) throw new UnusableBackup(`${folder} has an unknown file: ${file}`);
  for (const [file, checksum] of expected) {
    const isEqual = files.includes(file) && (await checksumOf(path.join(folder, file))) === checksum;
    if (!isEqual) throw new UnusableBackup(`${folder} is damaged: ${file} is ${files.includes(file) ? 'changed' : 'missing'}`);
  }
  const manifest = await readManifest(folder);
  for (const { name } of manifest.tables) {
    if (!expected.has(tableFile(name))) throw new UnusableBackup(`${folder} is damaged: the rows of ${name} are missing`);
  }
  const photos = files.filter((file) => file.startsWith(`${PHOTOS}/`)).map((file) => file.slice(PHOTOS.length + 1));
  return { manifest, photos };
}

/** Returns the checksums by file. Throws `UnusableBackup` without a complete list. */
async function readChecksums(folder: string): Promise<Map<string, string>> {
  const text = await readFile(path.join(folder, CHECKSUMS), 'utf8').catch(async () => {
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    throw new UnusableBackup(isFolder ? `${folder} is not a complete backup: it has no ${CHECKSUMS}` : `${folder} is no folder`);
  });
  const lines = text.split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [, checksum, file] = /^([0-9a-f]{64}) {2}([\w./-]+)$/.exec(line) ?? [];
      if (checksum === undefined || file === undefined || file.includes('..'))
        throw new UnusableBackup(`${folder} is damaged: ${CHECKSUMS} cannot be read`);
      return [file, checksum];
    }),
  );
}

/** Throws `UnusableBackup` if it is missing or of another format. */
async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch(() => '');
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new UnusableBackup(`${folder} is not a backup of this program, or of a newer version`);
  return parsed.data;
}

/** Returns the SHA-256 of a file in hexadecimal digits. */
export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Returns the paths of all files below the folder, relative to it and sorted. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
}
