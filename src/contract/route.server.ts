/**
 * The server side of a call. The routes.server.ts of a domain registers a handler for each
 * contract. The body of the request is validated before the handler runs. The handler authenticates
 * the caller (sessions/authentication.server.ts).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorMessage } from '../i18n/messages.ts';
import type { Call, Envelope } from './define-call.ts';
import type { Outcome } from './outcome.ts';

export interface CallRequest<Body> extends FastifyRequest {
  body: Body;
}

export type Handler<Body, Data, Code extends string> = (request: CallRequest<Body>, reply: FastifyReply) => Promise<Envelope<Data, Code>>;

export interface RouteOptions {
  /** Called before the error of a body that does not match the contract is sent. */
  onInvalidBody?(request: FastifyRequest, error: ErrorMessage): Promise<unknown>;
}

/**
 * Registers the handler of a call. The handler can fail only with the errors that the call lists.
 */
export type RegisterRoute = <Body, Data, Code extends string>(
  call: Call<Body, Data, Code>,
  handler: Handler<Body, Data, NoInfer<Code>>,
  options?: RouteOptions,
) => void;

/** Returns the envelope of a success. */
export const succeed = <Data>(message: string, data: Data): Envelope<Data, never> => ({ response: 'success', message, data });

const encodings = new WeakMap<object, Buffer | undefined>();

/**
 * Returns the envelope, which the server encodes for its first response only. All responses with
 * it send one Buffer, however slowly their clients read.
 */
export function encodeOnce<Data>(envelope: Envelope<Data, never>): Envelope<Data, never> {
  encodings.set(envelope, undefined);
  return envelope;
}

/** Returns the Buffer of an envelope of `encodeOnce`, and undefined for any other envelope. */
export function sharedEncoding(envelope: object, encode: () => string): Buffer | undefined {
  if (!encodings.has(envelope)) return undefined;
  const encoded = encodings.get(envelope) ?? Buffer.from(encode());
  encodings.set(envelope, encoded);
  return encoded;
}

/**
 * Returns the envelope of an error of the call: HTTP status 200, no change of the data.
 * server/http/calls.server.ts sets `response` to the `failure` of the call.
 */
export const fail = <Code extends string>({ code, params, message }: ErrorMessage<Code>): Envelope<never, Code> => ({
  response: 'error',
  message,
  code,
  params,
  data: null,
});

/** Returns the envelope of an outcome. */
export const respond = <Data, Code extends string>(
  message: string | ((data: Data) => string),
  { data, error }: Outcome<Data, Code>,
): Envelope<Data, Code> => {
  if (error) return fail(error);
  return succeed(typeof message === 'string' ? message : message(data), data);
};
