/**
 * The native app around a webview, as the account screens use it. The webview domain provides the
 * bridge; on the site there is no app.
 */
import { createContext, use } from 'react';
import { useNavigate } from 'react-router';
import { useEmbedding, type EmbeddedState } from '../../../shared/embedding.ts';
import { links, type ReturnState } from '../../../shared/links.ts';

/** Each function returns whether an app handles the message. If not, the page continues itself. */
export interface NativeApp {
  openLogin(): boolean;
  accountCreated(mobile: string): boolean;
}

const noNativeApp: NativeApp = { openLogin: () => false, accountCreated: () => false };

export const NativeAppContext = createContext(noNativeApp);

/** Returns the app around this page. On the site, its functions return false. */
export const useNativeApp = () => use(NativeAppContext);

/**
 * Returns `open`, which opens the log-in of the app or else the log-in page, and the parts of a
 * link that does the same. `openInApp` returns false if no app handles it. `state` is the history
 * state of the link: the embedding and the page to return to.
 */
export function useOpenLogin(returnState?: unknown) {
  const app = useNativeApp();
  const navigate = useNavigate();
  const embedded = useEmbedding();
  const state = { ...(returnState as Partial<ReturnState> | null), ...(embedded && ({ embedded } satisfies EmbeddedState)) };
  return {
    state,
    openInApp: app.openLogin,
    open: async () => {
      if (!app.openLogin()) await navigate(links.login(), { replace: true, state });
    },
  };
}
