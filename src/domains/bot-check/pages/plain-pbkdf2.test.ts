import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { pbkdf2Sha256 } from './plain-pbkdf2.ts';

test.each([1, 2, 3, 1000])('the same key as the platform makes in %i rounds', (rounds) => {
  for (let times = 0; times < 20; times += 1) {
    const [password, salt] = [randomBytes(20), randomBytes(16)];
    expect(Buffer.from(pbkdf2Sha256(password, salt, rounds))).toEqual(pbkdf2Sync(password, salt, rounds, 32, 'sha256'));
  }
});

test('keys of any short length', () => {
  for (const [key, salt] of [
    [0, 0],
    [1, 51],
    [64, 16],
  ] as const) {
    const [password, grain] = [randomBytes(key), randomBytes(salt)];
    expect(Buffer.from(pbkdf2Sha256(password, grain, 5))).toEqual(pbkdf2Sync(password, grain, 5, 32, 'sha256'));
  }
});
