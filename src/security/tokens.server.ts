/** Random tokens for cookies and keyed hashes for what must not be guessed. Databases hold hashes only. */
import { createHmac, hash, randomBytes } from 'node:crypto';

/** 256 random bits, as text that a cookie can carry. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** A token has too many bits to be guessed from its hash, so a plain one will do. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Codes, mobiles and addresses have few bits: without the program's secret their hashes cannot be searched through. */
export type KeyedHash = (text: string) => Buffer;

/** `use` keeps a hash made for one thing from being taken for another. */
export const keyedHash =
  (secret: string, use: string): KeyedHash =>
  (text) =>
    createHmac('sha256', secret).update(`${use}\0${text}`).digest();
