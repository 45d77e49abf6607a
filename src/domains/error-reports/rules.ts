/**
 * What of a report may be kept: no mobile number, code, password or token (design section 6, "Errors"). A report comes from anywhere, so nothing about
 * its form is believed, and in doubt a piece is removed: a report that lost a harmless number is still of use.
 */
export const MOST_REPORT_BYTES = 8192;
export const MOST_MESSAGE_LENGTH = 1000;
export const DAYS_KEPT = 30;
/** However many came within those days. */
export const MOST_KEPT = 10_000;

const REMOVED = '[removed]';
const MOST_DEPTH = 6;

/** Both fit the columns of error_reports. */
export interface KeptReport {
  message: string;
  report: string;
}

/** `error` should be JSON text holding message, stack and context; anything else is kept as text. */
export function reportToKeep(error: string): KeptReport {
  const parsed = parseObject(error);
  const kept = parsed ? scrubObject(parsed, 0) : { message: scrubText(error) };
  const message = typeof kept.message === 'string' ? kept.message : JSON.stringify(kept.message ?? '');
  return {
    message: message.slice(0, MOST_MESSAGE_LENGTH).toWellFormed(),
    report: cutToBytes(JSON.stringify(kept), MOST_REPORT_BYTES),
  };
}

type Json = Record<string, unknown>;

function parseObject(text: string): Json | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const SECRET_NAME =
  /passw|passcode|passphrase|pwd|secret|token|otp|cookie|session|authori[sz]|bearer|credential|challenge|grant|mobile|phone/i;

const scrubObject = (value: Json, depth: number): Json =>
  Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [scrubText(name), SECRET_NAME.test(name) ? REMOVED : scrubValue(inner, depth + 1)]),
  );

function scrubValue(value: unknown, depth: number): unknown {
  if (depth > MOST_DEPTH) return REMOVED;
  if (typeof value === 'string') {
    // A request's body, as text inside the context.
    const inner = parseObject(value);
    return inner ? JSON.stringify(scrubObject(inner, depth)) : scrubText(value);
  }
  if (typeof value === 'number') return scrubText(String(value)) === String(value) ? value : REMOVED;
  if (Array.isArray(value)) return value.map((inner) => scrubValue(inner, depth + 1));
  return value && typeof value === 'object' ? scrubObject(value as Json, depth) : value;
}

/** 'cart-sheet-B2kd9s.js:1:123456': what a stack is read for, and never a secret. */
const SCRIPT_PLACE = /((?<![\w.-])[\w.-]{1,80}\.(?:m?js|tsx?|css)(?::\d{1,7}){0,2}(?!\w))/;

const isOpaque = (run: string) => run.length >= 32 || (/\d/.test(run) && /[a-z]/i.test(run));

/** Every repetition is bounded, starts only where a word does or runs to the end of the line, so that 64 KB of anything take milliseconds. */
const SECRETS: readonly (readonly [pattern: RegExp, put: (match: string, ...groups: string[]) => string])[] = [
  // A password may hold any sign, so all that follows the word goes, to the end of the line.
  [/(passw\w*|bearer )([^\n]*)/gi, (_match, label, rest) => label + (rest && REMOVED)],
  [
    /((?:passcode|passphrase|pwd|secret|token|otp|cookie|session|authori[sz]|credential|challenge|grant)[\w-]{0,20}[\s"'`\\]{0,8}(?:[:=]|%3[AD]))[^\n]+/gi,
    (_match, label) => label + REMOVED,
  ],
  // Electronic mail.
  [/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu, () => REMOVED],
  // Tokens and ids: long runs, or shorter ones of letters and digits.
  [/[\w+=-]{16,}/g, (run) => (isOpaque(run) ? REMOVED : run)],
  // Mobile numbers and codes: six digits or more, however they are spaced.
  [/\p{Nd}(?:[ \t().\-–_/]{0,3}\p{Nd}){5,}/gu, () => REMOVED],
  // A referral code is a mobile number in other symbols (specification section 3).
  [/(?<![a-z])[laundrybox]{10}(?![a-z])/gi, () => REMOVED],
];

export const scrubText = (text: string): string =>
  readable(text)
    .split(SCRIPT_PLACE)
    .map((part, index) => (index % 2 === 1 ? part : SECRETS.reduce((scrubbed, [pattern, put]) => scrubbed.replace(pattern, put), part)))
    .join('');

/** Nothing hides behind an escape; and PostgreSQL takes neither NUL nor half a character. */
const readable = (text: string) =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    // Control characters other than tab and newline.
    .replace(/[^\P{Cc}\t\n]/gu, ' ')
    .toWellFormed();

/** Whole characters only. */
function cutToBytes(text: string, mostBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes));
  return text.slice(0, read);
}
