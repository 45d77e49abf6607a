/** Text that customers write and others read. */

/**
 * The combining marks that one letter can have. Scripts of India use up to three: nukta, vowel
 * sign and nasal sign. Stacks of many marks paint over the lines around them.
 */
const MAX_MARKS = 4;

/** Joiners and other invisible characters count as marks: they are no base for further marks. */
const TOO_MANY_MARKS = new RegExp(String.raw`([\p{M}\p{Cf}\p{DI}]{${MAX_MARKS}})[\p{M}\p{Cf}\p{DI}]+`, 'gu');

/** Removes the combining marks of each letter after the fourth. */
export const limitMarks = (text: string): string => text.replace(TOO_MANY_MARKS, '$1');

/** Matches a text with a letter or digit of a script. Some fillers count as letters in Unicode. */
export const LETTER_OR_DIGIT = /(?!\p{DI})[\p{L}\p{N}]/u;

/**
 * Invisible characters and enclosing marks, which hide separators and digits. Scripts of India need
 * a joiner after a letter; emoji need joiners and variation selectors.
 */
const INVISIBLE = /(?!(?:[\u200C\u200D]|\uFE0F)(?<=[\p{L}\p{ExtPict}][\p{M}\p{EMod}]{0,4}.))[\p{Cf}\p{DI}\p{Me}]/gu;

/**
 * The separators in e-mail addresses and URLs, with the characters that look like them. U+A4F8 is a
 * letter in words of the Lisu script.
 */
const ADDRESS_SEPARATORS = /[@＠﹫]|:\/\/|(?<=\S)[.。．｡․‥…﹒\u06D4\u0701\u0702\u{1D16D}](?=\S)|(?<![\s\p{Script=Lisu}])\uA4F8/gu;

/**
 * Seven digits or more. Letters end the number, any other character may separate its digits.
 * Modifier letters separate them too, because some look like dashes.
 */
const PHONE_NUMBER = /[+(]{0,3}\p{N}(?:[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]*\p{N}){6,}\p{M}*/gu;

const MAX_NAME_LENGTH = 40;
const MAX_FIRST_NAME_LENGTH = 20;

/** Trims after cutting. Lengths count code points, so that no surrogate pair is cut. */
const cut = (text: string, max: number) => Array.from(text).slice(0, max).join('').trim();

/**
 * Returns a customer's name as others see it: at most 40 characters, without the separators of
 * addresses, without phone numbers and without invisible characters. It may be empty.
 */
export const publicName = (name: string): string =>
  cut(
    limitMarks(name.replace(INVISIBLE, '')).replace(ADDRESS_SEPARATORS, ' ').replace(PHONE_NUMBER, ' ').replace(/\s+/g, ' ').trim(),
    MAX_NAME_LENGTH,
  );

/** Returns the first word of a customer's public name, at most 20 characters. It may be empty. */
export const publicFirstName = (name: string): string => cut(publicName(name).split(' ')[0] ?? '', MAX_FIRST_NAME_LENGTH);
