import { createWriteStream } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { HostClient, type DatabaseConfig } from '../hosts.server.ts';
import { readApplied } from '../migrate.server.ts';
import {
  CHECKSUMS,
  checksumOf,
  filesBelow,
  FORMAT,
  MANIFEST,
  PHOTOS,
  tableFile,
  UnusableBackup,
  type BackupTable,
  type Manifest,
} from './backup-format.server.ts';
import { separateAdded } from './program-tables.server.ts';

interface BackupOptions {
  connection: DatabaseConfig;
  /** Must not exist. */
  folder: string;
  /** The folder of the photos; undefined if they are stored elsewhere. */
  photos: string | undefined;
  now: Date;
}

export interface BackupSummary {
  rows: number;
  photos: number;
  /** The tables and columns that an operator has added: they are not in the backup. */
  added: string[];
}

/**
 * Writes a backup under a temporary name and renames it when it is complete. The program may run:
 * its tables are read in one snapshot. Photos are copied afterwards; the program writes a photo
 * before the row that shows it. Throws `UnusableBackup` if the folder exists, or the database has
 * no tables.
 */
export async function writeBackup({ connection, folder, photos, now }: BackupOptions): Promise<BackupSummary> {
  if (await exists(folder)) throw new UnusableBackup(`${folder} exists already: choose another folder`);
  const temporary = await createIncompleteFolder(folder);
  try {
    await mkdir(path.join(temporary, 'tables'));
    const { manifest, added } = await writeTables(connection, temporary, now);
    await writeFile(path.join(temporary, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    const copied = photos === undefined ? 0 : await copyPhotos(photos, path.join(temporary, PHOTOS));
    await writeChecksums(temporary);
    await rename(temporary, folder);
    await sync(path.dirname(folder));
    return { rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0), photos: copied, added };
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** A folder of the kernel, such as /proc, has ENOENT for a new entry. */
const NOT_WRITABLE = new Set<string | undefined>(['EACCES', 'EPERM', 'EROFS', 'ENOENT']);

/** Throws `UnusableBackup` if the user of the command may not write there. */
async function createIncompleteFolder(folder: string): Promise<string> {
  try {
    await mkdir(path.dirname(folder), { recursive: true });
    // The end of the backup opens it to write its entries to the disk.
    await (await open(path.dirname(folder))).close();
    // Readable by its owner only: it contains personal data.
    return await mkdtemp(`${folder}.incomplete-`);
  } catch (error) {
    if (!NOT_WRITABLE.has((error as NodeJS.ErrnoException).code)) throw error;
    throw new UnusableBackup(`${path.dirname(folder)} is not readable and writable for this user: choose another folder`, { cause: error });
  }
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Writes the rows of the tables of the program, as of one snapshot. */
async function writeTables(connection: DatabaseConfig, folder: string, now: Date): Promise<{ manifest: Manifest; added: string[] }> {
  const client = new HostClient({ ...connection, application_name: `dhulai pid ${process.pid} backup` });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(COPY_SETTINGS);
    const { rows: migrations } = await readApplied(client);
    if (migrations.length === 0) throw new UnusableBackup('The database has no tables: start the program once to create them');
    const ofProgram = separateAdded(
      await readTables(client),
      migrations.map(({ name }) => name),
    );
    const tables: BackupTable[] = [];
    for (const { name, columns, transactionIds } of ofProgram.tables) {
      const rows = client.query(copyTo(copyStatement(name, columns, 'to stdout', transactionIds)));
      await pipeline(rows, createGzip(), createWriteStream(path.join(folder, tableFile(name))));
      const counted = await client.query<{ rows: string }>(`select count(*) as rows from ${pg.escapeIdentifier(name)}`);
      tables.push({ name, columns, rows: Number(counted.rows[0]?.rows) });
    }
    const sequences = (await readSequences(client)).filter(({ table, column }) =>
      tables.some(({ name, columns }) => name === table && columns.includes(column)),
    );
    const manifest = {
      format: FORMAT,
      createdAt: now.toISOString(),
      migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
      tables,
      sequences,
    } as const;
    return { manifest, added: ofProgram.added };
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Settings of the caller's transaction, so that the text of a value does not depend on the server,
 * the role or the database.
 */
export const COPY_SETTINGS = `
  set local datestyle = 'ISO, MDY';
  set local intervalstyle = 'postgres';
  set local timezone = 'UTC';
  set local bytea_output = 'hex';
  set local extra_float_digits = 3;
  set local client_encoding = 'UTF8';
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local search_path = public;
`;

/**
 * Returns a COPY statement. 'to stdout' writes null for the columns in `transactionIds`, whose
 * values have no meaning in another server. 'from stdin' loads all columns and ignores that
 * parameter.
 */
export function copyStatement(
  table: string,
  columns: readonly string[],
  direction: 'to stdout' | 'from stdin',
  transactionIds: readonly string[] = [],
): string {
  const list = columns.map((column) => pg.escapeIdentifier(column));
  if (direction === 'from stdin') return `copy ${pg.escapeIdentifier(table)} (${list.join(', ')}) from stdin`;
  const values = columns.map((column, index) => (transactionIds.includes(column) ? 'null' : list[index]));
  return `copy (select ${values.join(', ')} from ${pg.escapeIdentifier(table)}) to stdout`;
}

/**
 * Returns the tables with their columns. Excludes the records of migrations, and unlogged tables,
 * which hold only counts that a crash of the server deletes as well.
 */
export async function readTables(client: pg.Client): Promise<{ name: string; columns: string[]; transactionIds: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; transactionIds: string[] }>(`
    select relname::text as name, array_agg(attname::text order by attnum) as columns,
           coalesce(array_agg(attname::text) filter (where atttypid = 'xid8'::regtype), '{}') as "transactionIds"
      from pg_class
      join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname <> 'schema_migrations'
     group by relname order by relname`);
  return rows;
}

/** Returns the last value of each identity column that has one. */
async function readSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(`
    select table_name as "table", column_name as "column",
           pg_sequence_last_value(pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass)::text as value
      from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES' order by 1, 2`);
  return rows.filter(({ value }) => (value as string | null) !== null);
}

/** Returns the number of photos, with those that were deleted meanwhile. 0 without the folder. */
async function copyPhotos(from: string, to: string): Promise<number> {
  const files = await readdir(from).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  // Excludes the incomplete file of an upload.
  const names = files.filter((name) => /^[\w-]+$/.test(name));
  for (const name of names) {
    // The program may delete an unsent photo during the backup.
    await cp(path.join(from, name), path.join(to, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  return names.length;
}

/**
 * Writes the checksums of all files of a backup. Also makes the files and folders durable, so that
 * the renamed folder is complete after a power failure.
 */
async function writeChecksums(folder: string) {
  const lines: string[] = [];
  for (const file of await filesBelow(folder)) {
    await sync(path.join(folder, file));
    lines.push(`${await checksumOf(path.join(folder, file))}  ${file}\n`);
  }
  await writeFile(path.join(folder, CHECKSUMS), lines.join(''), { flush: true });
  for (const part of ['tables', PHOTOS]) if (await exists(path.join(folder, part))) await sync(path.join(folder, part));
  await sync(folder);
}

/** Makes a file, or the names in a folder, durable. */
async function sync(file: string) {
  const handle = await open(file);
  await handle.sync();
  await handle.close();
}
