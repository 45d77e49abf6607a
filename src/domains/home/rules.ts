/**
 * Where /downloadourapplication redirects a visitor (specification section 2, "Other pages"), and
 * the price estimate of the home page. Pure.
 */
import { asPaise, finalAmountPaise, type Paise } from '../../lib/money.ts';

export type Destination = 'android' | 'ios' | 'web' | 'choice';

/** In-app browsers. Many of them cannot open an app store, so they are not redirected. */
const IN_APP = /FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Twitter|LinkedInApp|Snapchat|Pinterest|WhatsApp|; wv\)/;

/**
 * Returns 'choice' if there is no redirect. `touchPoints` distinguishes an iPad, whose user agent
 * is a Macintosh's.
 */
export function downloadDestination(userAgent: string, touchPoints: number): Destination {
  if (IN_APP.test(userAgent)) return 'choice';
  if (/Android/.test(userAgent)) return 'android';
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) return 'ios';
  return /Windows NT|Macintosh|X11|CrOS/.test(userAgent) ? 'web' : 'choice';
}

/** The count of a garment, and the weight of one piece. */
export interface Piece {
  count: number;
  gramsLow: number;
  gramsHigh: number;
}

export interface Estimate {
  items: number;
  gramsLow: number;
  gramsHigh: number;
  paiseLow: Paise;
  paiseHigh: Paise;
}

/**
 * Returns the weight and price range of the pieces. `rates` contains one rate if the area is
 * chosen, else the rate of each area. Amounts are rounded like an order's (design section 6,
 * "Amounts").
 */
export function estimatePrice(pieces: readonly Piece[], rates: readonly Paise[], offerPercent: number): Estimate {
  const sum = (amountOf: (piece: Piece) => number) => pieces.reduce((total, piece) => total + piece.count * amountOf(piece), 0);
  const gramsLow = sum((piece) => piece.gramsLow);
  const gramsHigh = sum((piece) => piece.gramsHigh);
  return {
    items: sum(() => 1),
    gramsLow,
    gramsHigh,
    paiseLow: finalAmountPaise(asPaise(Math.min(...rates)), gramsLow, offerPercent),
    paiseHigh: finalAmountPaise(asPaise(Math.max(...rates)), gramsHigh, offerPercent),
  };
}
