/**
 * Errors that no caller of a service handles: of authentication, permissions, limits, keys and
 * versions. The server maps their kind to an HTTP status, and a command prints the message.
 * docs/decisions/0090.
 */
import type { ErrorMessage, Values } from '../i18n/messages.ts';

/** server/http/call-errors.server.ts has the HTTP status of each. */
export type ApiErrorKind =
  | 'bad-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'address-too-long'
  | 'rate-limited'
  | 'unavailable';

export class ApiError extends Error implements ErrorMessage {
  override name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly code: string;
  readonly params: Values;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ApiErrorKind, { code, params, message }: ErrorMessage, retryAfterSeconds?: number) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.params = params;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A change of a resource that has changed since the caller read it. Nothing was written. */
export class ConflictError extends ApiError {
  /** The current resource. The route encodes it with the contract of the call. */
  readonly data: unknown;

  constructor(error: ErrorMessage, data: unknown) {
    super('conflict', error);
    this.data = data;
  }
}
