/** The port to whoever carries text messages, with its development stand-in. */

export interface TextGateway {
  /** Hands one message over; resolves once the gateway has taken it. Throws NotTaken if it surely has not, anything else if nobody knows. */
  send(message: { mobile: string; text: string }, signal: AbortSignal): Promise<void>;
  /** The table of sent messages is the outbox that people read: texts stay in it. */
  readonly keepsTexts: boolean;
}

/** The gateway surely did not take the message: sending it again cannot double it. */
export class NotTaken extends Error {
  override name = 'NotTaken';
}

/** The stand-in of demonstrations: messages go nowhere, /outbox shows them. */
export const outboxGateway: TextGateway = { send: async () => {}, keepsTexts: true };
