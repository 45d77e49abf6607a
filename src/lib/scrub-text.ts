/**
 * Removes mobile numbers, codes, passwords and tokens from texts of error reports and of the
 * server's log. A doubtful part is removed: a text without some harmless number is still useful.
 */
export const REMOVED = '[removed]';

/**
 * A source position such as 'cart-sheet-B2kd9s.js:1:123456'. It is the point of a stack and never a
 * secret.
 */
const SOURCE_POSITION = /((?<![\w.-])[\w.-]{1,80}\.(?:m?js|tsx?|css)(?::\d{1,7}){0,2}(?!\w))/;

/**
 * Returns true for a run that may be a token or an id. Some ids of customers and orders contain no
 * digit.
 */
const isOpaque = (run: string) => run.length >= 32 || (/\d/.test(run) && /[a-z]/i.test(run)) || /^[A-Z]+$/.test(run);

/**
 * Every repetition is bounded, starts at a word boundary or runs to the end of the line, so that
 * any 64 KB take milliseconds.
 */
const SECRETS: readonly (readonly [pattern: RegExp, replace: (match: string, ...groups: string[]) => string])[] = [
  // A password may contain any character, so the rest of the line is removed.
  [/(passw\w*|bearer )([^\n]*)/gi, (_match, label, rest) => label + (rest && REMOVED)],
  [
    /((?:passcode|passphrase|pwd|secret|token|otp|cookie|session|authori[sz]|credential|challenge|grant)[\w-]{0,20}[\s"'`\\]{0,8}(?:[:=]|%3[AD]))[^\n]+/gi,
    (_match, label) => label + REMOVED,
  ],
  // E-mail addresses.
  [/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu, () => REMOVED],
  // Tokens and ids: long runs, or shorter ones of letters and digits.
  [/[\w+=-]{16,}/g, (run) => (isOpaque(run) ? REMOVED : run)],
  // Mobile numbers and codes: at least six digits, with any separators.
  [/\p{Nd}(?:[ \t().\-–_/]{0,3}\p{Nd}){5,}/gu, () => REMOVED],
  // A referral code encodes a mobile number (specification section 3).
  [/(?<![a-z])[laundrybox]{10}(?![a-z])/gi, () => REMOVED],
];

/** Decodes escapes in a text and replaces its secrets, but not source positions. */
export const scrubText = (text: string): string =>
  decodeEscapes(text)
    .split(SOURCE_POSITION)
    .map((part, index) =>
      index % 2 === 1 ? part : SECRETS.reduce((scrubbed, [pattern, replace]) => scrubbed.replace(pattern, replace), part),
    )
    .join('');

/** The message of an error without secrets, truncated to `maxLength`. */
export const scrubError = (error: unknown, maxLength: number): string =>
  scrubText(error instanceof Error ? error.message : String(error)).slice(0, maxLength);

/**
 * Decodes escapes, which could hide a secret, and removes NUL and lone surrogates, which PostgreSQL
 * rejects.
 */
const decodeEscapes = (text: string) =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    // Control characters other than tab and newline.
    .replace(/[^\P{Cc}\t\n]/gu, ' ')
    .toWellFormed();
