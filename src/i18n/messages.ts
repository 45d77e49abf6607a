/**
 * Every text that people see is a key: the English of the specification, letter for letter, with {names} where values stand. What is no key of the catalogue
 * does not compile, so no text is forgotten; a test finds keys that nothing uses (test/architecture/languages.ts).
 */
import type hi from './hi.json';

export type TextKey = keyof typeof hi.texts;

/** The names between the braces of a text, with what stands there. */
type Values<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string | number } & Values<Rest>
  : unknown;

export type Arguments<Key extends string> = Key extends `${string}{${string}` ? [values: Values<Key>] : [];

declare const filled: unique symbol;

/** A text of ours whose values stand in it. */
export type Filled = string & { readonly [filled]: true };

/** What a call may answer and a toast or field may say: it is translated where it is shown (`say` of language.tsx), with its values recognised. */
export type Told = TextKey | Filled;

/** The messages of a contract. */
export type Messages = Readonly<Record<string, Told | ((...values: never[]) => Told)>>;

export type Translate = <Key extends TextKey>(key: Key, ...values: Arguments<Key>) => Filled;

const NAME = /\{(\w+)\}/;

/** The English text with its values. */
export const fill: Translate = (key, ...[values]) => filledIn(key, values);

export const filledIn = (text: string, values: Readonly<Record<string, string | number>> | undefined): Filled =>
  (values
    ? text
        .split(NAME)
        .map((part, index) => (index % 2 ? values[part] : part))
        .join('')
    : text) as Filled;

/** A message that came over the wire: each that the server can send is a `Told` there. */
export const asTold = (message: string): Told => message as Filled;
