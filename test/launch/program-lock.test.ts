import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { privateUid } from '../../src/db/embedded/server-account.server.ts';
import { gone, initialisedFolder, isAlive, isRoot, patience, postmasterPid, ready, startProgram, temporaryFolder } from './processes.ts';

// Reliability line O5: second program on the same data folder; stale lock; reused pid.

test('a second program on the same folder is refused in one line that names the first', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const first = startProgram(folder);
  await ready(first);

  const refused = await startProgram(folder).ended;

  expect(refused).toEqual({
    code: 1,
    output: `Another program (dhulai pid ${first.pid}) is using the data folder ${folder}. Stop it first, or set another DATA_DIR.\n`,
  });
  first.signal('SIGTERM');
  expect((await first.ended).code).toBe(0);
});

test('of three programs started at once on an empty folder one runs and two are refused by its name', { timeout: patience }, async () => {
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

test('lock files of a dead server whose pid another process has now are taken over', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const first = startProgram(folder);
  await ready(first);
  const dead = postmasterPid(folder) ?? -1;
  first.signal('SIGKILL');
  process.kill(dead, 'SIGKILL');
  await gone(dead);
  // Of the server's own user, because PostgreSQL takes over by itself what belongs to anybody else.
  const stranger = spawn('sleep', ['60'], isRoot ? { uid: privateUid, gid: privateUid } : {});
  onTestFinished(() => void stranger.kill());
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const file = join(folder, 'postgres', name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(String(dead), String(stranger.pid)));
  }

  const second = startProgram(folder);

  expect((await ready(second)).adopted).toBe(false);
  expect(isAlive(stranger.pid ?? -1)).toBe(true);
});
