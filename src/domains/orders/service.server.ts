/**
 * Places an order exactly once, changes its stage, cancels and reschedules it. Design section 6,
 * "Ordering"; docs/decisions/0008, 0023 and 0047.
 */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { DAY_SECONDS, MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import { newOrderId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { ApiError } from '../../contract/route.server.ts';
import type { CustomerOrGuest, NewSession } from '../sessions/authentication.server.ts';
import { createGuestSession, type AccountDependencies, type GuestClaim } from '../accounts/service.server.ts';
import { setUnknownArea } from '../addresses/store.server.ts';
import type { Area } from '../catalogue/contract.ts';
import { activeOffer, type ActiveOffer } from '../offers/rules.ts';
import { toOffers } from '../offers/service.server.ts';
import type { ReferralBonusTime } from '../referrals/contract.ts';
import { grantBonusAfterDelivery } from '../referrals/service.server.ts';
import type { Browser } from '../verification/authentication.server.ts';
import { creditedChange, creditWallet, reduceChange } from '../wallet/service.server.ts';
import {
  orderError,
  UNDO_SECONDS,
  type CancelledBy,
  type OrderRequest,
  type PlacedOrder,
  type PlaceOrderErrorCode,
  type Stage,
} from './contract.ts';
import {
  calculateAmounts,
  canBeWeighed,
  checkOrderRequest,
  checkPickupDay,
  mayCancel,
  stageBefore,
  undoSecondsLeft,
  type OfferedProgram,
  type OrderQuote,
} from './rules.ts';
import {
  BODY_KEY_PREFIX,
  claimOrders,
  deleteBodyKeys,
  findOrderOfKey,
  findStageAndWeight,
  transferGuestOrders,
  insertOrder,
  lockOrder,
  newestClaimableName,
  readOrderInputs,
  resetCancelled,
  setCancelled,
  updatePickupDay,
  updateStage,
  updateWeight,
  type NewOrder,
  type OrderKey,
  type PlacedRow,
  toShipColumns,
} from './store.server.ts';

/**
 * Without an Idempotency-Key, an equal body from the same session within this time is a double tap
 * (design section 6, "Placing on load").
 */
const DOUBLE_TAP_SECONDS = 30;

export interface OrderDependencies {
  db: Db;
  /** The limit for each customer, with or without an account. */
  maxOrdersPerDay: number;
}

export type PlaceOrderResult = { placed: PlacedOrder } | { error: ErrorMessage<PlaceOrderErrorCode> };

/**
 * Places an order once for each key. Without `clientKey` the key is derived from session and body.
 * A retry returns the order of the first request, without a new check of its rates and pickup day.
 * Throws `ApiError` (401) if a guest has not verified the mobile number of the address.
 */
export async function placeOrder(
  { db, maxOrdersPerDay }: OrderDependencies,
  caller: CustomerOrGuest,
  request: OrderRequest,
  clientKey: string | undefined,
  now: Date,
): Promise<PlaceOrderResult> {
  const key = orderKey(caller, request, clientKey, now);
  const inputs = await readOrderInputs(db, caller, { key, addressid: request.addressid ?? '', programid: request.program });
  if (inputs.placed) return replay(inputs.placed);

  const { program } = inputs;
  const offer = activeOffer(toOffers(inputs.customerOffers), now);
  const address = caller.kind === 'customer' ? inputs.address : request.guest_address;
  const addressArea = (address?.area ?? null) as Area | null;
  const check = checkOrderRequest(request, { program: program && offeredProgram(program), offer, addressArea }, now);
  if ('error' in check) return check;
  if (!address) return { error: orderError('unknown-address') };
  // The rider calls this number.
  if (caller.kind === 'guest' && address.mobile !== inputs.verifiedMobile) throw new ApiError(401, orderError('mobile-not-verified'));
  invariant(program, 'an accepted order has a program');

  const order = newOrder({ caller, request, program, offer, quote: check.quote, address, now });
  const limit = { name: 'orders of a customer', max: maxOrdersPerDay, windowSeconds: DAY_SECONDS, subject: caller.id, now };
  const outcome = await insertOrder(db, order, key, limit);
  switch (outcome) {
    case 'placed':
      // The customer has confirmed the area of this address with the order.
      if (caller.kind === 'customer' && request.addressid && request.area && !addressArea) {
        await setUnknownArea(db, caller, request.addressid, request.area);
      }
      return { placed: placedOrder(order) };
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
  }
}

function orderKey(caller: CustomerOrGuest, request: OrderRequest, clientKey: string | undefined, now: Date): OrderKey {
  const { userid: _, guest_address: guestAddress, ...rest } = request;
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
export const deleteExpiredOrderKeys = (db: Db, now: Date) => deleteBodyKeys(db, addSeconds(now, -DOUBLE_TAP_SECONDS));

type OrderInputs = Awaited<ReturnType<typeof readOrderInputs>>;
type ProgramRow = NonNullable<OrderInputs['program']>;

/** Returns the stored order, or an error if the key was used for another body. */
const replay = ({ same_body, ...order }: NonNullable<OrderInputs['placed']>): PlaceOrderResult =>
  same_body ? { placed: placedOrder(order) } : { error: orderError('order-key-reused') };

const placedOrder = (order: PlacedRow): PlacedOrder => ({
  orderid: order.id,
  timeslot: order.timeslot,
  pickup_date: order.pickup_day,
  area: order.area as Area,
  offerrate: order.offer_percent,
  orderrate: asPaise(order.order_rate_paise),
});

const offeredProgram = (program: ProgramRow): OfferedProgram => ({
  baseRatePaise: asPaise(program.rate_paise),
  surcharges: program.surcharges.map((row) => ({ area: row.area as Area, surchargePaise: asPaise(row.surcharge_paise) })),
});

interface NewOrderParts {
  caller: CustomerOrGuest;
  request: OrderRequest;
  program: ProgramRow;
  offer: ActiveOffer | null;
  quote: OrderQuote;
  address: Parameters<typeof toShipColumns>[0];
  now: Date;
}

const newOrder = ({ caller, request, program, offer, quote, address, now }: NewOrderParts) =>
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
    detergent: request.detergent,
    conditioner: request.conditioner,
    iron: request.iron,
    stage: 'pickup' satisfies Stage,
    ...toShipColumns(address),
    placed_at: now,
  }) satisfies NewOrder;

/**
 * Creates a guest session. If it replaces a session of this browser, the guest orders of that
 * session move to it. Returns undefined if a customer is logged in or no grant exists.
 */
export async function admitOrderingGuest(
  tx: Tx,
  accounts: AccountDependencies,
  request: FastifyRequest,
  verified: { browser: Browser; mobile: string },
): Promise<NewSession | undefined> {
  const admitted = await createGuestSession(tx, accounts, request, verified);
  if (admitted?.replacedSessionHash) await transferGuestOrders(tx, admitted.replacedSessionHash, admitted.session.hash);
  return admitted?.session;
}

/**
 * A guest session lasts 30 days, so the mobile of an order of the last 60 days was proved in the
 * last 90. Operators in India deactivate a number after 90 days without use at the earliest, so it
 * still has the same owner (docs/decisions/0039).
 */
const CLAIM_DAYS = 60;

const provedSince = (now: Date) => addSeconds(now, -CLAIM_DAYS * DAY_SECONDS);

/**
 * Moves guest orders to the account of their mobile. With a fresh proof of the mobile, these are
 * the orders of the last 60 days in all browsers, and those of this browser's guest session;
 * without one, only the latter. Returns their ids.
 */
export const claimGuestOrders = (
  tx: Tx,
  { customerId, sessionHash, isFreshProof }: GuestClaim & { customerId: string },
  now: Date,
): Promise<string[]> => claimOrders(tx, { customerId, sessionHash, placedAfter: isFreshProof ? provedSince(now) : undefined });

/** Returns the name of the newest order that a fresh proof of the mobile would claim. */
export const findGuestName = (db: Db, customerId: string, now: Date): Promise<string | undefined> =>
  newestClaimableName(db, { customerId, placedAfter: provedSince(now) });

export type StageChange = 'done' | 'unknown-order' | 'wrong-stage' | 'not-weighed' | 'impossible-weight';

/**
 * Records weight and items at pickup. Returns 'wrong-stage' in later stages, because the amounts
 * are calculated from them.
 */
export async function weighOrder(db: Db, orderid: string, weightGrams: number, items: number, now: Date): Promise<StageChange> {
  if (!canBeWeighed(weightGrams, items)) return 'impossible-weight';
  if (await updateWeight(db, orderid, weightGrams, items, now)) return 'done';
  return (await findStageAndWeight(db, orderid)) ? 'wrong-stage' : 'unknown-order';
}

/**
 * Moves an order to the next stage. Of two concurrent calls one returns 'done'. With the referral
 * bonus at the first delivery, a delivered order also credits the referrer of its account.
 */
export async function moveOrder(
  db: Db,
  orderid: string,
  to: Stage,
  now: Date,
  bonusTime: ReferralBonusTime = 'sign-up',
): Promise<StageChange> {
  const from = stageBefore(to);
  const isMoved = await transaction(db, async (tx) => {
    if (!from || !(await updateStage(tx, orderid, from, to, now))) return false;
    const paysBonus = to === 'delivered' && bonusTime === 'first-delivery';
    const order = paysBonus ? await lockOrder(tx, null, orderid) : undefined;
    if (order && !order.is_held) await grantBonusAfterDelivery(tx, order.customer_id, now);
    return true;
  });
  if (isMoved) return 'done';
  const state = await findStageAndWeight(db, orderid);
  if (!state) return 'unknown-order';
  return state.stage === from ? 'not-weighed' : 'wrong-stage';
}

export interface CancellationDependencies {
  db: Db;
  /** Returns the sum of all payments that the order received and that were not reversed. */
  totalReceivedPaise(tx: Tx, orderid: string): Promise<number>;
}

/** Every other status than 'cancelled' has written nothing. */
export type Cancellation =
  /** Also returned if the order was cancelled before. `refundPaise` is in the customer's wallet. */
  | { status: 'cancelled'; refundPaise: Paise; undoSeconds: number | null }
  | { status: 'unknown-order' }
  | { status: 'too-late'; stage: string };

/**
 * Cancels an order once and credits everything that was paid for it to the customer's wallet, for a
 * held order once the account claims it.
 * `caller` is null for the laundry. The order's lock makes payments, weighings and stage changes
 * wait: each of them either happens before and is seen here, or sees the cancelled order.
 */
export const cancelOrder = (
  { db, totalReceivedPaise }: CancellationDependencies,
  caller: CustomerOrGuest | null,
  orderid: string,
  now: Date,
): Promise<Cancellation> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, caller, orderid);
    if (!order) return { status: 'unknown-order' };
    const received = asPaise(await totalReceivedPaise(tx, orderid));
    if (order.cancelled_at) return { status: 'cancelled', refundPaise: received, undoSeconds: undoSeconds(order, caller, now) };
    const by: CancelledBy = caller ? 'customer' : 'laundry';
    if (!mayCancel({ stage: order.stage, weightGrams: order.weight_grams }, by)) return { status: 'too-late', stage: order.stage };
    const refund = asPaise(order.is_held ? 0 : received - (await creditedChange(tx, orderid)));
    await setCancelled(tx, orderid, by, refund, now);
    if (refund > 0) {
      await creditWallet(tx, {
        customerId: order.customer_id,
        kind: 'change',
        amountPaise: refund,
        reason: `Order ${orderid} was cancelled`,
        reference: refundReference(orderid, order.cancellations + 1),
        orderId: orderid,
        at: now,
      });
    }
    return { status: 'cancelled', refundPaise: received, undoSeconds: UNDO_SECONDS };
  });

/** The ledger's reference of a refund. `number` counts the cancellations of the order from 1. */
const refundReference = (orderid: string, number: number) => `order:${orderid}:cancelled:${number}`;

type CancellableOrder = Pick<NonNullable<Awaited<ReturnType<typeof lockOrder>>>, 'cancelled_at' | 'cancelled_by'>;

/** Returns the seconds left, or null if the caller cannot undo the cancellation. */
export const undoSeconds = (order: CancellableOrder, caller: CustomerOrGuest | null, now: Date): number | null =>
  order.cancelled_at && (caller === null || isByCustomer(order)) ? undoSecondsLeft(order.cancelled_at, now) : null;

const isByCustomer = ({ cancelled_by }: CancellableOrder) => cancelled_by === ('customer' satisfies CancelledBy);

/** Every other status than 'active' has written nothing. */
export type CancellationUndo =
  /** Also returned if the order was not cancelled. */
  | { status: 'active'; stage: Stage }
  | { status: 'unknown-order' }
  | { status: 'cancelled-by-laundry' }
  | { status: 'expired' }
  /** The customer has spent the refund. */
  | { status: 'spent'; refundPaise: Paise; balancePaise: Paise };

/**
 * Returns a cancelled order to its stage within `UNDO_SECONDS` and takes the refund back from the
 * wallet with new entries. `caller` is null for the laundry, which may undo any cancellation.
 */
export const undoCancellation = (
  { db, totalReceivedPaise }: CancellationDependencies,
  caller: CustomerOrGuest | null,
  orderid: string,
  now: Date,
): Promise<CancellationUndo> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, caller, orderid);
    if (!order) return { status: 'unknown-order' };
    if (!order.cancelled_at) return { status: 'active', stage: order.stage as Stage };
    if (caller && !isByCustomer(order)) return { status: 'cancelled-by-laundry' };
    if (undoSeconds(order, caller, now) === null) return { status: 'expired' };
    const amounts = calculateAmounts({
      ratePaise: asPaise(order.rate_paise),
      offerPercent: order.offer_percent,
      weightGrams: order.weight_grams,
    });
    const change = await reduceChange(tx, {
      customerId: order.customer_id,
      orderId: orderid,
      owedPaise: Math.max(0, (await totalReceivedPaise(tx, orderid)) - (amounts?.final ?? 0)),
      reference: refundReference(orderid, order.cancellations),
      reason: `The cancellation of order ${orderid} was undone`,
      at: now,
    });
    if (change.status === 'spent') return { status: 'spent', refundPaise: change.amountPaise, balancePaise: change.balancePaise };
    const stage = order.cancelled_from as Stage;
    await resetCancelled(tx, orderid, stage, now);
    return { status: 'active', stage };
  });

/** Every other status than 'done' has written nothing. */
export type Rescheduling =
  | { status: 'done'; timeslot: string }
  | { status: 'unknown-order' | 'cancelled' | 'picked-up' }
  | { status: 'unavailable'; error: ErrorMessage<'pickup-day-past' | 'pickup-day-closed' | 'pickup-day-too-far'> };

/** Changes the pickup day of an order that is not picked up. Its own day is always accepted. */
export const rescheduleOrder = (db: Db, caller: CustomerOrGuest, orderid: string, day: string, now: Date): Promise<Rescheduling> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, caller, orderid);
    if (!order) return { status: 'unknown-order' };
    if (order.cancelled_at) return { status: 'cancelled' };
    if (!mayCancel({ stage: order.stage, weightGrams: order.weight_grams }, 'customer')) return { status: 'picked-up' };
    const done = { status: 'done', timeslot: order.timeslot } as const;
    if (day === order.pickup_day) return done;
    const error = checkPickupDay(day, now);
    if (error) return { status: 'unavailable', error };
    await updatePickupDay(tx, orderid, day, now);
    return done;
  });
