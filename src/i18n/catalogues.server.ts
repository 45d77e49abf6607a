/** All languages, for the server: a file in this folder is a language. */
import { english, type Language } from './language.tsx';
import { languageFromCatalogue, type Catalogue, type OfferedLanguage } from './translation.ts';

const catalogues = import.meta.glob<Catalogue>('./*.json', { eager: true, import: 'default' });
const addresses = import.meta.glob<string>('./*.json', { eager: true, import: 'default', query: '?url&no-inline' });

const codeOf = (file: string) => file.replace(/^\.\/|\.json$/g, '');

export const offeredLanguages: readonly OfferedLanguage[] = Object.entries(catalogues).map(([file, { name }]) => ({
  code: codeOf(file),
  name,
  catalogue: addresses[file] ?? '',
}));

const languages = new Map<string, Language>(
  Object.entries(catalogues).map(([file, catalogue]) => [codeOf(file), languageFromCatalogue(codeOf(file), catalogue)]),
);

/** English for what is none of them. */
export const findLanguage = (code: string): Language => languages.get(code) ?? english;
