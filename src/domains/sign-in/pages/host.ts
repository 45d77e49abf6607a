/** The native app around a webview, as the account screens know it. On the site there is none; the webview domain puts its bridge in this place. */
import { createContext, use } from 'react';
import { useNavigate } from 'react-router';
import { useEmbedding, type EmbeddedState } from '../../../browser/embedding.ts';
import { links, type ReturnState } from '../../../browser/links.ts';

/** Each answers whether an app took it: where none does, the page goes on by itself. */
export interface Host {
  openLogin(): boolean;
  accountCreated(mobile: string): boolean;
}

const noHost: Host = { openLogin: () => false, accountCreated: () => false };

export const HostContext = createContext(noHost);

export const useHost = () => use(HostContext);

/** The app's own log-in, or the log-in page, told where it stands and where it leads back to. */
export function useLoginOpener(returnState?: unknown) {
  const host = useHost();
  const navigate = useNavigate();
  const embedded = useEmbedding();
  const state = { ...(returnState as Partial<ReturnState> | null), ...(embedded && ({ embedded } satisfies EmbeddedState)) };
  return {
    state,
    askHost: host.openLogin,
    open: async () => {
      if (!host.openLogin()) await navigate(links.login(), { replace: true, state });
    },
  };
}
