/**
 * A call of the specification (section 7) as one object: path, who may make it, body and data. The server's validation, the typed client,
 * the tests and /openapi.json are all made from it. Schemas are zod/mini, because browsers load this file.
 */
import * as z from 'zod/mini';
import type { Told } from '../i18n/messages.ts';
import { asPaise, type Paise } from '../lib/money.ts';

/** Who may make a call. A guest has proved a mobile but has no account; their session reads this browser's orders only. */
export type Caller = 'anyone' | 'customer' | 'customer or guest';

export interface Call<Body, Data> {
  readonly method: 'GET' | 'POST';
  /** Below the origin, without the leading slash, as the specification writes it. */
  readonly path: string;
  readonly summary: string;
  readonly caller: Caller;
  /** The word in `response` when the call fails: 'error' everywhere but in address.php. */
  readonly failure: 'error' | 'failed';
  /** Of a GET call, its query: text by name. */
  readonly body: z.ZodMiniType<Body>;
  readonly data: z.ZodMiniType<Data>;
}

/** What every answer looks like. `data` is null when the call gives none. */
export type Envelope<Data> =
  | { response: 'success'; message: string; data: Data }
  | { response: 'error' | 'failed'; message: Told; data: null };

export const noBody = z.strictObject({});
export const noData = z.null();

interface CallDefinition<Body extends z.ZodMiniType, Data extends z.ZodMiniType> {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  caller: Caller;
  failure?: 'failed';
  body: Body;
  data: Data;
}

export function defineCall<Body extends z.ZodMiniType, Data extends z.ZodMiniType>(
  definition: CallDefinition<Body, Data>,
): Call<z.output<Body>, z.output<Data>> {
  return { failure: 'error', ...definition } as unknown as Call<z.output<Body>, z.output<Data>>;
}

/** Rupees on the wire (a number with at most two decimals), paise in the program. */
export const rupees = z.codec(
  z
    .number()
    .check(z.refine((value) => Number.isSafeInteger(Math.round(value * 100)) && Math.abs(value * 100 - Math.round(value * 100)) < 1e-6)),
  z.custom<Paise>((value) => Number.isSafeInteger(value)),
  { decode: (value) => asPaise(Math.round(value * 100)), encode: (paise) => paise / 100 },
);

/** Kilograms on the wire (a number with at most two decimals), grams in the program. */
export const kilograms = z.codec(z.number(), z.int(), {
  decode: (value) => Math.round(value * 1000),
  encode: (grams) => grams / 1000,
});

/** A whole number in the query of a GET call, where everything is text. */
export const queryNumber = z.codec(z.string().check(z.regex(/^\d{1,7}$/)), z.int(), { decode: Number, encode: String });

/** `count` characters as PostgreSQL counts them (an emoji is one, not JavaScript's two halves), invisible ones left out. */
const atLeast = (count: number) => new RegExp(String.raw`^(?:[\p{Cc}\p{Cf}]*[^\p{Cc}\p{Cf}]){${count}}`, 'u');

/** Control characters and those that turn the direction of writing around: in a name they can only deceive, whoever reads it where. */
const DECEIVING = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Text as people type it, in one line: without what deceives, trimmed, with a lower limit that reads `message` when broken and a limit that keeps the row small. */
export const typedText = (message: Told, { min = 1, max = 200 } = {}) =>
  z.string(message).check(
    z.overwrite((text) => text.replace(DECEIVING, ' ')),
    z.trim(),
    z.regex(atLeast(min), message),
    z.maxLength(max, message),
  );

/** Text of several lines, as people write it to be read by others. */
export const writtenText = (message: Told) => z.string(message).check(z.trim(), z.regex(atLeast(1), message));

/** An id of ours, as the browser sends it back. Its form is checked only for length: an unknown id is a business answer. */
export const givenId = z.string().check(z.minLength(1), z.maxLength(64));

/** `userid` or `token`: only compared with the session, never trusted. It may be left out. */
export const claimedUserid = z.optional(z.string().check(z.maxLength(64)));
