/**
 * A database that cannot be used: one line that says what to do, and never a password. How
 * migrations survive kills is proved in test/race.
 */
import net, { type AddressInfo } from 'node:net';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../test/support/program-process.ts';
import { inDatabase, newDatabase } from '../../test/support/postgres.ts';
import { UnusableDatabase, isTooOld, migrate } from './migrate.server.ts';

const server = JSON.parse(inject('server')) as pg.ClientConfig;
const PASSWORD = 'starch-and-steam';

async function refusal(connection: pg.ClientConfig): Promise<string> {
  const error: unknown = await migrate(connection).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnusableDatabase);
  const { message } = error as Error;
  expect(message).not.toContain(PASSWORD);
  expect(message).not.toContain('\n');
  return message;
}

test('a server that is not there', async () => {
  const port = await freePort();
  const connectionString = `postgres://laundry:${PASSWORD}@127.0.0.1:${port}/laundry`;
  expect(await refusal({ connectionString })).toBe(
    `PostgreSQL at 127.0.0.1:${port} does not answer (ECONNREFUSED). Is it running, and is DATABASE_URL right?`,
  );
});

test('a server that takes the connection and says nothing', async () => {
  const sockets: net.Socket[] = [];
  const silent = net.createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await new Promise((listening) => silent.once('listening', listening));
  const { port } = silent.address() as AddressInfo;
  expect(await refusal({ host: '127.0.0.1', port, user: 'laundry', password: PASSWORD, database: 'laundry' })).toContain('does not answer');
});

test('a user who is not let in, and a database that is not there', async () => {
  const stranger = (server.connectionString ?? '').replace(/\/\/[^@]*@/, `//nobody:${PASSWORD}@`);
  expect(await refusal({ connectionString: stranger })).toMatch(/does not let nobody in .* Check user and password in DATABASE_URL\.$/);
  expect(await refusal(inDatabase(server, 'nowhere'))).toMatch(/has no database nowhere\. Create it, or name another in DATABASE_URL\.$/);
});

test('PostgreSQL is new enough from 15 on', () => {
  expect([140_013, 150_000, 180_004].map(isTooOld)).toEqual([true, false, false]);
});

test('a connection that is lost in a migration: the cause is told, not that nothing could be rolled back', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  const lost = migrate(connection, [{ name: '0001_lost.sql', sql: 'select pg_terminate_backend(pg_backend_pid())' }]);
  await expect(lost).rejects.toMatchObject({ message: 'Migration 0001_lost.sql failed', cause: { code: '57P01' } });
});
