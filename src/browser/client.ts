/** The typed client of the browser. */
import { parseJson } from '../lib/parse-json.ts';
import { ConnectionLost } from '../contract/call-failures.ts';
import type { Call, Envelope } from '../contract/define-call.ts';
import { callPath, encodeBody, readEnvelope, type Send } from '../contract/send.ts';
import { setServerTime } from './server-clock.ts';

const DESKTOP_TIMEOUT_MS = 30_000;
const PHONE_TIMEOUT_MS = 60_000;

/** Specification section 9: 30 s on desktop, 60 s on mobile. */
export const callTimeoutMs = (userAgent: string) => (/Mobi|Android/i.test(userAgent) ? PHONE_TIMEOUT_MS : DESKTOP_TIMEOUT_MS);

/**
 * Sends a call with fetch, and sets the server's time from the response. Throws `ConnectionLost`
 * without a response in time, the errors of `readEnvelope`, a zod error for an invalid body, and
 * the reason of an aborted `signal`.
 */
export const fetchSend: Send = async (call, body, options = {}) => {
  // Outside the try: a body that does not match its contract is a bug, not a lost connection.
  const path = callPath(call, body);
  const encodedBody = call.method === 'POST' ? encodeBody(call, body) : undefined;
  const timeout = AbortSignal.timeout(callTimeoutMs(navigator.userAgent));
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method: call.method,
      credentials: 'same-origin',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      headers: {
        accept: 'application/json',
        ...(encodedBody && { 'content-type': 'application/json' }),
        ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
        ...options.headers,
      },
      ...(encodedBody && { body: encodedBody }),
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ConnectionLost('Failed to fetch', { cause });
  }
  return readResponse(call, response.status, text, (name) => response.headers.get(name));
};

/** Decodes a response like `readEnvelope`, and sets the server's time from its headers. */
export function readResponse<Data, Code extends string>(
  call: Call<unknown, Data, Code>,
  status: number,
  text: string,
  header: (name: string) => string | null,
): Envelope<Data, Code> {
  setServerTime(header('date'));
  return readEnvelope(call, status, parseJson(text), Number(header('retry-after')) || undefined);
}
