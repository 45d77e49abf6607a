/**
 * PBKDF2-HMAC-SHA-256 without `crypto.subtle`, which browsers offer only in secure contexts. Needed
 * when a page is opened over http from another machine, for example on a phone in the same network.
 */
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { DeriveKeyFunction } from 'altcha-lib';

/**
 * Derives a key with PBKDF2-HMAC-SHA-256. Yields to the event loop before, so that the page stays
 * responsive.
 */
export const deriveKeyInScript: DeriveKeyFunction = async ({ cost, keyLength }, salt, password) => {
  await new Promise((resolve) => setTimeout(resolve));
  return { derivedKey: pbkdf2(sha256, password, salt, { c: cost, dkLen: keyLength }) };
};
