import { english } from '../../i18n/language.tsx';
import { offeredLanguages } from '../../i18n/catalogues.server.ts';

/** The language a visitor chose (browser/language-provider.tsx), by its code: what a cookie names that is none of ours is English. */
export function chosenLanguage(cookies: string | undefined): string {
  if (!cookies) return english.code;
  const [, chosen] = /(?:^|;\s*)lang=([a-z]+)/.exec(cookies) ?? [];
  return offeredLanguages.find(({ code }) => code === chosen)?.code ?? english.code;
}

/** A shared cache knows what it keeps by its address: it keeps the English one, which a page can put right for itself. */
export const languageHeaders = (language: string): Record<string, string> =>
  language === english.code ? {} : { 'content-language': language, 'cache-control': 'private, no-cache' };
