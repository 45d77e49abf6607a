/**
 * Texts for people. The key of a text is the English text of the specification, with placeholders
 * for values: `{name}`, or `{name, date}` for a day in the form YYYY-MM-DD. Every text is an
 * argument of `t`, `msg`, `defineMessages` or `defineErrors`. A test finds the texts there and
 * checks that every catalogue contains them (test/architecture/texts.ts).
 */
import { formatDay } from '../lib/dates.ts';

declare const textOf: unique symbol;

/** The key of a translated text. A plain string is data and is not translated. */
export type MessageKey<Text extends string = string> = string & { readonly [textOf]: Text };

/** The texts between the braces: 'name', or 'name, date'. */
type Placeholders<Text> = Text extends `${string}{${infer Inside}}${infer Rest}` ? Inside | Placeholders<Rest> : never;
type NameOf<Placeholder> = Placeholder extends `${infer Name}, ${string}` ? Name : Placeholder;

/** The values that the placeholders of `Text` need. */
export type ValuesOf<Text extends string> = { readonly [Inside in Placeholders<Text> as NameOf<Inside> & string]: string | number };

/** The arguments after a text: its values if it has placeholders. */
export type Arguments<Text extends string> = Text extends `${string}{${string}` ? [values: ValuesOf<Text>] : [];

export type Values = Readonly<Record<string, string | number>>;

/** A text with its values. The component that shows it formats it in its language. */
export interface MessageWithValues {
  readonly key: MessageKey;
  readonly values: Values;
}

/** An error of a call or a field: a stable code, the values of its text, and the English text. */
export interface ErrorMessage<Code extends string = string> {
  readonly code: Code;
  readonly params: Values;
  readonly message: string;
}

/** Anything that a toast, a field or a form can show. */
export type Message = MessageKey | MessageWithValues | ErrorMessage;

export function msg<Text extends string>(text: Text): MessageKey<Text>;
export function msg<Text extends string>(key: MessageKey<Text>, ...values: Arguments<Text>): Message;
export function msg<Text extends string>(text: Text, ...values: Arguments<Text>): Message;
/** Marks a text outside a component. Returns the key, or the key with its values. */
export function msg(text: string, values?: Values): Message {
  const key = text as MessageKey;
  return values ? { key, values } : key;
}

type Keys<Texts extends Readonly<Record<string, string>>> = { readonly [Name in keyof Texts]: MessageKey<Texts[Name]> };

/** Marks a table of texts. Returns their keys. */
export const defineMessages = <const Texts extends Readonly<Record<string, string>>>(texts: Texts) => texts as unknown as Keys<Texts>;

const PLACEHOLDER = /\{(\w+)(, date)?\}/;

/**
 * Replaces the placeholders of `text` with values, or with nothing if a value is missing. Returns
 * `text` unchanged if `values` is undefined. `formatDate` formats the placeholders of type date.
 */
export function formatText(text: string, values: Values | undefined, formatDate: (isoDay: string) => string = formatDay): string {
  if (!values) return text;
  // The pattern has two groups, so the parts repeat in this order: text, name, type.
  const parts = text.split(PLACEHOLDER);
  let formatted = '';
  for (let index = 0; index < parts.length; index += 3) {
    const [before = '', name, type] = parts.slice(index);
    const value = name === undefined ? '' : (values[name] ?? '');
    formatted += before + (type ? formatDate(String(value)) : value);
  }
  return formatted;
}
