/** What a draft says on the wire. */
import { choicesOf, TIMESLOT, type OrderRequest } from '../../contract.ts';
import { figuresOf, placeOf } from '../draft/cart-state.ts';
import type { Attempt } from './unplaced.ts';

/** Null when something is missing: then no call is made (specification section 7, orders/addorder.php). */
export function orderRequest({ draft, userid }: Attempt): OrderRequest | null {
  const { service, area, slotChosen, pickupDay } = draft;
  const figures = figuresOf(draft);
  const place = placeOf(draft, userid);
  if (!service || !figures || !place || area === 'none' || !slotChosen) return null;
  return {
    ...(userid === null ? {} : { userid }),
    ...('addressid' in place ? { addressid: place.addressid } : { guest_address: place }),
    timeslot: TIMESLOT,
    ...(pickupDay !== null && { pickup_date: pickupDay }),
    program: service.programid,
    programrate: figures.ratePaise,
    orderrate: figures.orderRatePaise,
    area,
    offerid: figures.offer?.id ?? null,
    offerrate: figures.offer?.percent ?? 0,
    ...choicesOf(service.programid),
  };
}
