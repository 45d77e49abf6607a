/** What the client throws when a call has no envelope of its contract. Apart from the client, so that pages can name these without loading it. */
import type { ErrorMessage, Values } from '../i18n/messages.ts';

/** The request or its response was lost: whether the server handled it is unknown. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** A response with a status other than 200: no session, too many requests, not available. */
export class CallRefused extends Error implements ErrorMessage {
  override name = 'CallRefused';
  readonly status: number;
  readonly code: string;
  readonly params: Values;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, { code, params, message }: ErrorMessage, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.params = params;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
