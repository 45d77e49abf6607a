/** The check of a new order against the server's prices, offer and evenings: pure functions. */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { asPaise, discountedRatePaise, type Paise } from '../../lib/money.ts';
import { AREAS, type Area } from '../catalogue/contract.ts';
import type { Evenings } from '../evenings/contract.ts';
import type { ActiveOffer } from '../offers/rules.ts';
import { choicesOf, type ServiceChoices } from './choices-contract.ts';
import { orderError, TIMESLOT, type OrderRequest, type PlaceOrderErrorCode } from './contract.ts';
import { checkOrderDay } from './pickup-rules.ts';

/** A program with its current rates. */
export interface OfferedProgram {
  baseRatePaise: Paise;
  surcharges: readonly { area: Area; surchargePaise: Paise }[];
}

/** The server's prices for a new order, and its pickup day: the requested or first free one. */
export interface OrderQuote {
  area: Area;
  surchargePaise: Paise;
  /** Base and surcharge, before the offer. */
  ratePaise: Paise;
  /** With the discount of the offer. */
  orderRatePaise: Paise;
  pickupDay: string;
}

/** The quote of an accepted request, or the error of the first unacceptable value. */
export type OrderCheck = { quote: OrderQuote } | { error: ErrorMessage<PlaceOrderErrorCode> };

/** The server's data for a request. */
export interface OrderInputs {
  /** Null if unknown. */
  program: OfferedProgram | null;
  offer: ActiveOffer | null;
  /** Null without an address, and if the area of the address is unknown. */
  addressArea: Area | null;
  evenings: Evenings;
}

/**
 * Checks the options, the timeslot and the area of the request, that its rates and offer equal the
 * server's, and that its pickup day accepts a new order. Without a day, the quote has the first
 * free evening. A null `addressArea` matches every area: the caller rejects a missing address.
 * Returns the first error, or the quote.
 */
export function checkOrderRequest(request: OrderRequest, { program, offer, addressArea, evenings }: OrderInputs, now: Date): OrderCheck {
  if (!program) return { error: orderError('unknown-program') };
  if (!choicesBelong(request)) return { error: orderError('wrong-options') };
  if (request.timeslot !== TIMESLOT) return { error: orderError('unknown-timeslot') };

  const quotes = program.surcharges
    .map(({ area, surchargePaise }) => {
      const ratePaise = asPaise(program.baseRatePaise + surchargePaise);
      return { area, surchargePaise, ratePaise, orderRatePaise: discountedRatePaise(ratePaise, offer?.percent ?? 0) };
    })
    // Without an area in the request, the areas with the rate that the customer saw.
    .filter(({ area, ratePaise }) => (request.area ? area === request.area : ratePaise === request.programrate));
  const quote = quotes.find(({ area }) => area === addressArea) ?? quotes[0];
  const checked = checkOrderDay(request.pickup_date, evenings[quote?.area ?? addressArea ?? AREAS[0]], now);
  if ('error' in checked) return checked;
  if (quote && addressArea && quote.area !== addressArea) return { error: orderError('area-mismatch') };
  if (quote?.ratePaise !== request.programrate) return { error: orderError('rates-changed') };
  const isSameOffer = (request.offerid || null) === (offer?.id ?? null) && (request.offerrate ?? 0) === (offer?.percent ?? 0);
  if (!isSameOffer) return { error: orderError('offer-changed') };
  if (quote.orderRatePaise !== request.orderrate) return { error: orderError('rates-changed') };
  return { quote: { ...quote, pickupDay: checked.day } };
}

/** Returns true if the service has every chosen option. The customer may omit options. */
function choicesBelong(chosen: ServiceChoices & Pick<OrderRequest, 'program'>): boolean {
  const available = choicesOf(chosen.program);
  return (['detergent', 'conditioner', 'iron'] as const).every((option) => chosen[option] === '' || chosen[option] === available[option]);
}
