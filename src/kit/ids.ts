/** Random, unguessable identifiers. Made with the Web Crypto generator, so the same code runs in Node and in browsers. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford base 32: no I, L, O or U to misread on the phone

/** `length` symbols of 5 random bits each. */
export function randomId(length: number): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');
}

/** 100 bits: customers, addresses, idempotency keys. */
export const newId = () => randomId(20);

/** 60 bits, short enough to read out to support; it opens nothing without the owner's session. */
export const newOrderId = () => randomId(12);
