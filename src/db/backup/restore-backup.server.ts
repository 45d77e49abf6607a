import { createReadStream } from 'node:fs';
import { cp, mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { HostClient, type DatabaseConfig } from '../hosts.server.ts';
import type { Db } from '../database.server.ts';
import {
  applyMigration,
  checkServerVersion,
  createRecordTable,
  MIGRATION_LOCK,
  missingMigrations,
  type Migration,
} from '../migrate.server.ts';
import { kyselyOn } from '../one-connection.server.ts';
import { refuseOtherProgram } from '../other-program.server.ts';
import { PHOTOS, readBackup, tableFile, UnusableBackup, type Manifest } from './backup-format.server.ts';
import { COPY_SETTINGS, copyStatement, readTables } from './write-backup.server.ts';

interface RestoreOptions {
  connection: DatabaseConfig;
  folder: string;
  /** The folder of the photos; undefined if they are stored elsewhere. */
  photos: string | undefined;
  /** The migrations of this version. The backup may be of an older one. */
  migrations: readonly Migration[];
  /** Keeps existing data in another schema. Without it, only an empty database is restored. */
  replace: boolean;
  now: Date;
  /** Checks and completes the restored data in the transaction. Undoes the restore if it throws. */
  complete(db: Db): Promise<void>;
}

export interface RestoreSummary {
  createdAt: string;
  rows: number;
  /** The copied photos: none without a folder for photos. */
  photos: number;
  /** The photos of the backup that were not copied. */
  photosLeft: number;
  /** The tables and columns of the backup that an operator had added: they are not restored. */
  added: string[];
  /** The schema with the data that was replaced. */
  previousSchema: string | undefined;
}

/**
 * Verifies every file of a backup, and restores it in one transaction. Photos are copied before the
 * commit, and remain if it fails. Throws `UnusableBackup` if the backup is damaged or foreign, if
 * the database is in use or not empty, or a newer version wrote the backup. Throws
 * `UnusableDatabase` if the database is that of another program.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const { folder, migrations, now } = options;
  const { manifest, photos } = await readBackup(folder);
  checkMigrations(manifest, migrations);
  const client = new HostClient({ ...options.connection, application_name: `dhulai pid ${process.pid} restore` });
  await client.connect();
  try {
    await checkServerVersion(client);
    await client.query('begin');
    await client.query(COPY_SETTINGS);
    await checkUnused(client);
    await refuseOtherProgram(client);
    const previousSchema = await setSchemaAside(client, options.replace, now);
    const added = await loadTables(client, folder, manifest, migrations);
    await options.complete(kyselyOn(client));
    // Before the commit, so that no row shows a missing photo.
    const copied = options.photos === undefined ? 0 : photos.length;
    if (options.photos !== undefined) await restorePhotos(path.join(folder, PHOTOS), options.photos, photos);
    await client.query('commit');
    await client.query('analyze');
    const rows = sumOfRows(manifest.tables.filter(({ name }) => !added.includes(name)));
    return { createdAt: manifest.createdAt, rows, photos: copied, photosLeft: photos.length - copied, added, previousSchema };
  } finally {
    // Rolls back what is not committed.
    await client.end().catch(() => {});
  }
}

/**
 * Throws `UnusableBackup` if this version does not have a migration of the backup, also a
 * compatible one, and `IncompatibleDatabase` if a migration was changed.
 */
function checkMigrations(manifest: Manifest, migrations: readonly Migration[]) {
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = manifest.migrations.find(({ name }) => !names.has(name));
  if (unknown) throw new UnusableBackup(`The backup is of a newer version (migration ${unknown.name}): restore it with that version`);
  missingMigrations(
    manifest.migrations.map((migration) => ({ ...migration, compatibleSince: null })),
    migrations,
  );
}

const escape = (name: string) => pg.escapeIdentifier(name);

const sumOfRows = (tables: Manifest['tables']) => tables.reduce((sum, { rows }) => sum + rows, 0);

/** The settings of a shell can be those of another database than meant. */
const nameOf = ({ database }: pg.Client) => `The database ${database}`;

/**
 * Acquires the lock of migrations for the transaction. Throws `UnusableBackup` if a program or a
 * command uses the database.
 */
async function checkUnused(client: pg.Client) {
  const { rows: locks } = await client.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [MIGRATION_LOCK]);
  if (!locks[0]?.locked) throw new UnusableBackup(`${nameOf(client)} is in use: another process migrates or restores it`);
  await checkNoPrograms(client);
}

/** Throws `UnusableBackup` if another connection of this program is open, in any process. */
async function checkNoPrograms(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
      where datname = current_database() and application_name like 'dhulai pid %' and pid <> pg_backend_pid() limit 1`,
  );
  if (rows[0])
    throw new UnusableBackup(
      `${nameOf(client)} is in use (${rows[0].name}): stop the program first, and PgBouncer, which keeps connections`,
    );
}

/**
 * Renames the schema if it has tables, and creates an empty one. Returns the new name of the
 * schema, or undefined if it has no tables. Throws `UnusableBackup` if it has tables and `replace`
 * is false, or a program uses them.
 */
async function setSchemaAside(client: pg.Client, replace: boolean, now: Date): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  if (tables.length === 0) return undefined;
  if (!replace)
    throw new UnusableBackup(
      `${nameOf(client)} is not empty (${tables.length} tables). For a rehearsal, name an empty database. To replace the data, add the word 'replace': the present data is then kept in another schema`,
    );
  // A process that starts now waits for its first table and finds the new one. A process that was
  // between two connections at the first check has none of the locks, or is found by the second.
  await client.query(`lock table ${tables.map((table) => table.name).join(', ')} in access exclusive mode`);
  await checkNoPrograms(client);
  const name = `replaced_${now.toISOString().slice(0, 19).replaceAll(/\D/g, '')}`;
  await client.query(`alter schema public rename to ${name}; create schema public; grant usage on schema public to public`);
  return name;
}

/**
 * Creates the schema of the backup, loads its rows, and applies the newer migrations. Returns the
 * tables and columns of the backup that its version does not have, and does not restore them.
 * Throws `UnusableBackup` if the backup lacks a column or has other numbers of rows.
 */
async function loadTables(client: pg.Client, folder: string, manifest: Manifest, migrations: readonly Migration[]): Promise<string[]> {
  const applied = new Set(manifest.migrations.map(({ name }) => name));
  await createRecordTable(client);
  for (const migration of migrations.filter(({ name }) => applied.has(name))) await applyMigration(client, migration);
  const difference = await compareColumns(client, manifest);
  const tables = manifest.tables.filter(({ name }) => !difference.tables.includes(name));
  const names = tables.map(({ name }) => escape(name));
  // The rows satisfy foreign keys together, not table by table. Triggers have run before the
  // backup.
  const keys = await dropForeignKeys(client);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  if (names.length > 0) await client.query(`truncate ${names.join(', ')}`);
  // Text accepts every value of COPY.
  for (const [table, column] of difference.columns) await client.query(`alter table ${escape(table)} add column ${escape(column)} text`);
  for (const { name, columns, rows } of tables) {
    const table = client.query(copyFrom(copyStatement(name, columns, 'from stdin')));
    await pipeline(createReadStream(path.join(folder, tableFile(name))), createGunzip(), table);
    const counted = await client.query<{ rows: string }>(`select count(*) as rows from ${escape(name)}`);
    if (Number(counted.rows[0]?.rows) !== rows) throw new UnusableBackup(`${folder} is damaged: ${name} has not ${rows} rows`);
  }
  for (const [table, column] of difference.columns) await client.query(`alter table ${escape(table)} drop column ${escape(column)}`);
  for (const key of keys) await client.query(key);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  const added = [...difference.tables, ...difference.columns.map((column) => column.join('.'))];
  for (const { table, column, value } of manifest.sequences.filter(
    ({ table, column }) => ![table, `${table}.${column}`].some((name) => added.includes(name)),
  ))
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3)', [table, column, value]);
  for (const migration of migrations.filter(({ name }) => !applied.has(name))) await applyMigration(client, migration);
  return added.toSorted();
}

/**
 * Returns the tables and columns of the backup that its version does not have: versions before
 * decision 146 also wrote those that an operator had added. Throws `UnusableBackup` if the backup
 * lacks a table or column.
 */
async function compareColumns(
  client: pg.Client,
  manifest: Manifest,
): Promise<{ tables: string[]; columns: [table: string, column: string][] }> {
  const expected = new Map((await readTables(client)).map(({ name, columns }) => [name, columns]));
  const found = new Map(manifest.tables.map(({ name, columns }) => [name, columns]));
  for (const [table, columns] of expected) {
    const missing = columns.find((column) => !found.get(table)?.includes(column));
    if (missing !== undefined)
      throw new UnusableBackup(`The backup does not fit its version of the database at the table ${table}: it lacks ${missing}`);
  }
  return {
    tables: [...found.keys()].filter((table) => !expected.has(table)),
    columns: [...expected].flatMap(([table, columns]) =>
      (found.get(table) ?? []).filter((column) => !columns.includes(column)).map((column): [string, string] => [table, column]),
    ),
  };
}

/** Drops all foreign keys. Returns the statements that create them again. */
async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`);
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`);
}

/** Copies the photos. One with the same name has the same content: a photo never changes. */
async function restorePhotos(from: string, to: string, names: readonly string[]) {
  if (names.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of names) {
    const incomplete = path.join(to, `${name}.part`);
    await cp(path.join(from, name), incomplete);
    await rename(incomplete, path.join(to, name));
  }
}
