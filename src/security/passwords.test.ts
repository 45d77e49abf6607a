import { expect, test } from 'vitest';
import { QueueFull } from './concurrency-limit.server.ts';
import { createPasswords } from './passwords.server.ts';

const passwords = createPasswords();
/** The parts of a PHC string: parameters, then salt and tag in base64 without padding. */
const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z\d+/]{22}\$[A-Za-z\d+/]{43}$/;

// From the tests of the argon2 reference implementation (src/test.c, version 0x13, argon2id).
test.each([
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
  '$argon2id$v=19$m=65536,t=1,p=1$c29tZXNhbHQ$9qWtwbpyPd3vm1rB1GThgPzZ3/ydHL92zKL+15XZypg',
])('verifies %s of the reference implementation', async (stored) => {
  expect(await passwords.matches('password', stored)).toBe(true);
  expect(await passwords.matches('Password', stored)).toBe(false);
});

test('verifies a hash stored in base64url, as the program wrote them until 2026-11-22', async () => {
  const stored = '$argon2id$v=19$m=19456,t=2,p=1$TtdY_aIUg6w0yV-StNDrvQ$1UppvPPi3oUcgVOTfOa8usbLRxOB1F1t4gEJ6CtJs_o';
  expect(await passwords.matches('starch and steam', stored)).toBe(true);
  expect(await passwords.matches('starch and stream', stored)).toBe(false);
});

test('writes a PHC string that verifies only its own password', async () => {
  const hashes = await Promise.all(Array.from({ length: 8 }, () => passwords.hash('starch and steam')));
  expect(new Set(hashes).size).toBe(hashes.length);
  for (const stored of hashes) {
    expect(stored).toMatch(PHC);
    expect(await passwords.matches('starch and steam', stored)).toBe(true);
    expect(await passwords.matches('starch and stream', stored)).toBe(false);
  }
});

test('rejects a hash beyond the limit', async () => {
  const limited = createPasswords({ concurrent: 1, queued: 0 });
  const first = limited.hash('starch and steam');
  await expect(limited.hash('starch and steam')).rejects.toThrow(QueueFull);
  await first;
});

test.each([undefined, '', 'password', '$2b$12$not-an-argon2-hash'])('no password matches %o', async (stored) => {
  expect(await passwords.matches('password', stored)).toBe(false);
});
