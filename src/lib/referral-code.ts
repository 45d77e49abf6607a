/**
 * A referral code is the mobile number, each digit d written as the d-th letter of LAUNDRYBOX
 * (specification section 3).
 */
import { isMobile, normalizeMobile, type Mobile } from './mobile.ts';

const ALPHABET = 'LAUNDRYBOX';

/** Encodes a mobile number; `decodeReferralCode` is the inverse. */
export const encodeReferralCode = (mobile: Mobile): string => Array.from(mobile, (digit) => ALPHABET[Number(digit)]).join('');

/**
 * Returns the mobile number of a code in upper or lower case, or undefined if the text is not a
 * code.
 */
export function decodeReferralCode(code: string): Mobile | undefined {
  const digits = Array.from(code.toUpperCase(), (letter) => ALPHABET.indexOf(letter));
  const mobile = digits.join('');
  return digits.every((digit) => digit >= 0) && isMobile(mobile) ? mobile : undefined;
}

/**
 * Returns the mobile number that a code, a referral link or a mobile number identifies, or
 * undefined (design section 6, the optional field of the sign-up form).
 */
export function readReferral(text: string): Mobile | undefined {
  const trimmed = text.trim();
  const lastPart =
    trimmed
      .replace(/[?#].*$/s, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? '';
  const code = decodeReferralCode(lastPart);
  if (code) return code;
  const digits = normalizeMobile(trimmed);
  return /^[0-9+\s()-]+$/.test(trimmed) && isMobile(digits) ? digits : undefined;
}
