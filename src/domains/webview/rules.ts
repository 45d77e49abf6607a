/** Which incoming messages are accepted as messages of the native app (docs/security.md, S7). */
import { parseJson } from '../../lib/parse-json.ts';
import { MAX_MESSAGE_LENGTH, pushedUserMessage, type PushedUser } from './contract.ts';

/** The part of a MessageEvent that identifies its sender. */
export interface Incoming {
  data: unknown;
  origin: string;
  source: unknown;
}

/** The page that received the message. */
export interface Receiver {
  origin: string;
  window: unknown;
}

/**
 * Returns true for the two ways in which an app sends. It runs `window.postMessage` in the page, so
 * that the page is the sender. Or its web view dispatches the event, which then has no origin and
 * no source. Messages of other documents, openers and frames have their own origin or window.
 */
const isFromApp = ({ origin, source }: Incoming, page: Receiver) =>
  (origin === page.origin && source === page.window) || (origin === '' && source === null);

/** Returns the pushed user, or undefined for an invalid or foreign message. */
export function readPushedUser(incoming: Incoming, page: Receiver): PushedUser | undefined {
  const { data } = incoming;
  if (!isFromApp(incoming, page) || typeof data !== 'string' || data.length > MAX_MESSAGE_LENGTH) return undefined;
  return pushedUserMessage.safeParse(parseJson(data)).data?.payload;
}
