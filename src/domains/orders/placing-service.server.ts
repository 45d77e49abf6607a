/**
 * Places an order exactly once. Design section 6, "Ordering"; docs/decisions/0008 and 0023.
 */
import { hash } from 'node:crypto';
import { DAY_SECONDS, MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import { kolkataDay } from '../../lib/dates.ts';
import { newOrderId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import type { Db } from '../../db/database.server.ts';
import { BODY_KEY_PREFIX } from '../../contract/body-key.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { OUTDATED, retryOutdated } from '../../contract/retry.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { KeyedHash } from '../../security/tokens.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { callerErasedError } from '../accounts/locks-service.server.ts';
import { setUnknownArea } from '../addresses/store.server.ts';
import type { NewConsent } from '../consents/store.server.ts';
import { bookingOn, returnDay, toEvenings } from '../evenings/service.server.ts';
import { activeOffer, type ActiveOffer } from '../offers/rules.ts';
import { toOffers } from '../offers/service.server.ts';
import { orderError, type OrderRequest, type PlacedOrder, type PlaceOrderErrorCode, type Stage } from './contract.ts';
import {
  deleteBodyKeys,
  findOrderOfKey,
  insertOrder,
  readOrderInputs,
  type NewOrder,
  type OrderKey,
  type PlacedRow,
} from './placing-store.server.ts';
import { checkOrderRequest, type OfferedProgram, type OrderQuote } from './placing-rules.ts';
import { pickupLimitError } from './pickup-rules.ts';
import { backBy } from './visit-rules.ts';
import { toShipColumns } from './store.server.ts';

/**
 * Without an Idempotency-Key, an equal body from the same session within this time is a double tap
 * (design section 6, "Placing on load").
 */
const DOUBLE_TAP_SECONDS = 30;

export interface PlacingDependencies {
  db: Db;
  /** The limit for each number, with or without an account. */
  maxOrdersPerDay: number;
  /**
   * Hashes the number whose orders and changes are counted. It outlives its account
   * (docs/decisions/0086).
   */
  hashMobile: KeyedHash;
}

type PlaceOrderOutcome = Outcome<PlacedOrder, PlaceOrderErrorCode>;

/**
 * Places an order once for each key. Without `clientKey` the key is derived from session and body.
 * `consent` is that of a guest. A retry returns the order of the first request, without a new check
 * of its rates and pickup day. Throws `ApiError`: unauthenticated if a guest has not verified the
 * mobile number of the address or the customer was erased meanwhile, unavailable if the evenings
 * change during 20 attempts.
 */
export async function placeOrder(
  dependencies: PlacingDependencies,
  caller: CustomerOrGuest,
  request: OrderRequest,
  clientKey: string | undefined,
  now: Date,
  consent?: NewConsent,
): Promise<PlaceOrderOutcome> {
  // Each attempt reads the evenings again.
  return retryOutdated(() => tryToPlace(dependencies, caller, request, clientKey, now, consent));
}

/** Returns `OUTDATED` if the evenings changed after they were read. */
async function tryToPlace(
  { db, maxOrdersPerDay, hashMobile }: PlacingDependencies,
  caller: CustomerOrGuest,
  request: OrderRequest,
  clientKey: string | undefined,
  now: Date,
  consent: NewConsent | undefined,
): Promise<PlaceOrderOutcome | typeof OUTDATED> {
  const key = orderKey(caller, request, clientKey, now);
  const inputs = await readOrderInputs(db, caller, {
    key,
    addressid: request.addressid ?? '',
    programid: request.program,
    today: kolkataDay(now),
  });
  if (inputs.placed) return replay(inputs.placed);

  const { program } = inputs;
  const offer = activeOffer(toOffers(inputs.customerOffers), now);
  const address = caller.kind === 'customer' ? inputs.address : request.guest_address;
  const addressArea = address?.area ?? null;
  const evenings = toEvenings(inputs.eveningPlans, now);
  const check = checkOrderRequest(request, { program: program && offeredProgram(program), offer, addressArea, evenings }, now);
  if ('error' in check) return check;
  if (!address) return { error: orderError('unknown-address') };
  // The rider calls this number.
  if (caller.kind === 'guest' && address.mobile !== inputs.verifiedMobile)
    throw new ApiError('unauthenticated', orderError('mobile-not-verified'));
  invariant(program, 'an accepted order has a program');

  const { quote } = check;
  const promised = returnDay(inputs.eveningPlans, quote.area, quote.pickupDay);
  const order = newOrder({ caller, request, program, offer, quote, returnDay: promised, address, now });
  const subject = hashMobile(inputs.verifiedMobile).toString('hex');
  const limit = { name: 'orders of a number', max: maxOrdersPerDay, windowSeconds: DAY_SECONDS, subject, now };
  const booking = bookingOn(inputs.eveningPlans, quote.area, quote.pickupDay);
  const status = await insertOrder(db, { order, consent }, key, limit, booking);
  switch (status) {
    case 'placed':
      // The customer has confirmed the area of this address with the order. If that fails, the
      // repeated request returns the order, and the next order confirms the area.
      if (caller.kind === 'customer' && request.addressid && request.area && !addressArea) {
        await setUnknownArea(db, caller, request.addressid, request.area);
      }
      return { data: placedOrder(order) };
    case 'key-used': {
      const first = await findOrderOfKey(db, caller, key);
      invariant(first, 'a used key has an order');
      return replay(first);
    }
    case 'limit-exceeded': {
      // A concurrent request with the same key may have placed the last order of the day.
      const first = await findOrderOfKey(db, caller, key);
      return first ? replay(first) : { error: orderError('too-many-orders') };
    }
    case 'erased':
      throw callerErasedError();
    case 'evening-limit':
      return { error: pickupLimitError(booking.day, evenings[booking.area], now) };
    case 'evening-full':
    case 'plan-changed':
      // The evenings have changed since, or a request with this key placed the order.
      return OUTDATED;
  }
}

/**
 * Returns the key of the client, which never expires, or one derived from session and body, which
 * expires after `DOUBLE_TAP_SECONDS`. The hash of the body omits `userid` and `consent`.
 */
function orderKey(caller: CustomerOrGuest, request: OrderRequest, clientKey: string | undefined, now: Date): OrderKey {
  // A retry may follow a change of the language.
  const { userid: _, guest_address: guestAddress, consent: __, ...rest } = request;
  const { area: guestArea, ...guestFields } = guestAddress ?? {};
  // Without an offer, some clients send empty values and others none.
  const offer = { offerid: rest.offerid || null, offerrate: rest.offerrate ?? 0 };
  const fields = { ...rest, ...offer, ...guestFields, ...(guestArea && { guest_area: guestArea }) };
  const bodyHash = hash('sha256', JSON.stringify(fields, Object.keys(fields).toSorted()), 'buffer');
  if (clientKey) return { key: clientKey, bodyHash, boundAfter: new Date(0), boundBefore: new Date('9999-12-31') };
  const key = `${BODY_KEY_PREFIX}${hash('sha256', Buffer.concat([caller.sessionHash, bodyHash]), 'base64url')}`;
  return { key, bodyHash, boundAfter: addSeconds(now, -DOUBLE_TAP_SECONDS), boundBefore: addSeconds(now, MAX_CLOCK_SKEW_SECONDS) };
}

/** Deletes expired keys derived from bodies. Clients' keys never expire. */
export async function deleteExpiredOrderKeys(db: Db, now: Date): Promise<void> {
  await deleteBodyKeys(db, addSeconds(now, -DOUBLE_TAP_SECONDS));
}

type OrderInputs = Awaited<ReturnType<typeof readOrderInputs>>;
type ProgramRow = NonNullable<OrderInputs['program']>;

/** Returns the stored order, or an error if the key was used for another body. */
const replay = ({ same_body, ...order }: NonNullable<OrderInputs['placed']>): PlaceOrderOutcome =>
  same_body ? { data: placedOrder(order) } : { error: orderError('order-key-reused') };

const placedOrder = (order: PlacedRow): PlacedOrder => ({
  orderid: order.id,
  timeslot: order.timeslot,
  pickup_date: order.pickup_day,
  back_by: backBy(order.pickup_day, order.return_day),
  area: order.area,
  offerrate: order.offer_percent,
  orderrate: order.order_rate_paise,
});

const offeredProgram = (program: ProgramRow): OfferedProgram => ({
  baseRatePaise: program.rate_paise,
  surcharges: program.surcharges.map((row) => ({ area: row.area, surchargePaise: row.surcharge_paise })),
});

interface NewOrderParts {
  caller: CustomerOrGuest;
  request: OrderRequest;
  program: ProgramRow;
  offer: ActiveOffer | null;
  quote: OrderQuote;
  returnDay: string;
  address: Parameters<typeof toShipColumns>[0];
  now: Date;
}

const newOrder = ({ caller, request, program, offer, quote, returnDay: promised, address, now }: NewOrderParts) =>
  ({
    id: newOrderId(),
    customer_id: caller.id,
    guest_session_hash: caller.kind === 'guest' ? caller.sessionHash : null,
    program_id: request.program,
    program_name: program.name,
    unit: program.unit,
    area: quote.area,
    base_rate_paise: program.rate_paise,
    surcharge_paise: quote.surchargePaise,
    rate_paise: quote.ratePaise,
    offer_id: offer?.id ?? null,
    offer_percent: offer?.percent ?? 0,
    order_rate_paise: quote.orderRatePaise,
    timeslot: request.timeslot,
    pickup_day: quote.pickupDay,
    return_day: promised,
    detergent: request.detergent,
    conditioner: request.conditioner,
    iron: request.iron,
    stage: 'pickup' satisfies Stage,
    ...toShipColumns(address),
    placed_at: now,
  }) satisfies NewOrder;
