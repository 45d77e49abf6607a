/** The port to whoever carries text messages, with its development stand-in. */

export interface OutgoingMessage {
  mobile: string;
  /** What the customer is to read. Gateways that only fill registered templates are given the code. */
  text: string;
  code: string;
}

export interface TextGateway {
  /** Hands one message over; resolves once the gateway has taken it. Throws NotTaken or Rejected if it surely has not, anything else if nobody knows. */
  send(message: OutgoingMessage, deadline: AbortSignal): Promise<void>;
  /** The table of sent messages is the outbox that people read: texts stay in it. */
  readonly keepsTexts: boolean;
}

/** The gateway surely did not take the message, for now: sending it again cannot double it. */
export class NotTaken extends Error {
  override name = 'NotTaken';
}

/** The gateway works and will not have this message, now or later: asking again changes nothing. */
export class Rejected extends Error {
  override name = 'Rejected';
}

/** The stand-in of demonstrations: messages go nowhere, /outbox shows them. */
export const outboxGateway: TextGateway = { send: async () => {}, keepsTexts: true };
