/** A language made from its catalogue. Loaded by its readers only. */
import { createLanguage, type Language, type Translations } from './language.tsx';

/** The content of a catalogue file of this folder. */
export interface Catalogue extends Translations {
  /** The language's own name. */
  readonly name: string;
  /** Of dates and amounts. */
  readonly locale: string;
}

/** A language besides English, as browsers get to know it: its name and the address of its catalogue. */
export interface OfferedLanguage {
  readonly code: string;
  readonly name: string;
  readonly catalogue: string;
}

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
