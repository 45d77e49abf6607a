/** All languages, for the server. Each JSON file in this folder is the catalogue of a language. */
import { english, type Language } from './language.tsx';
import { languageFromCatalogue, type Catalogue, type OfferedLanguage } from './translation.ts';

const catalogues = import.meta.glob<Catalogue>('./*.json', { eager: true, import: 'default' });
const urls = import.meta.glob<string>('./*.json', { eager: true, import: 'default', query: '?url&no-inline' });

const codeOf = (file: string) => file.replace(/^\.\/|\.json$/g, '');

export const offeredLanguages: readonly OfferedLanguage[] = Object.entries(catalogues).map(([file, { name }]) => ({
  code: codeOf(file),
  name,
  catalogue: urls[file] ?? '',
}));

const languages = new Map<string, Language>(
  Object.entries(catalogues).map(([file, catalogue]) => [codeOf(file), languageFromCatalogue(codeOf(file), catalogue)]),
);

/** Returns the language with this code, or English if it is unknown. */
export const findLanguage = (code: string): Language => languages.get(code) ?? english;
