/**
 * Errors of the client. A separate file, so that pages can use the classes without loading the
 * client.
 */
import type { ErrorMessage, Values } from '../i18n/messages.ts';

/** The network failed. It is unknown whether the server executed the request. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/**
 * A response with status 500. It is no `CallRefused`, so that pages report it and show its alert
 * like any unexpected error (specification section 8).
 */
export class ServerFault extends Error {
  override name = 'ServerFault';
}

/**
 * A response with another status than 200 and 500, for example without a session or over a rate
 * limit.
 */
export class CallRefused extends Error implements ErrorMessage {
  override name = 'CallRefused';
  readonly status: number;
  readonly code: string;
  readonly params: Values;
  /** The header Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, { code, params, message }: ErrorMessage, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.code = code;
    this.params = params;
  }
}

/**
 * True if the same request, with its key, can succeed later. It may have taken effect: after a 503
 * the database can have committed.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionLost ||
  error instanceof ServerFault ||
  (error instanceof CallRefused && (error.status >= 500 || error.status === 408 || error.status === 429));
