/**
 * The interface of the typed client, and the encoding that its implementations share. `Send` has
 * three implementations: fetch in the browser, app.inject in loaders on the server, and the caller
 * of the tests. A page makes the same call in each of them.
 */
import * as z from 'zod/mini';
import type { ErrorMessage } from '../i18n/messages.ts';
import { CallRefused } from './call-failures.ts';
import type { Call, Envelope } from './define-call.ts';

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

/** Returns the error in the JSON of a response, undefined if it has no message. */
export const errorIn = (json: unknown): ErrorMessage | undefined => {
  const { message, code, params } = (json ?? {}) as Partial<ErrorMessage>;
  return message === undefined ? undefined : { code: code ?? NO_ENVELOPE, params: params ?? {}, message };
};

/**
 * The code of an error response without an envelope, for example from a proxy or a captive portal.
 */
const NO_ENVELOPE = 'no-envelope';
/** Returns the error of a response without an envelope. */
export const noEnvelope = (message: string): ErrorMessage => ({ code: NO_ENVELOPE, params: {}, message });
