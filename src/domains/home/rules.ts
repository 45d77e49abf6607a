/**
 * Where /downloadourapplication redirects a visitor (specification section 2, "Other pages"), and
 * the load of the price estimate. Pure.
 */
import type { ExpectedLoad } from '../orders/pages/draft/cart-state.ts';

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

/** Returns the number of the pieces, and the lowest and the highest weight of all together. */
export function expectedLoad(pieces: readonly Piece[]): ExpectedLoad {
  const sum = (amountOf: (piece: Piece) => number) => pieces.reduce((total, piece) => total + piece.count * amountOf(piece), 0);
  return { items: sum(() => 1), gramsLow: sum((piece) => piece.gramsLow), gramsHigh: sum((piece) => piece.gramsHigh) };
}
