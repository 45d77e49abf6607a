import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * Returns the only form of a token that the database stores. The hash needs no key and no salt,
 * because a token has 256 random bits.
 */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * HMAC-SHA-256 of values with little entropy, such as codes and mobile numbers: a brute-force
 * search needs the secret.
 */
export type KeyedHash = (text: string) => Buffer;

/** `purpose` separates domains: the same text has different hashes for different purposes. */
export const keyedHash =
  (secret: string, purpose: string): KeyedHash =>
  (text) =>
    createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();

/**
 * Hashes a mobile number for what outlives its account: the fingerprint of an erased customer and
 * the limits of the number (docs/decisions/0084 and 0086). The command that erases uses it, too.
 */
export const mobileNumberHash = (secret: string): KeyedHash => keyedHash(secret, 'erased number');

/** Returns true for equal hashes. The time depends only on their lengths, which are not secret. */
export const isEqualHash = (actual: Buffer, expected: Buffer): boolean =>
  actual.length === expected.length && timingSafeEqual(actual, expected);

/** Returns `count` decimal digits, at most nine, that depend on the hash. */
export const digitsOf = (hash: Buffer, count: number): string => String(hash.readUInt32BE() % 10 ** count).padStart(count, '0');
