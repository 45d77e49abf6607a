import { findLanguage, offeredLanguages } from './catalogues.server.ts';
import { english, type Language } from './language.tsx';

/**
 * The code of the language in the cookie that browser/language-provider.tsx writes. English if
 * there is none or it is unknown.
 */
export function preferredLanguage(cookies: string | undefined): string {
  if (!cookies) return english.code;
  const [, code] = /(?:^|;\s*)lang=([a-z]+)/.exec(cookies) ?? [];
  return offeredLanguages.find((language) => language.code === code)?.code ?? english.code;
}

/** Returns the language of the Cookie header: English if it is missing or unknown. */
export const languageOfCookies = (cookies: string | undefined): Language => findLanguage(preferredLanguage(cookies));

/**
 * Returns no headers for English, and otherwise the language and `private`: a shared cache knows a
 * document by its address only, so it may store the English one. The browser then changes the
 * language (browser/language-provider.tsx).
 */
export const languageHeaders = (languageCode: string): Record<string, string> =>
  languageCode === english.code ? {} : { 'content-language': languageCode, 'cache-control': 'private, no-cache' };
