/**
 * The language of a document: its texts, plurals, errors, dates and amounts. English is built in and needs no catalogue; every other language is a JSON
 * file in this folder, which only its readers load (translation.ts). A React context, because the server renders several documents at once.
 */
import { createContext, Fragment, use, type ReactNode } from 'react';
import { formatDay } from '../lib/dates.ts';
import { formatRupees } from '../lib/money.ts';
import { formatText, msg, type Arguments, type Message, type MessageKey, type Values, type ValuesOf } from './messages.ts';

type Literal<Text extends string> = string extends Text ? never : Text;

export interface Translate {
  <Text extends string>(key: MessageKey<Text>, ...values: Arguments<Text>): string;
  <Text extends string>(text: Literal<Text>, ...values: Arguments<Text>): string;
}

/** The text for `count`: `forms` are the English ones, and a language may have more. */
export type Pluralize = <One extends string, Other extends string>(
  count: number,
  forms: { readonly one: One; readonly other: Other },
  values: ValuesOf<One | Other>,
) => string;

export interface Language {
  /** Value of `<html lang>` and of the cookie. */
  readonly code: string;
  readonly t: Translate;
  readonly plural: Pluralize;
  /** A message that was made outside a component, or an error of a call. */
  formatMessage(message: Message): string;
  /** Data that may be a known text, such as the name of a service; any other data is returned unchanged. */
  translateData(text: string): string;
  /** A day in Asia/Kolkata. */
  day(dateTime: string): string;
  rupees(amountPaise: number): string;
}

/** Everything that is written in a language. What is missing is shown in English. */
export interface Translations {
  /** By English text. */
  readonly texts: Readonly<Record<string, string>>;
  /** By the English form for other counts: a text for each plural category of the language. */
  readonly plurals: Readonly<Record<string, Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>>>;
  /** By code. */
  readonly errors: Readonly<Record<string, string>>;
}

const own = <Value,>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

export function createLanguage(
  code: string,
  { texts, plurals, errors }: Translations,
  { day, rupees }: Pick<Language, 'day' | 'rupees'>,
): Language {
  const rules = new Intl.PluralRules(code);
  const translateData = (text: string) => own(texts, text) ?? text;
  const format = (key: string, values?: Values) => formatText(translateData(key), values, day);
  return {
    code,
    t: format,
    plural(count, forms, values) {
      const category = rules.select(count);
      const english = category === 'one' ? forms.one : forms.other;
      const translated = own(plurals, forms.other);
      return formatText(translated?.[category] ?? translated?.other ?? english, values, day);
    },
    formatMessage(message) {
      if (typeof message === 'string') return format(message);
      if ('key' in message) return format(message.key, message.values);
      const text = own(errors, message.code);
      return text === undefined ? message.message : formatText(text, message.params, day);
    },
    translateData,
    day,
    rupees,
  };
}

export const english = createLanguage('en', { texts: {}, plurals: {}, errors: {} }, { day: formatDay, rupees: formatRupees });

export const LanguageContext = createContext(english);

export const useLanguage = (): Language => use(LanguageContext);

/** A sentence with a link or an emphasis in it: each language has its own order of words. */
export function RichText<Text extends string>({ text, parts }: { text: Text; parts: Readonly<Record<keyof ValuesOf<Text>, ReactNode>> }) {
  const { formatMessage } = useLanguage();
  return formatMessage(msg(text))
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? <Fragment key={part}>{parts[part as keyof ValuesOf<Text>]}</Fragment> : part));
}
