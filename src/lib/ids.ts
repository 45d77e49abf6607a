/**
 * Random, unguessable identifiers. Web Crypto makes them, so the same code runs in Node and
 * browsers.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford base 32: no I, L, O or U to misread on the phone

/**
 * Random bytes for many ids, because one call for each id dominates the cost. All callers share
 * them; `randomId` is synchronous, so no byte is used twice.
 */
const drawn = new Uint8Array(1024);
let used = drawn.length;

/** Returns `length` characters of 5 random bits each. */
function randomId(length: number): string {
  if (used + length > drawn.length) {
    globalThis.crypto.getRandomValues(drawn);
    used = 0;
  }
  let id = '';
  for (const end = used + length; used < end; used += 1) id += ALPHABET[(drawn[used] ?? 0) & 31];
  return id;
}

/** 100 bits: customers, addresses, idempotency keys. */
export const newId = () => randomId(20);

/**
 * 60 bits, short enough to read out to support. It grants no access without the owner's session.
 */
export const newOrderId = () => randomId(12);

/** 50 bits, read out to support. It grants no access without the owner's session. */
export const newClaimId = () => randomId(10);
