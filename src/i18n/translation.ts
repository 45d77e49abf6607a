/** Languages with a catalogue. Only browsers that use one of them load this file. */
import { createLanguage, type Language, type Translations } from './language.tsx';

/** The content of a catalogue file of this folder. */
export interface Catalogue extends Translations {
  /** The name of the language in that language. */
  readonly name: string;
  /** The locale of dates and amounts. */
  readonly locale: string;
}

/** A language other than English, with the URL of its catalogue. */
export interface OfferedLanguage {
  readonly code: string;
  readonly name: string;
  readonly catalogue: string;
}

/** Creates a language from its catalogue, with dates and amounts in the format of its locale. */
export function languageFromCatalogue(code: string, { locale, ...translations }: Catalogue): Language {
  const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const amounts = (digits: number) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: 'INR', minimumFractionDigits: digits, maximumFractionDigits: digits });
  const [whole, exact] = [amounts(0), amounts(2)];
  return createLanguage(code, translations, {
    day: (dateTime) => (/^\d{4}-\d{2}-\d{2}/.test(dateTime) ? days.format(Date.parse(dateTime.slice(0, 10))) : dateTime),
    rupees: (amountPaise) => (amountPaise % 100 === 0 ? whole : exact).format(amountPaise / 100),
  });
}
