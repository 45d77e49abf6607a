/**
 * Removes mobile numbers, codes, passwords and tokens from error reports (design section 6,
 * "Errors"). Any client can send a report, so its format is not trusted. A doubtful part is
 * removed: a report without some harmless number is still useful.
 */
import { parseJson } from '../../lib/parse-json.ts';
import { REMOVED, scrubText } from '../../lib/scrub-text.ts';

export const MAX_REPORT_BYTES = 8192;
export const MAX_MESSAGE_LENGTH = 1000;
export const RETENTION_DAYS = 30;
export const MAX_REPORTS = 10_000;

const MAX_DEPTH = 6;

/** A report that fits the columns of error_reports. */
export interface ScrubbedReport {
  message: string;
  report: string;
}

/** Scrubs and truncates a report: JSON with message, stack and context, or any other text. */
export function scrubReport(error: string): ScrubbedReport {
  const parsed = parseObject(error);
  const scrubbed = parsed ? scrubObject(parsed, 0) : { message: scrubText(error) };
  const message = typeof scrubbed.message === 'string' ? scrubbed.message : JSON.stringify(scrubbed.message ?? '');
  return {
    message: message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed(),
    report: truncateToBytes(JSON.stringify(scrubbed), MAX_REPORT_BYTES),
  };
}

type Json = Record<string, unknown>;

const parseObject = (text: string) => (text.trimStart().startsWith('{') ? (parseJson(text) as Json | undefined) : undefined);

const SECRET_NAME =
  /passw|passcode|passphrase|pwd|secret|token|otp|cookie|session|authori[sz]|bearer|credential|challenge|grant|mobile|phone/i;

const scrubObject = (value: Json, depth: number): Json =>
  Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [scrubText(name), SECRET_NAME.test(name) ? REMOVED : scrubValue(inner, depth + 1)]),
  );

function scrubValue(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return REMOVED;
  if (typeof value === 'string') {
    // The body of a request, as JSON text inside the context.
    const inner = parseObject(value);
    return inner ? JSON.stringify(scrubObject(inner, depth)) : scrubText(value);
  }
  if (typeof value === 'number') return scrubText(String(value)) === String(value) ? value : REMOVED;
  if (Array.isArray(value)) return value.map((inner) => scrubValue(inner, depth + 1));
  return value && typeof value === 'object' ? scrubObject(value as Json, depth) : value;
}

/** Returns at most `maxBytes` of the text in UTF-8. Never splits a character. */
function truncateToBytes(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
