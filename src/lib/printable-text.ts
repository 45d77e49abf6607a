/** Words of people in a terminal, which executes control characters. */

/**
 * Control, format and separator characters and lone surrogates. Scripts of India need the joiners
 * U+200C and U+200D.
 */
const UNPRINTABLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The escape of JSON, so that a JSON document stays one. */
const escape = (character: string) =>
  character === '\n'
    ? String.raw`\n`
    : Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');

/** Escapes unprintable characters, but not the lines and tabs of the output itself. */
export const printableText = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => (/[\n\t]/.test(character) ? character : escape(character)));

/** Returns words of a person as one line: a further line could look like a line of the program. */
export const printableLine = (words: string): string => words.replaceAll('\r\n', '\n').replace(UNPRINTABLE, escape);
