import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { storedSecret } from './stored-secret.server.ts';

test('concurrent calls create one secret, which only its user can read', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dhulai-secret-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const secrets = new Set(await Promise.all(Array.from({ length: 20 }, () => storedSecret(path.join(folder, 'new')))));
  secrets.add(await storedSecret(path.join(folder, 'new')));
  expect(secrets.size).toBe(1);
  expect([...secrets][0]).toMatch(/^[\w-]{43}$/);
  expect(await readdir(path.join(folder, 'new'))).toEqual(['secret']);
  expect((await stat(path.join(folder, 'new', 'secret'))).mode & 0o077).toBe(0);
});
