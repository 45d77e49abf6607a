/** The change of language, which the site and the console provide. */
import { createContext } from 'react';

/** Changes the language now and for later visits. Rejects if the catalogue cannot be loaded. */
export type ChooseLanguage = (code: string) => Promise<void>;

export const ChooseLanguageContext = createContext<ChooseLanguage>(async () => {});
