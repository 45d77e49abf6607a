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

/** A reason that a text is no amount, besides the range. */
export type AmountProblem = 'misplaced-comma' | 'too-many-decimals';

/** Returns true for a number with more than two decimals, such as '99.999'. */
export const hasTooManyDecimals = (text: string): boolean => {
  const rounded = text.trim().replace(/(\.\d\d)\d+$/, '$1');
  return rounded !== text.trim() && !Number.isNaN(parseTypedRupees(rounded));
};

/** Returns why `parseTypedRupees` cannot read a text, or undefined if the range explains it. */
export function problemOfAmount(text: string): AmountProblem | undefined {
  if (!Number.isNaN(parseTypedRupees(text))) return undefined;
  if (hasTooManyDecimals(text)) return 'too-many-decimals';
  return text.includes(',') ? 'misplaced-comma' : undefined;
}
