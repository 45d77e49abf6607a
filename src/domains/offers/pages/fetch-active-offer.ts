import { requireData } from '../../../contract/call-failures.ts';
import type { Send } from '../../../contract/send.ts';
import { decodeOffer, getOffers } from '../contract.ts';
import { activeOffer, type ActiveOffer } from '../rules.ts';

/**
 * Returns the active offer of a signed-in customer, null if there is none. Throws if the call
 * failed. Documents do not contain it, because they are the same for every visitor.
 */
export async function fetchActiveOffer(send: Send, userid: string, now: () => Date): Promise<ActiveOffer | null> {
  const offers = requireData(await send(getOffers, { userid }));
  return activeOffer(offers.map(decodeOffer), now());
}
