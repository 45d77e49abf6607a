import { createContext } from 'react-router';
import type { SiteConfig } from '../../shared/site-config.ts';

/** The inputs of a rendering besides its address. */
export interface DocumentContext {
  /**
   * Random. Marks the inline scripts and styles of this rendering (inline-code-hashes.server.ts).
   */
  nonce: string;
  languageCode: string;
  site: SiteConfig;
  /** PUBLIC_URL, if it is set. */
  publicUrl: string | undefined;
  /** The error screen of status 429 is not rendered: the server sends a cached one. */
  skipsRefusal: boolean;
}

export const documentContext = createContext<DocumentContext>();
