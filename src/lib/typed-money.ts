/** Amounts that the staff types. Apart from money.ts, whose script every page loads. */
import { parseRupees } from './money.ts';

/** A number in Indian or Western groups. */
const GROUPED = /^(?:\d{1,2}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$/;

/**
 * Returns the paise of typed rupees, or NaN, as `parseRupees` does. Also reads '1,710' or
 * '12,34,567', but not '10,5'.
 */
export function parseTypedRupees(text: string): number {
  const typed = text.trim();
  return parseRupees(GROUPED.test(typed) ? typed.replaceAll(',', '') : typed);
}

/** Returns true if a comma prevents `parseTypedRupees` from reading the text. */
export const hasMisplacedComma = (text: string): boolean => text.includes(',') && Number.isNaN(parseTypedRupees(text));
