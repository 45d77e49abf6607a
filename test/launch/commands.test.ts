import { expect, test } from 'vitest';
import { withEmbeddedPostgres } from '../../src/db/embedded.server.ts';
import { ask, cloneDir, initialisedFolder, patience, postmasterPid, ready, startProgram } from './processes.ts';

const command = (dataDir: string, work: (url: string) => Promise<unknown>): Promise<unknown> =>
  withEmbeddedPostgres({ cloneDir, dataDir, log: () => undefined }, work);

test('a command starts PostgreSQL where none runs, and stops it afterwards', { timeout: patience }, async () => {
  const folder = await initialisedFolder();

  expect(await command(folder, (url) => ask(url, 'select 7 as value'))).toBe(7);

  expect(postmasterPid(folder)).toBe(undefined);
});

test('a command that fails stops PostgreSQL all the same', { timeout: patience }, async () => {
  const folder = await initialisedFolder();

  await expect(command(folder, (url) => ask(url, 'select 1 / 0 as value'))).rejects.toThrow('division by zero');

  expect(postmasterPid(folder)).toBe(undefined);
});

test('a command joins the server of a running program and leaves it running', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  const { connectionString } = await ready(program);

  expect(await command(folder, async (url) => url)).toBe(connectionString);

  expect(await ask(connectionString, 'select 7 as value')).toBe(7);
});

test('a program that stops leaves the server to the command still using it, which stops it', { timeout: patience }, async () => {
  const folder = await initialisedFolder();
  const program = startProgram(folder);
  await ready(program);

  const answer = await command(folder, async (url) => {
    program.signal('SIGTERM');
    expect((await program.ended).code).toBe(0);
    return ask(url, 'select 7 as value');
  });

  expect(answer).toBe(7);
  expect(postmasterPid(folder)).toBe(undefined);
});

test('commands that come and go at once never meet a server that is being stopped', { timeout: patience }, async () => {
  const folder = await initialisedFolder();

  const answers = [1, 2, 3, 4, 5, 6].map((value) => command(folder, (url) => ask(url, `select ${value} as value`)));

  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(postmasterPid(folder)).toBe(undefined);
});
