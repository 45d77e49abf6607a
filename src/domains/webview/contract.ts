/** What a page inside the native app and that app say to each other: docs/webview-bridge.md. Design section 6, "Webview". */
import * as z from 'zod/mini';

export const BRIDGE_VERSION = 1;

/** Everything that leaves for the app. No password, code, session or id is ever among it. */
export interface HostMessages {
  /** The page listens from now on. */
  ready: Record<string, never>;
  'Account Created': { mobile: string };
  'open-login': Record<string, never>;
  share: { url: string; text: string };
}

export type HostMessageType = keyof HostMessages;

/** A message is a short text; a longer one is not even parsed. */
export const MOST_MESSAGE_LENGTH = 4096;

const message = <Type extends string, Payload extends z.ZodMiniType>(type: Type, payload: Payload) =>
  z.object({ v: z.literal(BRIDGE_VERSION), type: z.literal(type), payload });

/**
 * The one thing an app may tell a page: whom it shows. Of the specification's `userdata` the page keeps what it displays. It is a claim, never a proof:
 * who someone is, the server reads from the session cookie alone.
 */
export const pushedUserMessage = message(
  'userdata',
  z.object({
    mobile: z.string().check(z.regex(/^[0-9]{10}$/)),
  }),
);

export type PushedUser = z.output<typeof pushedUserMessage>['payload'];
