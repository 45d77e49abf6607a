import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PRIVATE_UID } from '../../src/db/embedded/server-account.server.ts';
import {
  waitForExit,
  initialisedFolder,
  isAlive,
  isRoot,
  TIMEOUT_MS,
  postmasterPid,
  ready,
  startProgram,
  temporaryFolder,
} from './processes.ts';

// A second program on the same data folder, a stale lock, a reused pid (docs/security.md, O5).

test('rejects a second program on the same folder, with one line that names the first', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const first = startProgram(folder);
  await ready(first);

  const rejected = await startProgram(folder).ended;

  expect(rejected).toEqual({
    code: 1,
    output: `Another program (dhulai pid ${first.pid}) is using the data folder ${folder}. Stop it first, or set another DATA_DIR.\n`,
  });
  first.signal('SIGTERM');
  expect((await first.ended).code).toBe(0);
});

test('runs one of three concurrently started programs, and rejects two with its pid', { timeout: TIMEOUT_MS }, async () => {
  const folder = await temporaryFolder();
  const programs = [1, 2, 3].map(() => startProgram(folder));

  const winner = await Promise.any(programs.map(async (program) => ready(program).then(() => program)));
  const losers = programs.filter((program) => program !== winner);

  for (const loser of losers) {
    expect(await loser.ended).toMatchObject({
      code: 1,
      output: expect.stringContaining(`pid ${winner.pid})`) as string,
    });
  }
});

test('replaces the lock files of a dead server whose pid was reused', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const first = startProgram(folder);
  await ready(first);
  const dead = postmasterPid(folder) ?? -1;
  first.signal('SIGKILL');
  process.kill(dead, 'SIGKILL');
  await waitForExit(dead);
  // With the uid of the server: PostgreSQL itself replaces lock files whose pid belongs to another
  // uid.
  const unrelated = spawn('sleep', ['60'], isRoot ? { uid: PRIVATE_UID, gid: PRIVATE_UID } : {});
  onTestFinished(() => void unrelated.kill());
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const file = join(folder, 'postgres', name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(String(dead), String(unrelated.pid)));
  }

  const second = startProgram(folder);

  expect((await ready(second)).adopted).toBe(false);
  expect(isAlive(unrelated.pid ?? -1)).toBe(true);
});
