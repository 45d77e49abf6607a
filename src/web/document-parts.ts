/** What the server's renderer hands to the document component: the style sheet to inline and the nonce of this rendering. */
import { createContext } from 'react';

export interface DocumentParts {
  css: string;
  /** Where all of it can be fetched; then the document gets only what it shows (api/finish-document.server.ts). */
  wholeSheet: string | undefined;
  nonce: string | undefined;
  siteJson: string;
}

/** In the browser the document already holds all three; hydration leaves them as they are. */
export const DocumentPartsContext = createContext<DocumentParts>({ css: '', wholeSheet: undefined, nonce: undefined, siteJson: '' });
