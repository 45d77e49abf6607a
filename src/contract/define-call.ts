/**
 * A call of the specification (section 7) as one object: path, who may make it, body and data. The server's validation, the typed client,
 * the tests and /openapi.json are all made from it. Schemas are zod/mini, because browsers load this file.
 */
import * as z from 'zod/mini';
import type { Values } from '../i18n/messages.ts';
import { asPaise, type Paise } from '../lib/money.ts';
import type { ErrorTexts } from './errors.ts';

/** Who may make a call. A guest has proved a mobile but has no account; their session reads this browser's orders only. */
export type Caller = 'anyone' | 'customer' | 'customer-or-guest';

export interface Call<Body, Data, Code extends string = string> {
  readonly method: 'GET' | 'POST';
  /** Below the origin, without the leading slash, as the specification writes it. */
  readonly path: string;
  readonly summary: string;
  readonly caller: Caller;
  /** The value of `response` when the call fails: 'error' everywhere but in address.php. */
  readonly failure: 'error' | 'failed';
  /** Code and English text of each error that the call can fail with, besides those of protocol-errors.ts. */
  readonly errors: ErrorTexts<Code>;
  /** Of a GET call, its query: text by name. */
  readonly body: z.ZodMiniType<Body>;
  readonly data: z.ZodMiniType<Data>;
}

/** The body of every response. A program decides by `response` and `code`; `message` is for people. */
export type Envelope<Data, Code extends string = string> =
  | { response: 'success'; message: string; data: Data }
  | { response: 'error' | 'failed'; message: string; code: Code; params: Values; data: null };

export const noBody = z.strictObject({});
export const noData = z.null();

interface CallDefinition<Body extends z.ZodMiniType, Data extends z.ZodMiniType, Code extends string> {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  caller: Caller;
  failure?: 'failed';
  errors?: ErrorTexts<Code>;
  body: Body;
  data: Data;
}

export function defineCall<Body extends z.ZodMiniType, Data extends z.ZodMiniType, Code extends string = never>(
  definition: CallDefinition<Body, Data, Code>,
): Call<z.output<Body>, z.output<Data>, Code> {
  return { failure: 'error', errors: {}, ...definition } as unknown as Call<z.output<Body>, z.output<Data>, Code>;
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

/** One line of typed text: without control characters, trimmed, at least `min` and at most `max` long. `code` is the error of a broken rule. */
export const singleLineText = (code: string, { min = 1, max = 200 } = {}) =>
  z.string(code).check(
    z.overwrite((text) => text.replace(DECEIVING, ' ')),
    z.trim(),
    z.regex(atLeast(min), code),
    z.maxLength(max, code),
  );

/** Text of several lines. `code` is the error of an empty one. */
export const multilineText = (code: string) => z.string(code).check(z.trim(), z.regex(atLeast(1), code));

/** An id of ours, as the browser sends it back. Its form is checked only for length: an unknown id is a business answer. */
export const resourceId = z.string().check(z.minLength(1), z.maxLength(64));

/** `userid` or `token`: only compared with the session, never trusted. It may be left out. */
export const claimedUserid = z.optional(z.string().check(z.maxLength(64)));
