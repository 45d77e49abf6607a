/**
 * A contract describes one call of the specification (section 7): path, callers, body and data. The
 * server's validation, the typed client, the tests and /openapi.json use it. Schemas are zod/mini,
 * because browsers load this file.
 */
import * as z from 'zod/mini';
import type { Values } from '../i18n/messages.ts';
import { LETTER_OR_DIGIT, limitMarks } from '../lib/customer-text.ts';
import { asPaise, parseRupees, type Paise } from '../lib/money.ts';
import type { ErrorTexts } from './errors.ts';

/**
 * The callers of a call. A guest has verified a mobile number but has no account. A guest session
 * reads only the orders of its browser. The roles of the staff are in
 * domains/staff/desk/contract.ts.
 */
export type Caller = 'anyone' | 'customer' | 'customer-or-guest' | 'staff';

export interface Call<Body, Data, Code extends string = string> {
  readonly method: 'GET' | 'POST';
  /** The path of the specification, without the leading slash. */
  readonly path: string;
  readonly summary: string;
  readonly caller: Caller;
  /** The value of `response` if the call fails: 'failed' in address.php, otherwise 'error'. */
  readonly failure: 'error' | 'failed';
  /** Code and English text of each error of the call, except those of protocol-errors.ts. */
  readonly errors: ErrorTexts<Code>;
  /** True if the body of the request is a file, which the handler reads itself. */
  readonly upload: boolean;
  /** For a GET call and an upload, the query parameters. */
  readonly body: z.ZodMiniType<Body>;
  readonly data: z.ZodMiniType<Data>;
}

/** Returns true if the parameters of the call are in the query string. */
export const hasQuery = ({ method, upload }: Pick<Call<unknown, unknown>, 'method' | 'upload'>) => method === 'GET' || upload;

/** The body of every response. Programs read `response` and `code`; `message` is for people. */
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
  upload?: true;
  errors?: ErrorTexts<Code>;
  body: Body;
  data: Data;
}

/** Completes a definition with the defaults. The types of body and data come from the schemas. */
export function defineCall<Body extends z.ZodMiniType, Data extends z.ZodMiniType, Code extends string = never>(
  definition: CallDefinition<Body, Data, Code>,
): Call<z.output<Body>, z.output<Data>, Code> {
  return { failure: 'error', upload: false, errors: {}, ...definition } as unknown as Call<z.output<Body>, z.output<Data>, Code>;
}

/** Returns true for a number with at most two decimals. */
const hasTwoDecimals = (value: number) =>
  Number.isSafeInteger(Math.round(value * 100)) && Math.abs(value * 100 - Math.round(value * 100)) < 1e-6;

/** Rupees on the wire (a number with at most two decimals), paise in the program. */
export const rupees = z.codec(
  z.number().check(z.refine(hasTwoDecimals)),
  z.custom<Paise>((value) => Number.isSafeInteger(value)),
  { decode: (value) => asPaise(Math.round(value * 100)), encode: (paise) => paise / 100 },
);

/**
 * Rupees in a field of a form, paise in the program. `code` is the error of a text that is no
 * amount from `min` to `max`, in paise.
 */
export const typedRupees = (code: string, { min, max }: { min: number; max: number }) =>
  z.codec(z.string().check(z.refine((text) => parseRupees(text) >= min && parseRupees(text) <= max, code)), z.custom<Paise>(), {
    decode: (text) => asPaise(parseRupees(text)),
    encode: (paise) => String(paise / 100),
  });

/** Kilograms on the wire (a number with at most two decimals), grams in the program. */
export const kilograms = z.codec(z.number().check(z.refine(hasTwoDecimals)), z.int(), {
  decode: (value) => Math.round(value * 1000),
  encode: (grams) => grams / 1000,
});

/** A whole number in the query of a GET call, where everything is text. */
export const queryNumber = z.codec(z.string().check(z.regex(/^\d{1,7}$/)), z.int(), { decode: Number, encode: String });

/**
 * Matches at least `count` visible characters. PostgreSQL and the flag `u` count code points, not
 * UTF-16 units. U+2800 is an empty Braille cell.
 */
const atLeast = (count: number) => new RegExp(String.raw`^(?:[\p{Cc}\p{Cf}\p{DI}\u2800]*[^\p{Cc}\p{Cf}\p{DI}\u2800]){${count}}`, 'u');

/** Control characters and bidirectional controls, which can make a name look like another text. */
const CONTROL_CHARACTERS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** The default maximum number of characters of one line of text. */
export const MAX_LINE_LENGTH = 200;

/**
 * One line of text, trimmed, with spaces instead of control characters, of `min` to `max`
 * characters. `code` is the error of invalid text.
 */
export const singleLineText = (code: string, { min = 1, max = MAX_LINE_LENGTH } = {}) =>
  z.string(code).check(
    z.overwrite((text) => limitMarks(text.replace(CONTROL_CHARACTERS, ' '))),
    z.trim(),
    z.regex(atLeast(min), code),
    z.maxLength(max, code),
  );

/** The name of a person: one line of text with a letter or a digit. */
export const personName = (code: string, { min }: { min: number }) => singleLineText(code, { min }).check(z.regex(LETTER_OR_DIGIT, code));

/** Text of several lines, trimmed. `code` is the error of an empty text. */
export const multilineText = (code: string) =>
  z.string(code).check(
    // Terminals execute control characters.
    z.overwrite((text) => limitMarks(text.replace(/[^\P{Cc}\t\n\r]/gu, ' '))),
    z.trim(),
    z.regex(atLeast(1), code),
  );

/**
 * The id of a stored resource. Only its length is validated: an unknown id is an error of the call,
 * not of the protocol.
 */
export const resourceId = z.string().check(z.minLength(1), z.maxLength(64));

/** `userid` or `token`. The server compares it with the session and never trusts it. */
export const expectedUserid = z.optional(z.string().check(z.maxLength(64)));
