/**
 * The parts that the server adds to the document component (src/root.tsx). The browser keeps the
 * server's markup, so its values are empty.
 */
import { createContext, type ReactNode } from 'react';

export interface ServerMarkup {
  /**
   * Allows an inline script or style in this rendering; its hash replaces it before the document is
   * sent.
   */
  nonce: string | undefined;
  /** The critical CSS. */
  css: string;
  /** The text of pre-hydration.ts. */
  preHydrationScript: string;
  /** Elements of the head that only the server renders: icons and sharing metadata. */
  head: ReactNode;
  /** The content of the template that is loaded after the first paint. */
  deferred: ReactNode;
  /** The link of the whole style sheet, for browsers without scripts. */
  stylesheet: ReactNode;
}

export const ServerMarkupContext = createContext<ServerMarkup>({
  nonce: undefined,
  css: '',
  preHydrationScript: '',
  head: null,
  deferred: null,
  stylesheet: null,
});
