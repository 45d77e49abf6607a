/** Password hashes: argon2id with OWASP's parameters. Hashing is dear on purpose, so only two run at once and only a short queue waits (reliability bar, A6). */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { concurrencyLimit } from './concurrency-limit.ts';
import { throwServiceBusy } from './service-busy.server.ts';

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const SALT_BYTES = 16;

const QUEUE = { concurrent: 2, queued: 40 };

const derive = promisify(argon2);

export interface Passwords {
  hash(password: string): Promise<string>;
  /** `stored` is undefined for an unknown user: the work is done all the same, so that the time taken tells nothing. */
  matches(password: string, stored: string | undefined): Promise<boolean>;
  /** Waits for one of the turns. Everything about a guess that must not be counted when the queue is full goes inside. */
  runLimited<Result>(work: () => Promise<Result>): Promise<Result>;
}

const encode = (salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${salt.toString('base64url')}$${tag.toString('base64url')}`;

const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;
const NOBODY = encode(Buffer.alloc(SALT_BYTES), Buffer.alloc(COST.tagLength));

/** The same password typed on two keyboards is the same text. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'));

export function createPasswords(): Passwords {
  const runLimited = concurrencyLimit(QUEUE);

  return {
    hash: async (password) => {
      const nonce = randomBytes(SALT_BYTES);
      return encode(nonce, await derive('argon2id', { ...COST, message: bytesOf(password), nonce }));
    },
    matches: async (password, stored = NOBODY) => {
      const [, memory, passes, parallelism, salt = '', tag = ''] = STORED.exec(stored) ?? STORED.exec(NOBODY)!;
      const expected = Buffer.from(tag, 'base64url');
      const nonce = Buffer.from(salt, 'base64url');
      const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength: expected.length };
      const derived = await derive('argon2id', { ...cost, message: bytesOf(password), nonce });
      return timingSafeEqual(derived, expected);
    },
    runLimited: (work) => runLimited(work).catch(throwServiceBusy),
  };
}
