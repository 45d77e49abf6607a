/**
 * Detects a page inside the native app: its path begins with /webview, or the state of its history
 * entry marks a log-in opened from such a page. An embedded page is shown without the site layout,
 * also if it shows an error (specification section 2, "Webview variants").
 */
import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { noSubscription } from '../lib/store.ts';

/** 'fl': the second variant of the screens, for the Flutter app. */
export type Embedding = 'webview' | 'fl';

/** The history state that an embedded page passes to the log-in page. */
export interface EmbeddedState {
  embedded: Embedding;
}

/** Returns the embedding of a path. Does not read the history state. */
export const embeddingOf = (pathname: string): Embedding | undefined => {
  if (!/^\/webview(?:\/|$)/.test(pathname)) return undefined;
  return pathname.startsWith('/webview/fl') ? 'fl' : 'webview';
};

const embeddingOfState = (state: unknown): Embedding | undefined => {
  const embedded = (state as Partial<EmbeddedState> | null)?.embedded;
  return embedded === 'webview' || embedded === 'fl' ? embedded : undefined;
};

/** Returns undefined for a page of the site. */
export function useEmbedding(): Embedding | undefined {
  const { pathname, state } = useLocation();
  // The server has no history state, so the first rendering uses the path only.
  const fromState = useSyncExternalStore(
    noSubscription,
    () => embeddingOfState(state),
    () => undefined,
  );
  return embeddingOf(pathname) ?? fromState;
}
