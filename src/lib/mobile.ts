/** A mobile number is its ten digits, as text; the country code +91 is implied everywhere (specification section 1). */
declare const mobile: unique symbol;
export type Mobile = string & { readonly [mobile]: true };

export const isMobile = (text: string): text is Mobile => /^[0-9]{10}$/.test(text);

/** Numbers that an Indian mobile can have start with 6 to 9: no message to another one ever arrives. */
export const isIndianMobile = (text: string): boolean => /^[6-9][0-9]{9}$/.test(text);

/** What a person pastes ('+91 98765 43210', '098765-43210') as the ten digits, where it is one; otherwise only its digits. */
export function tidyMobile(text: string): string {
  const digits = text.replace(/[^0-9]/g, '');
  if (digits.length === 12 && digits.startsWith('91')) return digits.slice(2);
  if (digits.length === 11 && digits.startsWith('0')) return digits.slice(1);
  return digits;
}
