/**
 * Whether a page stands inside the native app: its addresses begin with /webview, and a log-in that was opened from one of them says so in its history
 * entry. Such a page has no chrome of the site around it, whatever it shows, an error included (specification section 2, "Webview variants").
 */
import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';

/** 'fl': the second variants of the screens, for the app made with Flutter. */
export type Embedding = 'webview' | 'fl';

/** What a page of a webview hands to the log-in. */
export interface EmbeddedState {
  embedded: Embedding;
}

/** What the address alone says. */
export const embeddingOf = (pathname: string): Embedding | undefined => {
  if (!/^\/webview(?:\/|$)/.test(pathname)) return undefined;
  return pathname.startsWith('/webview/fl') ? 'fl' : 'webview';
};

const ofState = (state: unknown): Embedding | undefined => {
  const embedded = (state as Partial<EmbeddedState> | null)?.embedded;
  return embedded === 'webview' || embedded === 'fl' ? embedded : undefined;
};

const noSubscription = () => () => {};

export function useEmbedding(): Embedding | undefined {
  const { pathname, state } = useLocation();
  // The server's document knows the address and nothing of the history entry.
  const fromState = useSyncExternalStore(
    noSubscription,
    () => ofState(state),
    () => undefined,
  );
  return embeddingOf(pathname) ?? fromState;
}
