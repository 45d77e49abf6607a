import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { deriveKeyInScript } from './pbkdf2-fallback.ts';

const PARAMETERS = { algorithm: 'PBKDF2/SHA-256', nonce: '', salt: '', keyLength: 32, keyPrefix: '' };

async function derive(password: Uint8Array, salt: Uint8Array, iterations: number) {
  const { derivedKey } = await deriveKeyInScript({ ...PARAMETERS, cost: iterations }, salt, password);
  return Buffer.from(derivedKey);
}

test.each([1, 2, 3, 1000])('derives the same key as node:crypto in %i iterations', async (iterations) => {
  for (let times = 0; times < 20; times += 1) {
    const [password, salt] = [randomBytes(20), randomBytes(16)];
    expect(await derive(password, salt, iterations)).toEqual(pbkdf2Sync(password, salt, iterations, 32, 'sha256'));
  }
});

test.each([
  [0, 0],
  [1, 51],
  [64, 16],
])('derives the same key as node:crypto from a password of %i bytes and a salt of %i bytes', async (passwordBytes, saltBytes) => {
  const [password, salt] = [randomBytes(passwordBytes), randomBytes(saltBytes)];
  expect(await derive(password, salt, 5)).toEqual(pbkdf2Sync(password, salt, 5, 32, 'sha256'));
});
