import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newDatabase, onServer } from '../../test/support/postgres.ts';
import { freePort } from '../../test/support/program-process.ts';
import { openDatabase } from './database.server.ts';
import { HostClient, parseDatabaseUrl } from './hosts.server.ts';
import { migrate } from './migrate.server.ts';
import { isUnavailable } from './unavailable.server.ts';

const server = JSON.parse(inject('server')) as pg.ClientConfig;

test('reads a URL with one host, and one with several', () => {
  const one = 'postgres://laundry:p%40ss@db.example:5433/laundry?sslmode=require';
  expect(parseDatabaseUrl(one)).toEqual({ connectionString: one });
  expect(parseDatabaseUrl('postgres://u@/laundry?host=/run'.replace('@/', '@localhost/'))).toEqual({
    connectionString: 'postgres://u@localhost/laundry?host=%2Frun',
  });
  expect(parseDatabaseUrl('postgresql://u:p@a:1,b/laundry?target_session_attrs=read-write&sslmode=disable')).toEqual({
    connectionString: 'postgresql://u:p@a:1/laundry?sslmode=disable',
    hostUrls: ['postgresql://u:p@a:1/laundry?sslmode=disable', 'postgresql://u:p@b/laundry?sslmode=disable'],
    acceptsReadOnly: false,
  });
});

test.each(['mysql://a/b', 'postgres://a:b:c/d', 'postgres://a,/d?target_session_attrs=standby', 'laundry'])('rejects %s', (url) => {
  expect(() => parseDatabaseUrl(url)).toThrow(/^must be postgres:|^target_session_attrs must be/);
});

/** Listens on TCP and forwards to the server of the tests, whose embedded variant has a socket. */
async function startHost(database: string) {
  const target = new pg.Client(server);
  const path = target.host.startsWith('/') ? { path: `${target.host}/.s.PGSQL.${target.port}` } : { host: target.host, port: target.port };
  const listener = net.createServer((socket) => {
    const upstream = net.connect(path).on('error', () => socket.destroy());
    socket
      .on('error', () => upstream.destroy())
      .pipe(upstream)
      .pipe(socket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const { port } = listener.address() as AddressInfo;
  const url = new URL(`postgres://127.0.0.1:${port}/${database}?sslmode=disable`);
  url.username = target.user ?? '';
  url.password = target.password ?? '';
  return { url: url.href, port };
}

test('connects to a host that responds and accepts writes, and to another one after a failover', async () => {
  const { connection, name, drop } = await newDatabase(server);
  onTestFinished(drop);
  const first = await startHost(name);
  const second = await startHost(name);
  const dead = await freePort();
  const url = first.url.replace(`127.0.0.1:${first.port}`, `127.0.0.1:${dead},127.0.0.1:${first.port},127.0.0.1:${second.port}`);
  const { pool, close } = openDatabase({ connection: parseDatabaseUrl(url), poolSize: 1, onConnectionLost: () => {} });
  onTestFinished(close);
  const { rows } = await pool.query<{ one: number }>('select 1 as one');
  expect(rows).toEqual([{ one: 1 }]);

  await onServer(connection, async (client) => {
    await client.query('set default_transaction_read_only = off');
    await client.query(`alter database ${name} set default_transaction_read_only = on`);
    const refused: unknown = await new HostClient(parseDatabaseUrl(url)).connect().catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: 'No host of DATABASE_URL accepts writes' });
    expect(isUnavailable(refused)).toBe(true);
    await expect(migrate(parseDatabaseUrl(url), [])).rejects.toThrow('No host of DATABASE_URL accepts writes. Are the servers running');
    const reader = new HostClient(parseDatabaseUrl(`${url}&target_session_attrs=any`));
    await reader.connect();
    await reader.end();
    await client.query(`alter database ${name} reset default_transaction_read_only`);
  });
  const writer = new HostClient(parseDatabaseUrl(url));
  await writer.connect();
  expect([first.port, second.port]).toContain(writer.port);
  await writer.end();
});
