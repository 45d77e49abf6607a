/** How a page's loader makes calls on the server: the same typed client, over the program's own routes instead of the network. */
import { createContext } from 'react-router';
import type { Send } from './client.ts';
import type { SiteConfig } from './site-config.ts';

export const sendContext = createContext<Send>();
export const siteConfigContext = createContext<SiteConfig>();
export const nonceContext = createContext<string>();
/** The code of the language the document is written in. */
export const languageContext = createContext<string>();
