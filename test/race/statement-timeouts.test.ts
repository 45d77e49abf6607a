/** Reliability bar, O7: what a frozen database leaves behind must not swallow what is written after it. */
import { once } from 'node:events';
import net from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase, transaction } from '../../src/db/database.server.ts';
import { newDatabase } from '../support/postgres.ts';

test(
  'a connection whose transaction was given up on is never used again: the next write is there for everyone',
  { timeout: 60_000 },
  async () => {
    const { connection, drop } = await newDatabase(JSON.parse(inject('server')) as pg.ClientConfig);
    const line = await stallingLine(connection);
    const shaky = openDatabase({ connection: line.connection, poolSize: 1, onConnectionLost: () => {} });
    const steady = openDatabase({ connection, poolSize: 1, onConnectionLost: () => {} });
    onTestFinished(async () => {
      await shaky.close();
      await steady.close();
      line.close();
      await drop();
    });
    await sql`create table notes (note text)`.execute(shaky.db);

    line.stall();
    const givenUp = transaction(shaky.db, (tx) => sql`insert into notes values ('given up')`.execute(tx));
    await expect(givenUp).rejects.toThrow('Query read timeout');
    line.resume();
    await sql`insert into notes values ('acknowledged')`.execute(shaky.db);

    const { rows } = await sql`select note from notes`.execute(steady.db);
    expect(rows).toEqual([{ note: 'acknowledged' }]);
  },
);

/** A way to the database that can be made to stand still without breaking, as a frozen server does. */
async function stallingLine(connection: pg.ClientConfig) {
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
  const held: net.Socket[] = [];
  return {
    connection: { host: '127.0.0.1', port: linePort, user, database, ...(password && { password }) },
    stall: () => {
      for (const socket of sockets) {
        socket.pause();
        held.push(socket);
      }
    },
    resume: () => {
      for (const socket of held) socket.resume();
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
