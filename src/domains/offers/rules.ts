/** Selects the active offer. Browser and server apply these pure functions to the same list. */
import type { Offer } from './contract.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

/** The offer that applies to an order placed now. */
export interface ActiveOffer {
  id: string;
  percent: number;
}

const KOLKATA = '+05:30';

/** A date without a time of day means midnight. */
const startMs = ({ ot_date: date }: Offer): number =>
  Date.parse(`${date.slice(0, 10)}T${date.length > 10 ? date.slice(11) : '00:00:00'}${KOLKATA}`);

/** Parses a validity such as '7 days'. Returns 0 for any other text. */
const validDays = ({ offer_validity: validity }: Offer): number => Number(/^(\d+) day/.exec(validity)?.[1] ?? 0);

/** Returns the last moment at which an offer is active. */
export const offerEnds = (offer: Offer): Date => new Date(startMs(offer) + validDays(offer) * DAY_SECONDS * 1000);

/** Active after its start, up to and including its end. */
const isActive = (offer: Offer, now: Date): boolean => startMs(offer) < now.getTime() && now.getTime() <= offerEnds(offer).getTime();

/**
 * Returns the last active offer in the list, which is the newest. Specification section 4,
 * "Offers".
 */
export function activeOffer(offers: readonly Offer[], now: Date): ActiveOffer | null {
  const last = offers.findLast((offer) => isActive(offer, now));
  return last ? { id: last.offerid, percent: last.offer_rate } : null;
}
