/**
 * Errors of the client. A separate file, so that pages can use the classes without loading the
 * client.
 */
import type { ErrorMessage, Values } from '../i18n/messages.ts';
import type { Envelope } from './define-call.ts';

/** The network failed. It is unknown whether the server executed the request. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** An error response. `formatMessage` translates it by its code. */
export abstract class FailedCall extends Error implements ErrorMessage {
  readonly code: string;
  readonly params: Values;

  constructor({ code, params, message }: ErrorMessage) {
    super(message);
    this.code = code;
    this.params = params;
  }
}

/**
 * A response with status 500. Not a `CallRefused`, so that pages report it and show its alert
 * like any unexpected error (specification section 8).
 */
export class ServerFault extends FailedCall {
  override name = 'ServerFault';
}

/**
 * A failed envelope that the page does not handle, or a response with another status than 200 and
 * 500, for example without a session or over a rate limit.
 */
export class CallRefused extends FailedCall {
  override name = 'CallRefused';
  readonly status: number;
  /** The header Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, error: ErrorMessage, retryAfterSeconds?: number) {
    super(error);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Returns the data of a response. Throws `CallRefused` for each envelope other than 'success': for
 * pages that handle no error of the call themselves.
 */
export function requireData<Data>(result: Envelope<Data>): Data {
  if (result.response !== 'success') throw new CallRefused(200, result);
  return result.data;
}

/**
 * True if the same request, with its key, can succeed later. It may have taken effect: after a 503
 * the database can have committed.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionLost ||
  error instanceof ServerFault ||
  (error instanceof CallRefused && (error.status >= 500 || error.status === 408 || error.status === 429));
