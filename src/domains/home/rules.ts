/** Which shop a visitor of /downloadourapplication is sent to (specification section 2, "Other pages"), and what an order will roughly cost. Pure. */
import { asPaise, finalAmountPaise, type Paise } from '../../lib/money.ts';

export type Destination = 'android' | 'ios' | 'web' | 'choice';

/** The browser inside another app: many of them open no store, so nobody is sent anywhere from there. */
const IN_APP = /FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Twitter|LinkedInApp|Snapchat|Pinterest|WhatsApp|; wv\)/;

/** `touchPoints` tells an iPad, which calls itself a Macintosh, from one. */
export function destinationOf(userAgent: string, touchPoints: number): Destination {
  if (IN_APP.test(userAgent)) return 'choice';
  if (/Android/.test(userAgent)) return 'android';
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) return 'ios';
  return /Windows NT|Macintosh|X11|CrOS/.test(userAgent) ? 'web' : 'choice';
}

/** How many of each piece, and what one of it weighs. */
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

/** `rates` are those that may apply: one where the area is known, else one for each area. The amount is made as an order's is (design section 6, "Amounts"). */
export function estimateOf(pieces: readonly Piece[], rates: readonly Paise[], offerPercent: number): Estimate {
  const sum = (of: (piece: Piece) => number) => pieces.reduce((total, piece) => total + piece.count * of(piece), 0);
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
