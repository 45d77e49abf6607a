/** Which incoming messages are believed to come from the native app. Reliability bar, S7. */
import { MOST_MESSAGE_LENGTH, pushedUserMessage, type PushedUser } from './contract.ts';

/** Of a MessageEvent, what can be judged. */
export interface Incoming {
  data: unknown;
  origin: string;
  source: unknown;
}

/** The page that the message came to. */
export interface Receiver {
  origin: string;
  window: unknown;
}

/**
 * An app has two ways in: it runs `window.postMessage` in the page, which then is its own sender, or its web view makes the event itself, which then has
 * neither origin nor sender. Every other document, opener or frame carries an origin or a window of its own.
 */
const isFromApp = ({ origin, source }: Incoming, page: Receiver) =>
  (origin === page.origin && source === page.window) || (origin === '' && source === null);

/** The pushed user, or nothing: what is wrong in any way is dropped without a word. */
export function readPushedUser(incoming: Incoming, page: Receiver): PushedUser | undefined {
  const { data } = incoming;
  if (!isFromApp(incoming, page) || typeof data !== 'string' || data.length > MOST_MESSAGE_LENGTH) return undefined;
  return pushedUserMessage.safeParse(parsed(data)).data?.payload;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
