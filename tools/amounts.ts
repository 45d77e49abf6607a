/** Parsers for the arguments that operators type. */
import { asPaise, formatRupees, type Paise } from '../src/lib/money.ts';
import { UsageError } from './run-command.ts';

const parseHundredths = (text: string): number => {
  const [, whole = '', fraction = ''] = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole ? Number(whole) * 100 + Number(fraction.padEnd(2, '0')) : Number.NaN;
};

/** Parses rupees such as '38' or '38.50'. Throws `UsageError`. The limits are paise. */
export function parseRupees(rupees: string, { min, max }: { min: number; max: number }): Paise {
  const paise = parseHundredths(rupees);
  if (!(paise >= min && paise <= max)) {
    throw new UsageError(`'${rupees}' is not an amount from ${formatRupees(min)} to ${formatRupees(max)}, such as 38 or 38.50.`);
  }
  return asPaise(paise);
}

/** Returns grams for kilograms such as '7.5', or NaN. The service validates the range. */
export const parseKilograms = (kilograms: string): number => parseHundredths(kilograms) * 10;

/** Parses a whole number from 1 to `max`. Throws `UsageError`. */
export function parseWholeNumber(text: string, unit: string, max: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > max) throw new UsageError(`'${text}' is not a number of ${unit} from 1 to ${max}.`);
  return number;
}

/**
 * Joins words to a text of 3 to `max` characters. Throws `UsageError` for any other length. `name`
 * describes the text in the error: 'reason', 'note'.
 */
export function parseText(words: readonly string[], name: string, max = 200): string {
  const text = words.join(' ').trim();
  if (text.length < 3 || text.length > max) throw new UsageError(`Give a ${name} of 3 to ${max} characters.`);
  return text;
}
