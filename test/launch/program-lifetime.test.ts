import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  queryValue,
  waitForExit,
  isAlive,
  TIMEOUT_MS,
  postmasterPid,
  ready,
  startProgram,
  initialisedFolder,
  temporaryFolder,
} from './processes.ts';

/**
 * Linux frees the memory of an ending process, with its command line, before it marks the process
 * as ended. The program reads the command line.
 */
const expectEnded = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);

test('SIGTERM stops the program and its PostgreSQL, and deletes the URL file', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  const { connectionString } = await ready(program);
  expect(readFileSync(join(folder, 'url'), 'utf8').trim()).toBe(connectionString);
  const postmaster = postmasterPid(folder) ?? -1;

  program.signal('SIGTERM');

  expect((await program.ended).code).toBe(0);
  await expectEnded(postmaster);
  expect(existsSync(join(folder, 'url'))).toBe(false);
});

test('two SIGINT in sequence stop the program once', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  await ready(program);
  const postmaster = postmasterPid(folder) ?? -1;

  program.signal('SIGINT');
  await new Promise((resolve) => setTimeout(resolve, 5));
  program.signal('SIGINT');

  expect((await program.ended).code).toBe(0);
  await expectEnded(postmaster);
});

test('SIGTERM while the program creates the cluster leaves no temporary folder', { timeout: TIMEOUT_MS }, async () => {
  const folder = join(await temporaryFolder(), 'data');
  const program = startProgram(folder);
  const temporary = () => (existsSync(folder) ? readdirSync(folder).find((name) => name.startsWith('postgres.new-')) : undefined);
  while (temporary() === undefined) await sleep(5);

  program.signal('SIGTERM');

  expect((await program.ended).code).toBe(0);
  expect(temporary()).toBe(undefined);
});

test('SIGTERM while PostgreSQL starts stops both', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  while (postmasterPid(folder) === undefined) await sleep(1);

  program.signal('SIGTERM');

  expect((await program.ended).code).toBe(0);
  expect(postmasterPid(folder)).toBe(undefined);
});

test('SIGTERM stops a program that waits for a running PostgreSQL to become ready', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const killed = startProgram(folder);
  await ready(killed);
  killed.signal('SIGKILL');
  await killed.ended;
  const statusFile = join(folder, 'postgres/postmaster.pid');
  writeFileSync(statusFile, readFileSync(statusFile, 'utf8').replace(/ready\s*$/, 'starting\n'));
  const program = startProgram(folder, { printStart: true });
  await program.waitForLine('STARTING');

  program.signal('SIGTERM');

  expect(await program.ended).toEqual({ code: 0, output: 'STARTING\n' });
});

test('after SIGKILL of the program, the next one adopts the running server', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const first = startProgram(folder);
  const { connectionString, adopted } = await ready(first);
  expect(adopted).toBe(false);
  await queryValue(connectionString, 'create table saved as select 7 as value');
  const postmaster = postmasterPid(folder);

  first.signal('SIGKILL');
  await first.ended;
  const second = startProgram(folder);

  expect(await ready(second)).toMatchObject({ connectionString, adopted: true });
  expect(postmasterPid(folder)).toBe(postmaster);
  expect(await queryValue(connectionString, 'select value from saved')).toBe(7);
  second.signal('SIGTERM');
  expect((await second.ended).code).toBe(0);
  await expectEnded(postmaster ?? -1);
});

test('after SIGKILL of the program and PostgreSQL, the next program starts a new server', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const first = startProgram(folder);
  const { connectionString } = await ready(first);
  await queryValue(connectionString, 'create table saved as select 7 as value');
  const postmaster = postmasterPid(folder) ?? -1;

  first.signal('SIGKILL');
  process.kill(postmaster, 'SIGKILL');
  const second = startProgram(folder);

  expect(await ready(second)).toMatchObject({ connectionString, adopted: false });
  expect(await queryValue(connectionString, 'select value from saved')).toBe(7);
});

test('restarts a killed PostgreSQL under the same URL', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  const { connectionString } = await ready(program);
  await queryValue(connectionString, 'create table saved as select 7 as value');

  process.kill(postmasterPid(folder) ?? -1, 'SIGKILL');
  await program.waitForLine('PostgreSQL is running again');

  expect(await queryValue(connectionString, 'select value from saved')).toBe(7);
  const second = startProgram(folder);
  expect((await second.ended).output).toContain(`pid ${program.pid})`);
  program.signal('SIGTERM');
  expect((await program.ended).code).toBe(0);
  expect(postmasterPid(folder)).toBe(undefined);
});

test('a suspended program exits if another program has locked its folder', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const suspended = startProgram(folder);
  await ready(suspended);
  suspended.signal('SIGSTOP');
  const postmaster = postmasterPid(folder) ?? -1;
  process.kill(postmaster, 'SIGKILL');
  await waitForExit(postmaster);

  const successor = startProgram(folder);
  const { connectionString } = await ready(successor);
  suspended.signal('SIGCONT');

  expect(await suspended.ended).toMatchObject({
    code: 1,
    output: expect.stringContaining(`pid ${successor.pid})`) as string,
  });
  expect(await queryValue(connectionString, 'select 1 as value')).toBe(1);
});
