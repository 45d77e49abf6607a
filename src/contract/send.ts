/**
 * The interface of the typed client, and the encoding that its implementations share. `Send` has
 * three implementations: fetch in the browser, app.inject in loaders on the server, and the caller
 * of the tests. A page makes the same call in each of them.
 */
import * as z from 'zod/mini';
import { CallRefused, ConnectionLost, ServerFault } from './call-failures.ts';
import { hasQuery, type Call, type Envelope } from './define-call.ts';

export type Send = <Body, Data, Code extends string = never>(
  call: Call<Body, Data, Code>,
  body: Body,
  options?: SendOptions,
) => Promise<Envelope<Data, Code>>;

export interface SendOptions {
  /** The header Idempotency-Key. Calls with the same key take effect once. */
  idempotencyKey?: string;
  /** Further headers, which loaders on the server do not send. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/**
 * Decodes a response with the contract of its call. Throws `ServerFault` for status 500,
 * `CallRefused` for another status than 200, and a zod error if the data does not match the
 * contract. A response without an envelope is not from the program, for example from a proxy or a
 * captive portal: throws `ConnectionLost`.
 */
export function readEnvelope<Data, Code extends string>(
  call: Call<unknown, Data, Code>,
  status: number,
  json: unknown,
  retryAfterSeconds?: number,
): Envelope<Data, Code> {
  if (!isEnvelope<Code>(json)) throw new ConnectionLost(`A response without an envelope, status ${status}`);
  const error = { code: 'unknown', params: {}, ...json };
  if (status === 500) throw new ServerFault(error);
  if (status !== 200) throw new CallRefused(status, error, retryAfterSeconds);
  if (json.response !== 'success') return json;
  return { ...json, data: z.decode(call.data, json.data) };
}

const isEnvelope = <Code extends string>(json: unknown): json is Envelope<unknown, Code> =>
  typeof json === 'object' && json !== null && 'response' in json;

/** Encodes the body as JSON. Throws a zod error if it does not match the contract. */
export const encodeBody = <Body>(call: Call<Body, unknown>, body: Body) => JSON.stringify(z.encode(call.body, body));

/**
 * Returns the path of a call. A GET call and an upload have their body in the query string. Throws
 * a zod error if that body does not match the contract.
 */
export function callPath<Body>(call: Call<Body, unknown>, body: Body): string {
  if (!hasQuery(call)) return `/${call.path}`;
  const params = Object.entries(z.encode(call.body, body) as Record<string, string | undefined>).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(params as [string, string][]).toString();
  return `/${call.path}${query && `?${query}`}`;
}
