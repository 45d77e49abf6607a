/**
 * The typed client. `Send` has three implementations: fetch in the browser, app.inject in loaders
 * on the server, and the caller of the tests. A page makes the same call in each of them.
 */
import * as z from 'zod/mini';
import type { ErrorMessage } from '../i18n/messages.ts';
import type { Call, Envelope } from '../contract/define-call.ts';
import { setServerTime } from './server-clock.ts';
import { CallRefused, ConnectionLost } from '../contract/call-failures.ts';

export type Send = <Body, Data, Code extends string = never>(
  call: Call<Body, Data, Code>,
  body: Body,
  options?: SendOptions,
) => Promise<Envelope<Data, Code>>;

export interface SendOptions {
  /** The header Idempotency-Key. Calls with the same key take effect once. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

const DESKTOP_TIMEOUT_MS = 30_000;
const PHONE_TIMEOUT_MS = 60_000;

/** Specification section 9: 30 s on desktop, 60 s on mobile. */
export const callTimeoutMs = (userAgent: string) => (/Mobi|Android/i.test(userAgent) ? PHONE_TIMEOUT_MS : DESKTOP_TIMEOUT_MS);

/**
 * Decodes a response with the contract of its call. Throws `CallRefused` for a status other than
 * 200, and a zod error if the data does not match the contract.
 */
export function readEnvelope<Data, Code extends string>(
  call: Call<unknown, Data, Code>,
  status: number,
  json: unknown,
): Envelope<Data, Code> {
  const envelope = json as Envelope<unknown, Code>;
  if (status !== 200) throw new CallRefused(status, errorIn(envelope) ?? noEnvelope(`The server returned ${status}`));
  if (envelope.response !== 'success') return envelope;
  return { ...envelope, data: z.decode(call.data, envelope.data) };
}

/** Encodes the body as JSON. Throws a zod error if it does not match the contract. */
export const encodeBody = <Body>(call: Call<Body, unknown>, body: Body) => JSON.stringify(z.encode(call.body, body));

/** Returns the path of a call. A GET call has its body in the query string. */
export function callPath<Body>(call: Call<Body, unknown>, body: Body): string {
  if (call.method === 'POST') return `/${call.path}`;
  const params = Object.entries(z.encode(call.body, body) as Record<string, string | undefined>).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(params as [string, string][]).toString();
  return `/${call.path}${query && `?${query}`}`;
}

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
      },
      ...(encodedBody && { body: encodedBody }),
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ConnectionLost('Failed to fetch', { cause });
  }
  setServerTime(response.headers.get('date'));
  if (response.ok) return readEnvelope(call, response.status, JSON.parse(text));
  const error = errorIn(parseJson(text)) ?? noEnvelope(response.statusText);
  throw new CallRefused(response.status, error);
};

const errorIn = (json: unknown): ErrorMessage | undefined => {
  const { message, code, params } = (json ?? {}) as Partial<ErrorMessage>;
  return message === undefined ? undefined : { code: code ?? NO_ENVELOPE, params: params ?? {}, message };
};

/**
 * The code of an error response without an envelope, for example from a proxy or a captive portal.
 */
const NO_ENVELOPE = 'no-envelope';
const noEnvelope = (message: string): ErrorMessage => ({ code: NO_ENVELOPE, params: {}, message });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
