/** Figures as an operator types them. */
import { asPaise, formatRupees, type Paise } from '../src/lib/money.ts';
import { Misused } from './on-database.ts';

const hundredths = (text: string): number => {
  const [, whole = '', fraction = ''] = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole ? Number(whole) * 100 + Number(fraction.padEnd(2, '0')) : Number.NaN;
};

/** '38' or '38.50', in rupees; the limits are paise. */
export function paiseOf(rupees: string, { least, most }: { least: number; most: number }): Paise {
  const paise = hundredths(rupees);
  if (!(paise >= least && paise <= most)) {
    throw new Misused(`'${rupees}' is no amount from ${formatRupees(least)} to ${formatRupees(most)}, such as 38 or 38.50.`);
  }
  return asPaise(paise);
}

/** '7.5' kilograms as grams; NaN for what is no weight. */
export const gramsOf = (kilograms: string): number => hundredths(kilograms) * 10;

/** A whole number from 1. */
export function numberOf(text: string, what: string, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most) throw new Misused(`'${text}' is no number of ${what} from 1 to ${most}.`);
  return number;
}
