/**
 * The language of the console. Its texts are those of the site and those in src/i18n/staff, so that
 * customers do not download texts of the console.
 */
import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { ChooseLanguageContext } from '../browser/choose-language.ts';
import { formatClock } from '../i18n/day-time.ts';
import { english, LanguageContext, type Language } from '../i18n/language.tsx';
import { languageFromCatalogue, type Catalogue, type OfferedLanguage } from '../i18n/translation.ts';
import { useSiteConfig } from '../shared/site-config.ts';
import { DAY_SECONDS } from '../lib/clock.ts';

const staffCatalogues = import.meta.glob<string>('../i18n/staff/*.json', {
  eager: true,
  import: 'default',
  query: '?url&no-inline',
});

/** The code in the cookie of the site (browser/language-provider.tsx), or that of English. */
export const chosenLanguage = (): string => /(?:^|; )lang=([a-z]+)/.exec(document.cookie)?.[1] ?? english.code;

/**
 * Returns the language of the code. Returns English for an unknown code and if a catalogue cannot
 * be loaded.
 */
export async function fetchConsoleLanguage(code: string, languages: readonly OfferedLanguage[]): Promise<Language> {
  const offered = languages.find((language) => language.code === code);
  const staff = staffCatalogues[`../i18n/staff/${code}.json`];
  if (!offered || staff === undefined) return english;
  try {
    const [site, ownTexts] = await Promise.all([offered.catalogue, staff].map(fetchCatalogue));
    return languageFromCatalogue(code, merged(site!, ownTexts!));
  } catch {
    return english;
  }
}

async function fetchCatalogue(url: string): Promise<Catalogue> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The catalogue has the status ${response.status}`);
  return (await response.json()) as Catalogue;
}

/** Returns the texts of both. A text of the staff replaces that of the site. */
const merged = (site: Catalogue, staff: Catalogue): Catalogue => ({
  ...site,
  texts: { ...site.texts, ...staff.texts },
  plurals: { ...site.plurals, ...staff.plurals },
  errors: { ...site.errors, ...staff.errors },
});

const CLOCK = /^\d\d:\d\d$/;

/**
 * Returns the language with the times of errors, such as '14:36', written as on all pages. English
 * shows the message of the error instead (`explainStale`).
 */
const withTimes = (language: Language): Language => ({
  ...language,
  formatMessage(message) {
    if (typeof message !== 'object' || !('params' in message)) return language.formatMessage(message);
    const { time } = message.params;
    if (typeof time !== 'string' || !CLOCK.test(time)) return language.formatMessage(message);
    return language.formatMessage({ ...message, params: { ...message.params, time: formatClock(language, time) } });
  },
});

export function ConsoleLanguage({ initial, children }: { initial: Language; children: ReactNode }) {
  const [language, setLanguage] = useState(() => withTimes(initial));
  const { languages } = useSiteConfig();
  useEffect(() => {
    document.documentElement.lang = language.code;
  }, [language]);
  const choose = async (code: string) => {
    const next = await fetchConsoleLanguage(code, languages);
    startTransition(() => setLanguage(withTimes(next)));
    const secure = window.location.protocol === 'https:' ? '; secure' : '';
    document.cookie = `lang=${code}; path=/; max-age=${365 * DAY_SECONDS}; samesite=lax${secure}`;
  };
  return (
    <ChooseLanguageContext value={choose}>
      <LanguageContext value={language}>{children}</LanguageContext>
    </ChooseLanguageContext>
  );
}
