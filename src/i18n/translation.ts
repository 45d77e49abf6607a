/** A language made from its catalogue. Loaded by its readers alone. */
import type { Language } from './language.tsx';
import { filledIn, type TextKey, type Translate } from './messages.ts';

/** What a file of this folder holds: one language each. */
export interface Catalogue {
  /** What its readers call it. */
  readonly name: string;
  /** For dates and amounts. */
  readonly locale: string;
  readonly texts: Readonly<Record<TextKey, string>>;
}

/** What a browser is told of the languages besides English: how each calls itself, and where its catalogue lies. */
export interface OfferedLanguage {
  readonly code: string;
  readonly name: string;
  readonly catalogue: string;
}

export function languageOf(code: string, { locale, texts }: Catalogue): Language {
  const known = new Map<string, string>(Object.entries(texts));
  // A text that is missing in a language stands there in English (a test does not let it come so far).
  const t: Translate = (key, ...[values]) => filledIn(known.get(key) ?? key, values);
  const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const amounts = (digits: number) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: 'INR', minimumFractionDigits: digits, maximumFractionDigits: digits });
  const [whole, exact] = [amounts(0), amounts(2)];
  const day = (dateTime: string) => (/^\d{4}-\d{2}-\d{2}/.test(dateTime) ? days.format(Date.parse(dateTime.slice(0, 10))) : dateTime);
  // The server writes days as the specification does: 'Nov 21, 2026'.
  const recognise = recogniser(known, (value) => (ENGLISH_DAY.test(value) ? days.format(Date.parse(`${value} UTC`)) : value));
  return {
    code,
    t,
    say: (text) => known.get(text) ?? recognise(text) ?? text,
    day,
    rupees: (amountPaise) => (amountPaise % 100 === 0 ? whole : exact).format(amountPaise / 100),
  };
}

/** A text that is hardly more than its values, such as 'from {rate}', would take what people write for itself. */
const FEWEST_LETTERS = 12;

const ENGLISH_DAY = /^[A-Z][a-z]{2} \d{2}, \d{4}$/;

/** Finds the text of ours whose values were filled in already, the one with the most words of its own first, and fills them into its translation. */
function recogniser(known: ReadonlyMap<string, string>, rewrite: (value: string) => string): (text: string) => string | undefined {
  const patterns = [...known.keys()]
    .filter((key) => /\{\w+\}/.test(key))
    .toSorted((one, other) => withoutNames(other).length - withoutNames(one).length)
    .map((key) => ({
      key,
      names: [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
      pattern: new RegExp(
        `^${key
          .split(/\{\w+\}/)
          .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
          .join('(.+?)')}$`,
        's',
      ),
    }));
  return (text) => {
    for (const { key, names, pattern } of patterns) {
      const [, ...found] = pattern.exec(text) ?? [];
      if (found.length > 0 && withoutNames(key).length >= FEWEST_LETTERS) {
        return filledIn(known.get(key) ?? key, Object.fromEntries(names.map((name, index) => [name, rewrite(found[index] ?? '')])));
      }
    }
    return undefined;
  };
}

const withoutNames = (key: string) => key.replaceAll(/\{\w+\}/g, '');
