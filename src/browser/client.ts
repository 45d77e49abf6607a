/**
 * The typed client. One `Send` is used by browser code (fetch), by a page's loader on the server (app.inject) and by the tests, so that a page
 * makes exactly the specified call wherever it runs.
 */
import * as z from 'zod/mini';
import type { ErrorMessage } from '../i18n/messages.ts';
import type { Call, Envelope } from '../contract/define-call.ts';
import { noteServerTime } from './server-clock.ts';
import { CallRefused, ConnectionLost } from '../contract/call-failures.ts';

export type Send = <Body, Data, Code extends string = never>(
  call: Call<Body, Data, Code>,
  body: Body,
  options?: SendOptions,
) => Promise<Envelope<Data, Code>>;

export interface SendOptions {
  /** The header Idempotency-Key: the same key never does the thing twice. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

const DESKTOP_TIMEOUT_MS = 30_000;
const PHONE_TIMEOUT_MS = 60_000;

/** Specification section 9: 30 s on desktop, 60 s on mobile. */
export const callTimeoutMs = (userAgent: string) => (/Mobi|Android/i.test(userAgent) ? PHONE_TIMEOUT_MS : DESKTOP_TIMEOUT_MS);

/** The wire's envelope read with the call's contract; a body that does not fit the contract is a fault of ours and throws. */
export function readEnvelope<Data, Code extends string>(
  call: Call<unknown, Data, Code>,
  status: number,
  json: unknown,
): Envelope<Data, Code> {
  const envelope = json as Envelope<unknown, Code>;
  if (status !== 200) throw new CallRefused(status, errorIn(envelope) ?? noEnvelope(`The server answered ${status}`));
  if (envelope.response !== 'success') return envelope;
  return { ...envelope, data: z.decode(call.data, envelope.data) };
}

/** The body as it crosses the wire. */
export const writeBody = <Body>(call: Call<Body, unknown>, body: Body) => JSON.stringify(z.encode(call.body, body));

/** Where a call is made: a GET call carries what it is told in its query. */
export function addressOf<Body>(call: Call<Body, unknown>, body: Body): string {
  if (call.method === 'POST') return `/${call.path}`;
  const given = Object.entries(z.encode(call.body, body) as Record<string, string | undefined>).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return `/${call.path}${query && `?${query}`}`;
}

export const fetchSend: Send = async (call, body, options = {}) => {
  // Outside the try: a body that does not fit its contract is a fault of ours, and no lost connection.
  const written = call.method === 'POST' ? writeBody(call, body) : undefined;
  const timeout = AbortSignal.timeout(callTimeoutMs(navigator.userAgent));
  let response: Response;
  let text: string;
  try {
    response = await fetch(addressOf(call, body), {
      method: call.method,
      credentials: 'same-origin',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      headers: {
        accept: 'application/json',
        ...(written && { 'content-type': 'application/json' }),
        ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
      },
      ...(written && { body: written }),
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ConnectionLost('Failed to fetch', { cause });
  }
  noteServerTime(response.headers.get('date'));
  if (response.ok) return readEnvelope(call, response.status, JSON.parse(text));
  const error = errorIn(parsed(text)) ?? noEnvelope(response.statusText);
  throw new CallRefused(response.status, error, Number(response.headers.get('retry-after')) || undefined);
};

const errorIn = (json: unknown): ErrorMessage | undefined => {
  const { message, code, params } = (json ?? {}) as Partial<ErrorMessage>;
  return message === undefined ? undefined : { code: code ?? NO_ENVELOPE, params: params ?? {}, message };
};

/** A proxy, or the login page of a network, sends no envelope. */
const NO_ENVELOPE = 'no-envelope';
const noEnvelope = (message: string): ErrorMessage => ({ code: NO_ENVELOPE, params: {}, message });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
