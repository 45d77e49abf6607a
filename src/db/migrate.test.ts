/** Errors of `migrate`. test/race kills processes during a migration. */
import net, { type AddressInfo } from 'node:net';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../test/support/program-process.ts';
import { inDatabase, newDatabase } from '../../test/support/postgres.ts';
import { UnusableDatabase, isTooOld, migrate } from './migrate.server.ts';

const server = JSON.parse(inject('server')) as pg.ClientConfig;
const PASSWORD = 'starch-and-steam';

async function problemOf(connection: pg.ClientConfig): Promise<string> {
  const error: unknown = await migrate(connection).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnusableDatabase);
  const { message } = error as Error;
  expect(message).not.toContain(PASSWORD);
  expect(message).not.toContain('\n');
  return message;
}

test('names the server if it refuses the connection', async () => {
  const port = await freePort();
  const connectionString = `postgres://laundry:${PASSWORD}@127.0.0.1:${port}/laundry`;
  expect(await problemOf({ connectionString })).toBe(
    `PostgreSQL at 127.0.0.1:${port} does not respond (ECONNREFUSED). Is it running, and is DATABASE_URL correct?`,
  );
});

test('names the server if it accepts the connection and does not respond', async () => {
  const sockets: net.Socket[] = [];
  const silent = net.createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await new Promise((listening) => silent.once('listening', listening));
  const { port } = silent.address() as AddressInfo;
  expect(await problemOf({ host: '127.0.0.1', port, user: 'laundry', password: PASSWORD, database: 'laundry' })).toContain(
    'does not respond',
  );
});

test('names an unknown user and an unknown database', async () => {
  const stranger = (server.connectionString ?? '').replace(/\/\/[^@]*@/, `//nobody:${PASSWORD}@`);
  expect(await problemOf({ connectionString: stranger })).toMatch(
    /rejects the user nobody .* Check the user and password in DATABASE_URL\.$/,
  );
  expect(await problemOf(inDatabase(server, 'nowhere'))).toMatch(
    /has no database nowhere\. Create it, or name another database in DATABASE_URL\.$/,
  );
});

test('rejects PostgreSQL before version 15', () => {
  expect([140_013, 150_000, 180_004].map(isTooOld)).toEqual([true, false, false]);
});

test('throws the cause of a failed migration, not the error of its rollback', async () => {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  const lost = migrate(connection, [{ name: '0001_lost.sql', sql: 'select pg_terminate_backend(pg_backend_pid())' }]);
  await expect(lost).rejects.toMatchObject({ message: 'Migration 0001_lost.sql failed', cause: { code: '57P01' } });
});
