/** What the server's renderer hands to the document component: the style sheet to inline and the nonce of this rendering. */
import { createContext } from 'react';

export interface DocumentParts {
  css: string;
  nonce: string | undefined;
  siteJson: string;
}

/** In the browser the document already holds all three; hydration leaves them as they are. */
export const DocumentPartsContext = createContext<DocumentParts>({ css: '', nonce: undefined, siteJson: '' });
