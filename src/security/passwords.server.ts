/**
 * Password hashes: argon2id with OWASP's parameters, stored as PHC strings. Hashing is expensive by
 * design, so few run concurrently and only a short queue waits (docs/security.md, A6).
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import {
  concurrencyLimit,
  concurrencyLimitByKey,
  type ConcurrencyLimits,
  type RunLimited,
  type RunLimitedByKey,
} from './concurrency-limit.server.ts';

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const SALT_BYTES = 16;

/**
 * The passwords of customers and of the staff that are hashed at a time. Many networks at one
 * log-in form do not keep the others out. Together they leave one of the four threads of Node for
 * files and compression.
 */
export const PASSWORD_LIMITS = {
  customers: { concurrent: 2, queued: 40 },
  staff: { concurrent: 1, queued: 20 },
} as const satisfies Record<string, ConcurrencyLimits>;

const CHANGES_OF_PROOF = { concurrent: 1, queued: 100 };

const derive = promisify(argon2);

export interface Passwords {
  /** Returns a PHC string. Runs in `runLimited`. */
  hash(password: string): Promise<string>;
  /**
   * Returns true if `stored` is the hash of `password`. Takes the same time if `stored` is
   * undefined (an unknown user), so that the time does not reveal which users exist. Not limited:
   * call it in `runLimited`.
   */
  matches(password: string, stored: string | undefined): Promise<boolean>;
  /**
   * Runs `work` when a slot is free. Throws `QueueFull` if the queue is full. Code that counts an
   * attempt belongs inside `work`, so that a rejected attempt is not counted.
   */
  runLimited: RunLimited;
  /**
   * Runs the changes with one proof, such as a confirmed code, one after the other: the first uses
   * the proof up, and the others compute no hash. Check the proof inside `work`.
   */
  runForProof: RunLimitedByKey;
}

/** PHC strings use base64 without padding. */
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

const phcString = (salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(tag)}`;

/** Also accepts base64url, written until 2026-11-22. `Buffer.from` decodes both alphabets. */
const STORED_HASH = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/-]+)\$([\w+/-]+)$/;
const UNKNOWN_USER_HASH = phcString(Buffer.alloc(SALT_BYTES), Buffer.alloc(COST.tagLength));

/** Normalizes the password, so that it has the same bytes if it is typed on two keyboards. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'));

export function createPasswords(limits: ConcurrencyLimits = PASSWORD_LIMITS.customers): Passwords {
  const runLimited = concurrencyLimit(limits);
  return {
    hash: (password) =>
      runLimited(async () => {
        const nonce = randomBytes(SALT_BYTES);
        return phcString(nonce, await derive('argon2id', { ...COST, message: bytesOf(password), nonce }));
      }),
    matches: async (password, stored = UNKNOWN_USER_HASH) => {
      const [, memory, passes, parallelism, salt = '', tag = ''] = STORED_HASH.exec(stored) ?? STORED_HASH.exec(UNKNOWN_USER_HASH)!;
      const expected = Buffer.from(tag, 'base64');
      const nonce = Buffer.from(salt, 'base64');
      const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength: expected.length };
      const derived = await derive('argon2id', { ...cost, message: bytesOf(password), nonce });
      return timingSafeEqual(derived, expected);
    },
    runLimited,
    runForProof: concurrencyLimitByKey(CHANGES_OF_PROOF),
  };
}
