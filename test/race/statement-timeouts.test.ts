/** A statement timeout must not affect later writes (docs/security.md, O7). */
import { once } from 'node:events';
import net from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase, transaction } from '../../src/db/database.server.ts';
import { newDatabase } from '../support/postgres.ts';

test('a connection with a timed-out transaction is not reused: the next write is committed', { timeout: 60_000 }, async () => {
  const { connection, drop } = await newDatabase(JSON.parse(inject('server')) as pg.ClientConfig);
  const proxy = await startStallingProxy(connection);
  const stalling = openDatabase({ connection: proxy.connection, poolSize: 1, onConnectionLost: () => {} });
  const direct = openDatabase({ connection, poolSize: 1, onConnectionLost: () => {} });
  onTestFinished(async () => {
    await stalling.close();
    await direct.close();
    proxy.close();
    await drop();
  });
  await sql`create table notes (note text)`.execute(stalling.db);

  proxy.stall();
  const timedOut = transaction(stalling.db, (tx) => sql`insert into notes values ('timed out')`.execute(tx));
  await expect(timedOut).rejects.toThrow('Query read timeout');
  proxy.resume();
  await sql`insert into notes values ('acknowledged')`.execute(stalling.db);

  const { rows } = await sql`select note from notes`.execute(direct.db);
  expect(rows).toEqual([{ note: 'acknowledged' }]);
});

/** A proxy to the database that can stall without closing connections, like a suspended server. */
async function startStallingProxy(connection: pg.ClientConfig) {
  const { host, port, user, database, password } = new pg.Client(connection);
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(target);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => socket.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: linePort } = server.address() as net.AddressInfo;
  const paused: net.Socket[] = [];
  return {
    connection: { host: '127.0.0.1', port: linePort, user, database, ...(password && { password }) },
    stall: () => {
      for (const socket of sockets) {
        socket.pause();
        paused.push(socket);
      }
    },
    resume: () => {
      for (const socket of paused) socket.resume();
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
