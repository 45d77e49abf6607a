import { expect, test } from 'vitest';
import { withEmbeddedPostgres } from '../../src/db/embedded.server.ts';
import { queryValue, cloneDir, initialisedFolder, TIMEOUT_MS, postmasterPid, ready, startProgram } from './processes.ts';

const runCommand = (dataDir: string, work: (url: string) => Promise<unknown>): Promise<unknown> =>
  withEmbeddedPostgres({ cloneDir, dataDir, log: () => undefined }, work);

test('a command starts PostgreSQL if it is not running, and stops it afterwards', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();

  expect(await runCommand(folder, (url) => queryValue(url, 'select 7 as value'))).toBe(7);

  expect(postmasterPid(folder)).toBe(undefined);
});

test('a command that fails also stops PostgreSQL', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();

  await expect(runCommand(folder, (url) => queryValue(url, 'select 1 / 0 as value'))).rejects.toThrow('division by zero');

  expect(postmasterPid(folder)).toBe(undefined);
});

test('a command uses the server of a running program and does not stop it', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  const { connectionString } = await ready(program);

  expect(await runCommand(folder, async (url) => url)).toBe(connectionString);

  expect(await queryValue(connectionString, 'select 7 as value')).toBe(7);
});

test('the last user of a server stops it: a command that outlives the program', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  await ready(program);

  const value = await runCommand(folder, async (url) => {
    program.signal('SIGTERM');
    expect((await program.ended).code).toBe(0);
    return queryValue(url, 'select 7 as value');
  });

  expect(value).toBe(7);
  expect(postmasterPid(folder)).toBe(undefined);
});

test('concurrent commands never connect to a server that is stopping', { timeout: TIMEOUT_MS }, async () => {
  const folder = await initialisedFolder();

  const values = [1, 2, 3, 4, 5, 6].map((value) => runCommand(folder, (url) => queryValue(url, `select ${value} as value`)));

  expect(await Promise.all(values)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(postmasterPid(folder)).toBe(undefined);
});
