import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startPoolerStandIn } from '../../test/support/pooler-stand-in.ts';
import { newDatabase } from '../../test/support/postgres.ts';
import { openDatabase } from './database.server.ts';
import { UnusableDatabase } from './unusable-database.server.ts';
import { detectPooler } from './pooler.server.ts';

const server = JSON.parse(inject('server')) as pg.ClientConfig;

async function database() {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  return connection;
}

test('finds no pooler before a server', async () => {
  expect(await detectPooler(await database())).toBe('none');
});

test('refuses a pooler in transaction mode without prepared statements, in one line', async () => {
  const connectionString = await startPoolerStandIn(await database());
  const refused: unknown = await detectPooler({ connectionString }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UnusableDatabase);
  expect((refused as Error).message).toMatch(
    /^The pooler at 127\.0\.0\.1:\d+ has no prepared statements in transaction mode: PgBouncer 1\.21 or newer/,
  );
});

test.each([
  ['bytea_output', 'escape', 'hex'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
])('refuses a pooler in transaction mode if connections begin with %s = %s', async (name, value, required) => {
  const connection = await database();
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`do $$ begin execute format('alter database %I set ${name} = ''${value}''', current_database()); end $$`);
  await client.end();
  // Without a pooler, the program sets it for each connection.
  expect(await detectPooler(connection)).toBe('none');
  const refused: unknown = await detectPooler({ connectionString: await startPoolerStandIn(connection) }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UnusableDatabase);
  expect((refused as Error).message).toContain(`${name} = '${value}': alter the role to set ${name} = '${required}'`);
});

test('a pooler that does not respond is named in one line', async () => {
  const unreachable: unknown = await detectPooler({ connectionString: 'postgres://anybody@127.0.0.1:1/any' }).catch(
    (error: unknown) => error,
  );
  expect(unreachable).toBeInstanceOf(UnusableDatabase);
  expect((unreachable as Error).message).toMatch(/^PostgreSQL at 127\.0\.0\.1:1 does not respond \(ECONNREFUSED\)\. Is it running/);
});

test('the reason of a pooler that refuses a connection is in the line', async () => {
  const fields = Buffer.from('SFATAL\0C08P01\0Mno such database: laundry\0\0');
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  const pooler = net.createServer(
    (socket) => void socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields]))),
  );
  onTestFinished(() => void pooler.close());
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  const { port } = pooler.address() as AddressInfo;
  await expect(detectPooler({ connectionString: `postgres://laundry@127.0.0.1:${port}/laundry` })).rejects.toThrow(
    `PostgreSQL at 127.0.0.1:${port} refuses the connection: no such database: laundry. Check DATABASE_URL and the log of that server.`,
  );
});

test('sends a pooler no timeouts in the start of a connection, because PgBouncer refuses them', async () => {
  for (const isPooled of [false, true]) {
    const { pool, close } = openDatabase({ connection: await database(), isPooled, poolSize: 1, onConnectionLost: () => {} });
    const { rows } = await pool.query<{ statement_timeout: string }>('show statement_timeout');
    expect(rows[0]?.statement_timeout).toBe(isPooled ? '0' : '4s');
    await close();
  }
});
