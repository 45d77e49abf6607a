/** The disk of PostgreSQL is full (docs/security.md, O8). */
import { execFileSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeBackup } from '../../src/db/backup/write-backup.server.ts';
import { initialisedFolder, isRoot, temporaryFolder } from '../launch/processes.ts';
import { runShared } from '../launch/run-tool.ts';
import { BUSY, expectExactly, programWithDatabase, recovered, tryToPlace, type Outcome } from '../support/outage.ts';
import { countTables, inDatabase, onServer, urlOf } from '../support/postgres.ts';
import { ChildProgram, freePort, statusOf } from '../support/program-process.ts';

/** More than a cluster with its write-ahead log. */
const DISK_MB = 256;
const BLOCK = Buffer.alloc(64 * 1024);

/** Root mounts a small disk. Another user gets the errors of a full disk from triggers. */
async function newDisk() {
  const folder = await temporaryFolder();
  if (isRoot) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder]);
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  }
  const dataDir = path.join(folder, 'data');
  execFileSync('cp', ['-a', await initialisedFolder(), dataDir]);
  return { folder, dataDir };
}

async function writeUntilFull(file: string) {
  const ballast = await open(file, 'w');
  try {
    for (;;) await ballast.write(BLOCK);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  } finally {
    await ballast.close();
  }
}

const RAISE = `
  create function disk_full() returns trigger language plpgsql as $$ begin
    raise disk_full using message = 'could not extend file "base/1/2": No space left on device';
  end $$;
  create trigger disk_full before insert on orders for each row execute function disk_full()`;

const RAISE_FOR_EVERY_TABLE = `
  create function public.disk_full() returns event_trigger language plpgsql as $$ begin
    raise disk_full using message = 'could not extend file "base/1/2": No space left on device';
  end $$;
  create event trigger disk_full on ddl_command_end execute function public.disk_full()`;

test('O8: the disk is full: no success without a row, commands change nothing, recovery', { timeout: 180_000 }, async () => {
  const { folder, dataDir } = await newDisk();
  const { program, customer, db, connectionString } = await programWithDatabase(dataDir);
  const outside = await temporaryFolder();
  const backup = path.join(outside, 'backup');
  await writeBackup({ connection: { connectionString }, folder: backup, photos: undefined, now: new Date() });
  await onServer({ connectionString }, (client) => client.query('create database empty'));
  const empty = inDatabase({ connectionString }, 'empty');
  // The first connection to a database writes a file.
  expect(await countTables(empty)).toBe(0);
  const outcomes: Outcome[] = [await tryToPlace(customer)];
  expect(outcomes[0]?.error).toBeUndefined();

  const ballast = path.join(folder, 'ballast');
  const fill = async () => {
    if (isRoot) return writeUntilFull(ballast);
    await onServer({ connectionString }, (client) => client.query(RAISE));
    await onServer(empty, (client) => client.query(RAISE_FOR_EVERY_TABLE));
  };
  const free = async () => {
    if (isRoot) return rm(ballast);
    await onServer({ connectionString }, (client) => client.query('drop function disk_full cascade'));
    await onServer(empty, (client) => client.query('drop event trigger disk_full; drop function public.disk_full'));
  };

  await fill();
  // Orders fit into the pages that the tables have.
  while (outcomes.at(-1)?.error === undefined) outcomes.push(await tryToPlace(customer));
  outcomes.push(...(await Promise.all(Array.from({ length: 20 }, () => tryToPlace(customer)))));
  expect([...new Set(outcomes.map(({ error }) => error))].filter(Boolean)).toEqual([BUSY]);
  expect(await statusOf(`${program.url}/livez`)).toBe(200);

  const full = /^The disk of the database is full\. [^\n]*No space left on device[^\n]*$/;
  const refused = { code: 1, out: '', err: expect.stringMatching(full) as string };
  expect(await runShared({ DATABASE_URL: urlOf(empty) }, ['restore', backup])).toEqual(refused);
  expect(await runShared({ DATABASE_URL: urlOf(empty) }, ['migrate'])).toEqual(refused);
  const start = new ChildProgram(await freePort(), { DATABASE_URL: urlOf(empty) });
  onTestFinished(() => start.kill());
  expect(await start.ended).toBe(1);
  expect(start.output.trim()).toMatch(full);
  if (isRoot) {
    const target = path.join(folder, 'backups');
    const { code, out, err } = await runShared({ DATABASE_URL: urlOf({ connectionString }) }, ['backup', path.join(target, 'new')]);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^[^\n]*ENOSPC: no space left on device[^\n]*$/) as string,
    });
    execFileSync('rmdir', [target]);
  }

  await free();
  await recovered(program.url);
  expect(await countTables(empty)).toBe(0);
  const placed = await tryToPlace(customer);
  expect(placed.error).toBeUndefined();
  await expectExactly(db, customer, [...outcomes, placed]);
  expect(await runShared({ DATABASE_URL: urlOf(empty) }, ['restore', backup])).toMatchObject({ code: 0 });
});
