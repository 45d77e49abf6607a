/** The interface of SMS gateways, and the stand-in that a demonstration uses. */
import { scrubError } from '../../lib/scrub-text.ts';

/** In real time, not on the program's clock. */
export const MESSAGE_TIMEOUTS = {
  /** Sending a code: the customer sees the result within 10 s. 1 s is left for our own work. */
  sendMs: 9000,
  /** One request to the SMS gateway, or to Firebase for a code. */
  attemptMs: 8000,
  /** The delay before the second request to the SMS gateway. */
  firstRetryMs: 300,
} as const;

export interface OutgoingMessage {
  mobile: string;
  text: string;
  /** For gateways that fill a registered template: its name, and the variables inside the text. */
  template: string;
  values: Readonly<Record<string, string>>;
}

/** The template of messages with a code. Its only variable is `code`. */
export const CODE_TEMPLATE = 'code';

export interface TextGateway {
  /**
   * Resolves once the gateway has accepted the message. Throws `NotAccepted` or `Rejected` if the
   * gateway certainly did not accept it. After any other error, the result is unknown.
   */
  send(message: OutgoingMessage, deadline: AbortSignal): Promise<void>;
  /** Returns false if the operator has registered no such template. */
  hasTemplate(template: string): boolean;
  /** True if sent texts stay in the table, because /outbox shows them. */
  readonly keepsTexts: boolean;
}

/** A temporary failure: the gateway did not accept the message, so a retry cannot send it twice. */
export class NotAccepted extends Error {
  override name = 'NotAccepted';
}

/** A permanent failure: the gateway is available and rejects this message. A retry is useless. */
export class Rejected extends Error {
  override name = 'Rejected';
}

const MAX_ERROR_LENGTH = 200;

/**
 * Why a message was not sent: the gateway did not accept it, rejected it, or its result is unknown.
 * `error` has no secrets.
 */
export function failureOf(error: unknown): { failure: 'not-accepted' | 'rejected' | 'unknown'; error: string } {
  const text = scrubError(error, MAX_ERROR_LENGTH);
  if (error instanceof NotAccepted) return { failure: 'not-accepted', error: text };
  return { failure: error instanceof Rejected ? 'rejected' : 'unknown', error: text };
}

/** Sends nothing. /outbox shows the messages. */
export const outboxGateway: TextGateway = { send: async () => {}, hasTemplate: () => true, keepsTexts: true };
