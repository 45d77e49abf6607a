import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onServer } from '../../test/support/postgres.ts';
import { temporaryRoot } from '../../test/support/temporary-root.ts';
import { startEmbeddedPostgres } from './embedded.server.ts';
import { listen } from './listen.server.ts';

async function newServer() {
  const dataDir = await mkdtemp(path.join(temporaryRoot, 'dhulai-listen-'));
  const { connectionString, stop } = await startEmbeddedPostgres({ dataDir, cloneDir: process.cwd(), log: () => {} });
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { connectionString };
}

test('leaves a server that becomes read-only, and listens again once one accepts writes', { timeout: 60_000 }, async () => {
  const connection = await newServer();
  // Open transactions and connections get the setting too, unlike that of a database.
  const setReadOnly = (value: 'on' | 'off') =>
    onServer({ ...connection, options: '-c default_transaction_read_only=off' }, async (client) => {
      await client.query(`alter system set default_transaction_read_only = ${value}`);
      await client.query('select pg_reload_conf()');
    });
  const events: string[] = [];
  const listener = listen({
    connection,
    channel: 'laundry',
    onNotification: (payload) => events.push(payload),
    onConnected: () => events.push('connected'),
    onConnectionLost: ({ message }) => events.push(message),
    checkEveryMs: 50,
  });
  onTestFinished(() => listener.stop());
  await expect.poll(() => events, { timeout: 20_000 }).toEqual(['connected']);
  await setReadOnly('on');
  await expect.poll(() => events, { timeout: 20_000 }).toContainEqual(expect.stringMatching(/^The server at .* is read-only$/));
  await setReadOnly('off');
  await expect.poll(() => events.at(-1), { timeout: 20_000 }).toBe('connected');
  await onServer(connection, (client) => client.query("notify laundry, 'washed'"));
  await expect.poll(() => events.at(-1), { timeout: 20_000 }).toBe('washed');
  expect(events.filter((event) => event === 'connected')).toHaveLength(2);
});
