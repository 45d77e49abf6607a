/** How a call can fail without an answer of its own. Apart from the client, so that pages can name these without loading it. */

/** The request did not reach the server or its answer did not come back: nothing is known of what happened there. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** A refusal of the protocol (no session, too many requests, unavailable …), with a message that a person can read. */
export class CallRefused extends Error {
  override name = 'CallRefused';
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
