/**
 * The language a document is in: texts, dates and amounts as its readers write them. English is built in and is what the specification says; every other
 * language is a catalogue of this folder that only its readers load (translation.ts). In a context, because the server renders several documents at once.
 */
import { createContext, Fragment, use, type ReactNode } from 'react';
import { formatDay } from '../lib/dates.ts';
import { formatRupees } from '../lib/money.ts';
import { fill, type TextKey, type Translate } from './messages.ts';

export interface Language {
  /** Of `<html lang>` and the cookie. */
  readonly code: string;
  readonly t: Translate;
  /** A text of ours that is known only when it comes: a message of the server, the name of a service. What is none of ours stays as it is. */
  say(text: string): string;
  /** A day in Asia/Kolkata. */
  day(dateTime: string): string;
  rupees(amountPaise: number): string;
}

export const english: Language = { code: 'en', t: fill, say: (text) => text, day: formatDay, rupees: formatRupees };

export const LanguageContext = createContext(english);

export const useLanguage = (): Language => use(LanguageContext);

/** The names between the braces of a text. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** A sentence with a link or an emphasis in it: each language has its own order of words. */
export function Mixed<Key extends TextKey>({ text, parts }: { text: Key; parts: Readonly<Record<Names<Key>, ReactNode>> }) {
  const { say } = useLanguage();
  return say(text)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? <Fragment key={part}>{parts[part as Names<Key>]}</Fragment> : part));
}
