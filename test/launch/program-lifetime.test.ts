import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, gone, isAlive, patience, postmasterPid, ready, startProgram, initialisedFolder } from './processes.ts';

test('SIGTERM stops the program and its PostgreSQL, and leaves nothing that says it runs', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  const { connectionString } = await ready(program);
  expect(readFileSync(join(folder, 'url'), 'utf8').trim()).toBe(connectionString);
  const postmaster = postmasterPid(folder) ?? -1;

  program.signal('SIGTERM');

  expect((await program.ended).code).toBe(0);
  expect(isAlive(postmaster)).toBe(false);
  expect(existsSync(join(folder, 'url'))).toBe(false);
});

test('Ctrl-C that arrives twice is one clean stop', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  await ready(program);
  const postmaster = postmasterPid(folder) ?? -1;

  program.signal('SIGINT');
  await new Promise((soon) => setTimeout(soon, 5));
  program.signal('SIGINT');

  expect((await program.ended).code).toBe(0);
  expect(isAlive(postmaster)).toBe(false);
});

test('after kill -9 the next program adopts the server that lives on', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const first = startProgram(folder);
  const { connectionString, adopted } = await ready(first);
  expect(adopted).toBe(false);
  await ask(connectionString, 'create table kept as select 7 as value');
  const postmaster = postmasterPid(folder);

  first.signal('SIGKILL');
  await first.ended;
  const second = startProgram(folder);

  expect(await ready(second)).toMatchObject({ connectionString, adopted: true });
  expect(postmasterPid(folder)).toBe(postmaster);
  expect(await ask(connectionString, 'select value from kept')).toBe(7);
  second.signal('SIGTERM');
  expect((await second.ended).code).toBe(0);
  expect(isAlive(postmaster ?? -1)).toBe(false);
});

test('after kill -9 of PostgreSQL and the program the next program starts a new server', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const first = startProgram(folder);
  const { connectionString } = await ready(first);
  await ask(connectionString, 'create table kept as select 7 as value');
  const postmaster = postmasterPid(folder) ?? -1;

  first.signal('SIGKILL');
  process.kill(postmaster, 'SIGKILL');
  const second = startProgram(folder);

  expect(await ready(second)).toMatchObject({ connectionString, adopted: false });
  expect(await ask(connectionString, 'select value from kept')).toBe(7);
});

test('a program whose PostgreSQL is killed has it back under the same URL', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  const { connectionString } = await ready(program);
  await ask(connectionString, 'create table kept as select 7 as value');

  process.kill(postmasterPid(folder) ?? -1, 'SIGKILL');
  await program.says('PostgreSQL is running again');

  expect(await ask(connectionString, 'select value from kept')).toBe(7);
  const second = startProgram(folder);
  expect((await second.ended).output).toContain(`pid ${program.pid})`);
  program.signal('SIGTERM');
  expect((await program.ended).code).toBe(0);
  expect(postmasterPid(folder)).toBe(undefined);
});

test('a program that was frozen while another took its folder ends itself', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const frozen = startProgram(folder);
  await ready(frozen);
  frozen.signal('SIGSTOP');
  const postmaster = postmasterPid(folder) ?? -1;
  process.kill(postmaster, 'SIGKILL');
  await gone(postmaster);

  const heir = startProgram(folder);
  const { connectionString } = await ready(heir);
  frozen.signal('SIGCONT');

  expect(await frozen.ended).toMatchObject({
    code: 1,
    output: expect.stringContaining(`pid ${heir.pid})`) as string,
  });
  expect(await ask(connectionString, 'select 1 as value')).toBe(1);
});
