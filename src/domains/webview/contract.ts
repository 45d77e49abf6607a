/**
 * The messages between a page inside the native app and the app: docs/webview-bridge.md. Design
 * section 6, "Webview".
 */
import * as z from 'zod/mini';

export const BRIDGE_VERSION = 1;

/** Messages to the app. None contains a password, code, session or id. */
export interface HostMessages {
  /** The page listens for messages. */
  ready: Record<string, never>;
  'Account Created': { mobile: string };
  'open-login': Record<string, never>;
  share: { url: string; text: string };
}

export type HostMessageType = keyof HostMessages;

/** Longer messages are ignored without parsing. */
export const MAX_MESSAGE_LENGTH = 4096;

const message = <Type extends string, Payload extends z.ZodMiniType>(type: Type, payload: Payload) =>
  z.object({ v: z.literal(BRIDGE_VERSION), type: z.literal(type), payload });

/**
 * The only message that a page accepts: the user that the app displays. The page reads only the
 * displayed fields of the specification's `userdata`. It is a claim, not a proof: the server
 * identifies customers by their session cookie only.
 */
export const pushedUserMessage = message(
  'userdata',
  z.object({
    mobile: z.string().check(z.regex(/^[0-9]{10}$/)),
  }),
);

export type PushedUser = z.output<typeof pushedUserMessage>['payload'];
