/** What the server's renderer hands to the document component: what it inlines and the nonce of this rendering. */
import { createContext } from 'react';

export interface DocumentParts {
  css: string;
  /** Where all of it can be fetched; then the document gets only what it shows (server/documents/finish-document.server.ts). */
  wholeSheet: string | undefined;
  /** The script that runs before all others. */
  watcher: string;
  nonce: string | undefined;
}

/** In the browser the document already holds them; hydration leaves them as they are. */
export const DocumentPartsContext = createContext<DocumentParts>({
  css: '',
  wholeSheet: undefined,
  watcher: '',
  nonce: undefined,
});
