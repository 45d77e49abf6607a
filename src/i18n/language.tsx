/**
 * The language of a document: its texts, plurals, errors, dates and amounts. English needs no
 * catalogue. Every other language has a JSON file in this folder, which only its users load
 * (translation.ts). It is a React context, because the server renders documents concurrently.
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

/** Returns the plural form for `count`. `forms` are the English forms; a language can have more. */
export type Pluralize = <One extends string, Other extends string>(
  count: number,
  forms: { readonly one: One; readonly other: Other },
  values: ValuesOf<One | Other>,
) => string;

export interface Language {
  /** The value of `<html lang>` and of the language cookie. */
  readonly code: string;
  readonly t: Translate;
  readonly plural: Pluralize;
  /** Translates a message that was created outside a component, or an error of a call. */
  formatMessage(message: Message): string;
  /**
   * Translates data that is the key of a text, such as the name of a service. Returns other data
   * unchanged.
   */
  translateData(text: string): string;
  /** Formats the day of a date or date-time in Asia/Kolkata. */
  day(dateTime: string): string;
  /** Formats an amount. */
  rupees(amountPaise: number): string;
}

/** The texts of a language. A missing text is shown in English. */
export interface Translations {
  /** By key, the English text. */
  readonly texts: Readonly<Record<string, string>>;
  /** A text for each plural category of the language, by the English form `other`. */
  readonly plurals: Readonly<Record<string, Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>>>;
  /** By code. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Ignores inherited properties such as 'constructor'. */
const ownProperty = <Value,>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** Creates a language from its texts and its formats of days and amounts. */
export function createLanguage(
  code: string,
  { texts, plurals, errors }: Translations,
  { day, rupees }: Pick<Language, 'day' | 'rupees'>,
): Language {
  const rules = new Intl.PluralRules(code);
  const translateData = (text: string) => ownProperty(texts, text) ?? text;
  const format = (key: string, values?: Values) => formatText(translateData(key), values, day);
  return {
    code,
    t: format,
    plural(count, forms, values) {
      const category = rules.select(count);
      const english = category === 'one' ? forms.one : forms.other;
      const translated = ownProperty(plurals, forms.other);
      return formatText(translated?.[category] ?? translated?.other ?? english, values, day);
    },
    formatMessage(message) {
      if (typeof message === 'string') return format(message);
      if ('key' in message) return format(message.key, message.values);
      const text = ownProperty(errors, message.code);
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

/** A text in which elements such as links replace the placeholders. */
export function RichText<Text extends string>({ text, parts }: { text: Text; parts: Readonly<Record<keyof ValuesOf<Text>, ReactNode>> }) {
  const { formatMessage } = useLanguage();
  return formatMessage(msg(text))
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? <Fragment key={part}>{parts[part as keyof ValuesOf<Text>]}</Fragment> : part));
}
