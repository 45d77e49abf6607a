/**
 * Money is a whole number of paise; weight a whole number of grams; rates are paise per kilogram.
 * Design section 6, "Amounts".
 */
import { invariant } from './invariant.ts';

declare const paise: unique symbol;
export type Paise = number & { readonly [paise]: true };

/** Throws if the amount is not a whole number. */
export function asPaise(amount: number): Paise {
  invariant(Number.isSafeInteger(amount), 'paise are whole numbers');
  return amount as Paise;
}

/** Rounds half up. Exact below 2^53; throws if the numerator is larger or negative. */
function divideHalfUp(numerator: number, divisor: number): Paise {
  invariant(Number.isSafeInteger(numerator) && numerator >= 0, 'paise fit in 53 bits and are at least 0');
  return asPaise(Math.floor((2 * numerator + divisor) / (2 * divisor)));
}

/** The rate after an offer of `offerPercent`. Rounds half up to a paisa. */
export const discountedRatePaise = (ratePaise: Paise, offerPercent: number): Paise => divideHalfUp(ratePaise * (100 - offerPercent), 100);

/** The amount without an offer. Rounds half up to a paisa. */
export const costPaise = (ratePaise: Paise, weightGrams: number): Paise => divideHalfUp(ratePaise * weightGrams, 1000);

/**
 * Returns the amount with the offer. Rounds half up to a paisa, once, from the rate before the
 * discount: rounding the rate first would shift the result by paise. Throws if the product of rate
 * and weight does not fit in 53 bits.
 */
export const finalAmountPaise = (ratePaise: Paise, weightGrams: number, offerPercent: number): Paise =>
  divideHalfUp(ratePaise * weightGrams * (100 - offerPercent), 100_000);

/** Returns half of an amount, which the wallet can pay. Rounds down to a paisa. */
export const walletPartPaise = (finalPaise: Paise): Paise => asPaise(Math.floor(finalPaise / 2));

/** Returns how much an amount exceeds another one, at least 0. */
export const excessPaise = (amountPaise: number, limitPaise: number): Paise => asPaise(Math.max(0, amountPaise - limitPaise));

/**
 * Formats 1234567.5 as '12,34,567.50'. Not with Intl, whose first use takes 15 to 40 ms in a
 * browser.
 */
const formatDecimals = (rupees: number, decimals: 0 | 2): string =>
  rupees.toFixed(decimals).replaceAll(/\B(?=(?:\d\d)*\d{3}(?:\.|$))/g, ',');

/**
 * Formats '1,234' or '1,234.50' for texts that contain the currency sign. Whole rupees have no
 * decimals.
 */
export const formatAmount = (amountPaise: number): string => formatDecimals(amountPaise / 100, amountPaise % 100 === 0 ? 0 : 2);

/** '₹1,234' or '₹1,234.50'. */
export const formatRupees = (amountPaise: number): string => `₹${formatAmount(amountPaise)}`;

/** '₹1,234.00', always with paise. */
export const formatRupeesAndPaise = (amountPaise: number): string => `₹${formatDecimals(amountPaise / 100, 2)}`;

/**
 * Returns the paise of rupees as a person types them: '42', '42.', '42.5' or '42.50'. Returns NaN
 * for another text.
 */
export function parseRupees(text: string): number {
  const isAmount = /^(?:\d{1,9}(?:\.\d{0,2})?|\.\d{1,2})$/.test(text.trim());
  return isAmount ? Math.round(Number(text) * 100) : Number.NaN;
}

/** '7.5': kilograms with at most two decimals. */
export const formatKilograms = (grams: number): string => String(Math.round(grams / 10) / 100);
