/**
 * PBKDF2 with HMAC-SHA-256 in plain script (RFC 8018, FIPS 180-4), for pages without https on another machine, where browsers offer no crypto.subtle:
 * a demonstration that is tried out on a phone in the same network.
 */
import type { DeriveKeyFunction } from 'altcha-lib';

const BLOCK_BYTES = 64;
const HASH_WORDS = 8;

const primes = Array.from({ length: 311 }, (_, number) => number + 2).filter((number) => {
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) return false;
  return true;
});
/** The first 32 bits of the fraction, as the standard makes its constants. */
const fraction = (value: number) => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
const INITIAL = Int32Array.from(primes.slice(0, HASH_WORDS), (prime) => fraction(Math.sqrt(prime)));
const ROUND = Int32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)));

const schedule = new Int32Array(64);
const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The state after one more block of 16 words. Written out: this runs half a million times. */
function compress(state: Int32Array, block: Int32Array): Int32Array {
  schedule.set(block);
  for (let at = 16; at < 64; at += 1) {
    const early = schedule[at - 15]!;
    const late = schedule[at - 2]!;
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[at] = (schedule[at - 16]! + small + schedule[at - 7]! + large) | 0;
  }
  const after = state.slice();
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let at = 0; at < 64; at += 1) {
    const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[at]! + schedule[at]!) | 0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  after[0]! += a;
  after[1]! += b;
  after[2]! += c;
  after[3]! += d;
  after[4]! += e;
  after[5]! += f;
  after[6]! += g;
  after[7]! += h;
  return after;
}

const words = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => view.getInt32(at * 4));
};

/** One block: the text, the standard's padding, and the length of text and key block together in bits. */
function lastBlock(text: Uint8Array): Int32Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(text);
  block[text.length] = 0x80;
  const padded = words(block);
  padded[15] = (BLOCK_BYTES + text.length) * 8;
  return padded;
}

/** The first 32 bytes. Password and salt are short here (20 and 16 bytes), so each fits into one block. */
export function pbkdf2Sha256(password: Uint8Array, salt: Uint8Array, rounds: number): Uint8Array {
  const key = new Uint8Array(BLOCK_BYTES);
  key.set(password);
  const inner = compress(INITIAL, words(key.map((byte) => byte ^ 0x36)));
  const outer = compress(INITIAL, words(key.map((byte) => byte ^ 0x5c)));
  const block = lastBlock(new Uint8Array(HASH_WORDS * 4));
  const authenticate = (message: Int32Array) => {
    block.set(compress(inner, message));
    return compress(outer, block);
  };
  let last = authenticate(lastBlock(Uint8Array.from([...salt, 0, 0, 0, 1])));
  const result = last.slice();
  for (let round = 1; round < rounds; round += 1) {
    block.set(last);
    last = authenticate(block);
    for (let at = 0; at < HASH_WORDS; at += 1) result[at]! ^= last[at]!;
  }
  const bytes = new Uint8Array(HASH_WORDS * 4);
  const view = new DataView(bytes.buffer);
  result.forEach((word, at) => view.setInt32(at * 4, word));
  return bytes;
}

/** Between two keys the page may do other things: one takes some milliseconds. */
export const derivePlainKey: DeriveKeyFunction = async ({ cost, keyLength }, salt, password) => {
  await new Promise((resolve) => setTimeout(resolve));
  return { derivedKey: pbkdf2Sha256(password, salt, cost).slice(0, keyLength) };
};
