/**
 * A mobile number is a string of ten digits; the country code +91 is implied (specification section
 * 1).
 */
declare const mobile: unique symbol;
export type Mobile = string & { readonly [mobile]: true };

/** Returns true for ten digits. The first one can be any digit (`isIndianMobile`). */
export const isMobile = (text: string): text is Mobile => /^[0-9]{10}$/.test(text);

/**
 * Returns true for ten digits that begin with 6 to 9. A message to any other number cannot arrive.
 */
export const isIndianMobile = (text: string): boolean => /^[6-9][0-9]{9}$/.test(text);

/**
 * Returns true for a number that begins with 0. It replaces that of an erased customer, and no
 * subscriber of India has such a number.
 */
export const isPseudonym = (mobile: string): boolean => mobile.startsWith('0');

const DIGITS = 10;

/**
 * Returns the digits of the text, without the country code of a mobile number or the 0 of a call
 * within India: '+91 98765 43210', '0091 98765 43210' and '098765-43210' become ten digits. Does
 * not validate: the result can have any length.
 */
export function normalizeMobile(text: string): string {
  const digits = text
    .replace(/[^0-9+]/g, '')
    .replace(/^(\+|00)91/, '')
    .replace(/\+/g, '');
  if (digits.length === 12 && digits.startsWith('91')) return digits.slice(2);
  if (digits.length === 11 && digits.startsWith('0')) return digits.slice(1);
  return digits;
}

/**
 * Normalizes the text of a field after each key, to at most ten digits. Keeps the beginning of a
 * country code, which the next key may complete. An eleventh digit shows that the first two were a
 * country code without '+': they are dropped, because the first ten digits look like a number.
 */
export function normalizeTypedMobile(text: string): string {
  if (/^\s*\+\s*9?$/.test(text)) return text.replace(/\s/g, '');
  const digits = normalizeMobile(text);
  const isWithCode = digits.length === DIGITS + 1 && /^91[6-9]/.test(digits);
  return digits.slice(isWithCode ? 2 : 0).slice(0, DIGITS);
}
