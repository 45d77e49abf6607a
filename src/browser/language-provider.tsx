/** The language of this tab: the one its document was written in, until the customer chooses another. Nothing is loaded again, so nothing typed is lost. */
import { createContext, startTransition, useCallback, useEffect, useState, type ReactNode } from 'react';
import { english, LanguageContext, type Language } from '../i18n/language.tsx';
import type { OfferedLanguage } from '../i18n/translation.ts';
import { useSiteConfig } from './site-config.ts';

/** Read by server/documents/documents.server.ts: the next document comes in this language. */
const COOKIE = 'lang';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Shows everything in the language of that code, from now on and in every later visit. Fails where its catalogue cannot be had. */
export type ChooseLanguage = (code: string) => Promise<void>;

export const ChooseLanguageContext = createContext<ChooseLanguage>(async () => {});

/** English is here already; a catalogue and what reads it are fetched when they are wanted. */
export async function fetchLanguage(code: string, languages: readonly OfferedLanguage[]): Promise<Language> {
  const offered = languages.find((language) => language.code === code);
  if (!offered) return english;
  const [{ languageOf }, answer] = await Promise.all([import('../i18n/translation.ts'), fetch(offered.catalogue)]);
  if (!answer.ok) throw new Error(`The catalogue answered ${answer.status}`);
  return languageOf(code, await answer.json());
}

export function Speaking({ first, children }: { first: Language; children: ReactNode }) {
  const [language, setLanguage] = useState(first);
  const { languages } = useSiteConfig();
  const speak = useCallback(
    async (code: string) => {
      const next = await fetchLanguage(code, languages);
      startTransition(() => setLanguage(next));
    },
    [languages],
  );
  const choose = useCallback(
    async (code: string) => {
      await speak(code);
      document.cookie = `${COOKIE}=${code}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${window.location.protocol === 'https:' ? '; secure' : ''}`;
    },
    [speak],
  );
  useEffect(() => {
    // A shared cache may have kept the document in English: it is put right here. Where that cannot be, English is better than nothing.
    const [, chosen] = /(?:^|; )lang=([a-z]+)/.exec(document.cookie) ?? [];
    if (chosen && chosen !== first.code) speak(chosen).catch(() => {});
  }, [first, speak]);
  return (
    <ChooseLanguageContext value={choose}>
      <LanguageContext value={language}>{children}</LanguageContext>
    </ChooseLanguageContext>
  );
}
