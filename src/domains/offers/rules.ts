/** Selects the active offer. Browser and server apply these pure functions to the same list. */
import type { Offer } from './contract.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';

/** The offer that applies to an order placed now. */
export interface ActiveOffer {
  id: string;
  percent: number;
}

/** The limits of an offer, in percent and days, against typing mistakes. */
export const OFFER_LIMITS = { percent: 100, days: 3650 };

/** Returns the last moment at which an offer is active. */
export const offerEnds = ({ startsAt, validDays }: Offer): Date => addSeconds(startsAt, validDays * DAY_SECONDS);

/** Returns true after the start of the offer, up to and including its end. */
export const isActive = (offer: Offer, now: Date): boolean => offer.startsAt < now && now <= offerEnds(offer);

/**
 * Returns the last active offer in the list, which is the newest. Specification section 4,
 * "Offers".
 */
export function activeOffer(offers: readonly Offer[], now: Date): ActiveOffer | null {
  const last = offers.findLast((offer) => isActive(offer, now));
  return last ? { id: last.id, percent: last.percent } : null;
}
