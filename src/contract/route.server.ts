/**
 * The server's side of a call: a domain's routes.server.ts binds contracts to handlers with `Answer`. By the time a handler runs, the body has
 * the contract's shape; who is calling is for the handler to prove (sessions/authentication.server.ts).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Told } from '../i18n/messages.ts';
import type { Call, Envelope } from './define-call.ts';

export interface CallRequest<Body> extends FastifyRequest {
  body: Body;
}

export type Handler<Body, Data> = (request: CallRequest<Body>, reply: FastifyReply) => Promise<Envelope<Data>>;

/** Serves `call` with `handler`. Given to every domain by the API shell. */
export type RegisterRoute = <Body, Data>(call: Call<Body, Data>, handler: Handler<Body, Data>) => void;

export const succeed = <Data>(message: string, data: Data): Envelope<Data> => ({ response: 'success', message, data });

/** A business refusal: HTTP 200, nothing written. Its words may be shown, so they stand in every catalogue. */
export const fail = (message: Told): Envelope<never> => ({ response: 'error', message, data: null });

export type ApiErrorStatus = 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503;

/** A refusal of the protocol, thrown from anywhere below a call; the API shell turns it into the envelope with this status. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: ApiErrorStatus;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: ApiErrorStatus, message: Told, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
