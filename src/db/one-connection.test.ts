import type pg from 'pg';
import { expect, inject, test } from 'vitest';
import { onOneConnection } from './one-connection.server.ts';

const connection = JSON.parse(inject('server')) as pg.ClientConfig;

test('rejects if it is aborted while it connects', async () => {
  const stopping = new AbortController();
  const work = onOneConnection({ connection, name: 'test', signal: stopping.signal }, async () => 'done');
  stopping.abort();
  await expect(work).rejects.toThrow('The connection was closed before it was made');
});
