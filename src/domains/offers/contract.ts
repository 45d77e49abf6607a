/**
 * Offers: percentages off a customer's next orders. Specification sections 3, 4, 7 and 9; design
 * section 6, "Offers".
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { expectedUserid, defineCall } from '../../contract/define-call.ts';

export const offerMessages = defineMessages({ listed: 'Offers' });

const wireOffer = z.object({
  offerid: z.string(),
  /** Percent off. */
  offer_rate: z.int().check(z.gte(1), z.lte(100)),
  /** 'N days'. */
  offer_validity: z.string(),
  /** Date-time in Asia/Kolkata: the offer is active from the moment after it. */
  ot_date: z.string(),
});
export type WireOffer = z.output<typeof wireOffer>;

/** An offer as the rules and the server use it. */
export interface Offer {
  id: string;
  percent: number;
  startsAt: Date;
  validDays: number;
}

/** `startsAt` must be a whole second: the wire has no fractions. */
export const encodeOffer = ({ id, percent, startsAt, validDays }: Offer): WireOffer => ({
  offerid: id,
  offer_rate: percent,
  offer_validity: `${validDays} days`,
  ot_date: kolkataDateTime(startsAt),
});

/**
 * A date without a time of day means midnight. A validity other than '7 days' or '1 day' means no
 * days.
 */
export const decodeOffer = ({ offerid, offer_rate, offer_validity, ot_date }: WireOffer): Offer => ({
  id: offerid,
  percent: offer_rate,
  startsAt: new Date(`${ot_date.slice(0, 10)}T${ot_date.length > 10 ? ot_date.slice(11) : '00:00:00'}+05:30`),
  validDays: Number(/^(\d+) day/.exec(offer_validity)?.[1] ?? 0),
});

export const getOffers = defineCall({
  method: 'POST',
  path: 'offers/getoffertransaction.php',
  summary: 'The offers given to the customer, oldest first; of those that are active the last one counts.',
  caller: 'customer',
  body: z.object({ userid: expectedUserid }),
  data: z.array(wireOffer),
});
