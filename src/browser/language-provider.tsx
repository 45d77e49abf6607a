/**
 * The language of this tab: that of its document until the customer chooses another. A change does
 * not reload the page, so no input is lost.
 */
import { startTransition, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { english, LanguageContext, type Language } from '../i18n/language.tsx';
import type { OfferedLanguage } from '../i18n/translation.ts';
import { useSiteConfig } from '../shared/site-config.ts';
import { DAY_SECONDS } from '../lib/clock.ts';
import { ChooseLanguageContext } from './choose-language.ts';

/** Read by i18n/preferred-language.server.ts. */
const COOKIE = 'lang';
const YEAR_SECONDS = 365 * DAY_SECONDS;

/** Returns English for an unknown code. Rejects if the catalogue cannot be loaded. */
export async function fetchLanguage(code: string, languages: readonly OfferedLanguage[]): Promise<Language> {
  const offered = languages.find((language) => language.code === code);
  if (!offered) return english;
  const [{ languageFromCatalogue }, response] = await Promise.all([import('../i18n/translation.ts'), fetch(offered.catalogue)]);
  if (!response.ok) throw new Error(`The catalogue has the status ${response.status}`);
  return languageFromCatalogue(code, await response.json());
}

export function LanguageProvider({ initial, children }: { initial: Language; children: ReactNode }) {
  const [language, setLanguage] = useState(initial);
  const { languages } = useSiteConfig();
  const latestChoice = useRef(initial.code);
  const show = useCallback(
    async (code: string) => {
      latestChoice.current = code;
      const next = await fetchLanguage(code, languages);
      // A slower catalogue must not replace a later choice.
      if (latestChoice.current !== code) return false;
      startTransition(() => setLanguage(next));
      return true;
    },
    [languages],
  );
  const choose = useCallback(
    async (code: string) => {
      if (!(await show(code))) return;
      document.cookie = `${COOKIE}=${code}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${window.location.protocol === 'https:' ? '; secure' : ''}`;
    },
    [show],
  );
  useEffect(() => {
    // A shared cache stores only the English document (preferred-language.server.ts). If the
    // catalogue fails, the page stays English.
    const [, chosen] = /(?:^|; )lang=([a-z]+)/.exec(document.cookie) ?? [];
    if (chosen && chosen !== initial.code) show(chosen).catch(() => {});
  }, [initial, show]);
  return (
    <ChooseLanguageContext value={choose}>
      <LanguageContext value={language}>{children}</LanguageContext>
    </ChooseLanguageContext>
  );
}
