/**
 * A mobile number is a string of ten digits; the country code +91 is implied (specification section
 * 1).
 */
declare const mobile: unique symbol;
export type Mobile = string & { readonly [mobile]: true };

export const isMobile = (text: string): text is Mobile => /^[0-9]{10}$/.test(text);

/** Indian mobile numbers start with 6 to 9. A message to any other number cannot arrive. */
export const isIndianMobile = (text: string): boolean => /^[6-9][0-9]{9}$/.test(text);

/**
 * Normalizes typed or pasted text: '+91 98765 43210' and '098765-43210' become ten digits.
 * Text that is no mobile number keeps its digits only.
 */
export function normalizeMobile(text: string): string {
  const digits = text.replace(/[^0-9]/g, '');
  if (digits.length === 12 && digits.startsWith('91')) return digits.slice(2);
  if (digits.length === 11 && digits.startsWith('0')) return digits.slice(1);
  return digits;
}
