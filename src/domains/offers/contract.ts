/**
 * Offers: percentages off a customer's next orders. Specification sections 3, 4, 7 and 9; design
 * section 6, "Offers".
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { claimedUserid, defineCall } from '../../contract/define-call.ts';

export const offerMessages = defineMessages({ listed: 'Offers' });

const offer = z.object({
  offerid: z.string(),
  /** Percent off. */
  offer_rate: z.int().check(z.gte(1), z.lte(100)),
  /** 'N days'. */
  offer_validity: z.string(),
  /** Date-time in Asia/Kolkata: the offer is active from the moment after it. */
  ot_date: z.string(),
});
export type Offer = z.output<typeof offer>;

export const getOffers = defineCall({
  method: 'POST',
  path: 'offers/getoffertransaction.php',
  summary: 'The offers given to the customer, oldest first; of those that are active the last one counts.',
  caller: 'customer',
  body: z.object({ userid: claimedUserid }),
  data: z.array(offer),
});
