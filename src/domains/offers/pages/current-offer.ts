import type { Send } from '../../../browser/client.ts';
import { getOffers } from '../contract.ts';
import { activeOffer, type ActiveOffer } from '../rules.ts';

/**
 * The offer that a signed-in customer has now; documents never carry it, since they are the same
 * for everyone.
 */
export async function currentOffer(send: Send, userid: string, now: () => Date): Promise<ActiveOffer | null> {
  const answer = await send(getOffers, { userid });
  if (answer.response !== 'success') throw new Error(answer.message);
  return activeOffer(answer.data, now());
}
