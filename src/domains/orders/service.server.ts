/**
 * Changes the weight, the stage, the pickup day and the owner of an order, and cancels it.
 * docs/decisions/0039 and 0047. placing-service.server.ts creates orders.
 */
import type { ErrorMessage } from '../../i18n/messages.ts';
import type { Client } from '../../security/client.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { kolkataDateTime, kolkataDay } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { NewSession } from '../sessions/authentication.server.ts';
import { insertFirstAddress } from '../addresses/store.server.ts';
import { createGuestSession, type AccountDependencies, type GuestOrderAssignment } from '../accounts/service.server.ts';
import type { Laundry } from '../staff/authentication.server.ts';
import type { ReferralBonusTime } from '../referrals/contract.ts';
import { grantBonusAfterDelivery } from '../referrals/service.server.ts';
import type { Browser } from '../verification/authentication.server.ts';
import { ledgerReference } from '../wallet/reference-rules.ts';
import { creditedOverpayment, creditWallet, reduceOverpaymentCredit } from '../wallet/service.server.ts';
import type { Area } from '../catalogue/contract.ts';
import type { AreaEvenings } from '../evenings/contract.ts';
import { bookEveningBeyondCapacity, bookEvening, releaseEvening } from '../evenings/service.server.ts';
import { UNDO_SECONDS, type CancelledBy, type Order, type orderShape, type Stage } from './contract.ts';
import type { OrderEvent } from './events-contract.ts';
import { listOrderEvents } from './events-store.server.ts';
import { deriveProgress } from './progress-rules.ts';
import {
  calculateAmounts,
  canBeWeighed,
  checkEvening,
  checkPickupDay,
  MAX_PICKUPS_PER_EVENING,
  isToReturn,
  mayCancel,
  pickupLimitError,
  stageBefore,
  undoSecondsLeft,
  type EveningErrorCode,
  canRepeatTonight,
} from './rules.ts';
import {
  resetCancelled,
  setCancelled,
  setReturned,
  updatePickupDay,
  updateStage,
  updateWeight,
  type Weighing,
} from './changing-store.server.ts';
import {
  assignOrders,
  countOtherPickups,
  findOrderState,
  fromShipColumns,
  lockOrder,
  newestAddressOf,
  newestAssignableName,
  transferGuestOrders,
  type OrderActor,
  toPricedOrder,
  type ShownOrder,
} from './store.server.ts';

/**
 * Returns the fields of `orderShape` from an order and its events, the oldest first. `undo_seconds`
 * depends on the caller.
 */
export function toOrderFields(row: ShownOrder, events: readonly OrderEvent[]): Omit<Pick<Order, keyof typeof orderShape>, 'undo_seconds'> {
  const amounts = calculateAmounts(toPricedOrder(row));
  return {
    orderid: row.id,
    order_date: kolkataDateTime(row.placed_at),
    washing_stage: row.stage,
    version: row.version,
    programid: row.program_id,
    program_name: row.program_name,
    program_rate: asPaise(row.rate_paise),
    unit: row.unit,
    total_weight: row.weight_grams,
    total_items: row.items,
    order_cost: amounts?.cost ?? null,
    total_amount: amounts?.final ?? null,
    amount_paid: asPaise(row.received_paise),
    offer_rate: row.offer_percent,
    offerid: row.offer_id,
    area: row.area,
    timeslot: row.timeslot,
    pickup_date: row.pickup_day,
    returned_date: row.returned_at && kolkataDateTime(row.returned_at),
    ...deriveProgress(row, events),
    ...fromShipColumns(row),
  };
}

/**
 * Creates a guest session. If it replaces a session of this browser, the guest orders of that
 * session move to it. Returns undefined if a customer is logged in or no grant exists.
 */
export async function admitOrderingGuest(
  tx: Tx,
  accounts: AccountDependencies,
  client: Client,
  verified: { browser: Browser; mobile: string },
): Promise<NewSession | undefined> {
  const admitted = await createGuestSession(tx, accounts, client, verified);
  if (admitted?.replacedSessionHash) await transferGuestOrders(tx, admitted.replacedSessionHash, admitted.session.hash);
  return admitted?.session;
}

/**
 * A guest session lasts 30 days, so the mobile of an order of the last 60 days was proved in the
 * last 90. Operators in India deactivate a number after 90 days without use at the earliest, so it
 * still has the same owner (docs/decisions/0039).
 */
const ASSIGNABLE_DAYS = 60;

/** Returns the time since which the mobile of a guest order has the same owner. */
export const provedSince = (now: Date) => addSeconds(now, -ASSIGNABLE_DAYS * DAY_SECONDS);

/**
 * Moves guest orders to the account of their mobile. With a fresh proof of the mobile, these are
 * the orders of the last 60 days in all browsers, and those of this browser's guest session;
 * without one, only the latter. Their newest address becomes the first saved one of the account.
 * Returns their ids.
 */
export async function assignGuestOrders(
  tx: Tx,
  { customerId, sessionHash, isFreshProof }: GuestOrderAssignment,
  now: Date,
): Promise<string[]> {
  const ids = await assignOrders(tx, { customerId, sessionHash, placedAfter: isFreshProof ? provedSince(now) : undefined });
  const address = ids.length > 0 && (await newestAddressOf(tx, ids));
  if (address) await insertFirstAddress(tx, customerId, newId(), address, now);
  return ids;
}

/** Returns the name of the newest guest order that a fresh proof of the mobile would assign. */
export const findGuestName = (db: Db, customerId: string, now: Date): Promise<string | undefined> =>
  newestAssignableName(db, { customerId, placedAfter: provedSince(now) });

export type StageChange = 'done' | 'unknown-order' | 'wrong-stage' | 'not-weighed' | 'impossible-weight';

/**
 * Records weight and items at pickup. Returns 'wrong-stage' in later stages, because the amounts
 * are calculated from them.
 */
export async function weighOrder(
  db: Db,
  orderid: string,
  weightGrams: number,
  items: number,
  now: Date,
  details: Omit<Weighing, 'weightGrams' | 'items'> = {},
): Promise<StageChange> {
  if (!canBeWeighed(weightGrams, items)) return 'impossible-weight';
  if (await updateWeight(db, orderid, { ...details, weightGrams, items }, now)) return 'done';
  return (await findOrderState(db, orderid)) ? 'wrong-stage' : 'unknown-order';
}

interface Delivery {
  bonusTime: ReferralBonusTime;
  /** Why it was made without the hand-over code. */
  reason?: string | undefined;
}

/**
 * Moves an order to the next stage. Of two concurrent calls one returns 'done'. With the referral
 * bonus at the first delivery, a delivered order also credits the referrer of its account. A
 * delivery without the hand-over code has a reason, which the customer reads.
 */
export async function moveOrder(db: Db, orderid: string, to: Exclude<Stage, 'delivered'>, now: Date): Promise<StageChange>;
export async function moveOrder(db: Db, orderid: string, to: Stage, now: Date, delivery: Delivery): Promise<StageChange>;
export async function moveOrder(db: Db, orderid: string, to: Stage, now: Date, delivery?: Delivery): Promise<StageChange> {
  const from = stageBefore(to);
  const isMoved = await transaction(db, async (tx) => {
    if (!from || !(await updateStage(tx, orderid, from, { to, reason: delivery?.reason }, now))) return false;
    const paysBonus = to === 'delivered' && delivery?.bonusTime === 'first-delivery';
    const order = paysBonus ? await findOrderState(tx, orderid) : undefined;
    if (order && !order.is_held) await grantBonusAfterDelivery(tx, order.customer_id, now);
    return true;
  });
  if (isMoved) return 'done';
  const state = await findOrderState(db, orderid);
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
 * Cancels an order once and credits all its payments to the customer's wallet, for a held order
 * once it is assigned to an account. The order's lock makes payments, weighings and stage changes
 * wait: each of them either happens before and is seen here, or sees the cancelled order.
 */
export const cancelOrder = (
  { db, totalReceivedPaise }: CancellationDependencies,
  actor: OrderActor,
  orderid: string,
  now: Date,
  reason?: string,
): Promise<Cancellation> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, actor, orderid);
    if (!order) return { status: 'unknown-order' };
    const received = asPaise(await totalReceivedPaise(tx, orderid));
    if (order.cancelled_at) return { status: 'cancelled', refundPaise: received, undoSeconds: undoSeconds(order, actor, now) };
    const by = sideOf(actor);
    if (!mayCancel({ stage: order.stage, weightGrams: order.weight_grams }, by)) return { status: 'too-late', stage: order.stage };
    const refund = asPaise(order.is_held ? 0 : received - (await creditedOverpayment(tx, orderid)));
    if (!isCollected(order)) await releaseEvening(tx, eveningOf(order));
    await setCancelled(tx, orderid, { by, refundPaise: refund, reason }, now);
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

const sideOf = (actor: OrderActor): CancelledBy => (actor.kind === 'laundry' ? 'laundry' : 'customer');

/** The booking of a collected order is not released. */
const isCollected = ({ weight_grams: weightGrams }: { weight_grams: number | null }) => weightGrams !== null;

const eveningOf = ({ area, pickup_day: day }: { area: string; pickup_day: string }) => ({ area: area as Area, day });

/** The ledger's reference of a refund. `number` counts the cancellations of the order from 1. */
const refundReference = (orderid: string, number: number) => ledgerReference('cancellation', { order: orderid, number });

type CancellableOrder = Pick<NonNullable<Awaited<ReturnType<typeof lockOrder>>>, 'cancelled_at' | 'cancelled_by'>;

/** Returns the seconds left, or null if the actor cannot undo the cancellation. */
export const undoSeconds = (order: CancellableOrder, actor: OrderActor, now: Date): number | null =>
  order.cancelled_at && (actor.kind === 'laundry' || isByCustomer(order)) ? undoSecondsLeft(order.cancelled_at, now) : null;

const isByCustomer = ({ cancelled_by }: CancellableOrder) => cancelled_by === ('customer' satisfies CancelledBy);

/** Every other status than 'active' has written nothing. */
export type CancellationUndo =
  /** Also returned if the order was not cancelled. */
  | { status: 'active'; stage: Stage }
  | { status: 'unknown-order' }
  | { status: 'cancelled-by-laundry' }
  | { status: 'expired' }
  /** The evening is full or closed meanwhile. */
  | { status: 'evening-full'; error: ErrorMessage<EveningErrorCode> }
  /** The customer has spent the refund. */
  | { status: 'spent'; refundPaise: Paise; balancePaise: Paise };

/**
 * Returns a cancelled order to its stage within `UNDO_SECONDS` and takes the refund back from the
 * wallet with new entries. The laundry may undo any cancellation.
 */
export const undoCancellation = (
  { db, totalReceivedPaise }: CancellationDependencies,
  actor: OrderActor,
  orderid: string,
  now: Date,
): Promise<CancellationUndo> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, actor, orderid);
    if (!order) return { status: 'unknown-order' };
    if (!order.cancelled_at) return { status: 'active', stage: order.stage };
    if (actor.kind !== 'laundry' && !isByCustomer(order)) return { status: 'cancelled-by-laundry' };
    if (undoSeconds(order, actor, now) === null) return { status: 'expired' };
    const evening = isCollected(order) ? null : eveningOf(order);
    const taken =
      evening &&
      (await bookEvening(
        tx,
        evening,
        now,
        (evenings) => checkEvening(evening.day, evenings, now),
        (evenings) => checkPickups(tx, actor, order, evenings, now),
      ));
    if (taken) return { status: 'evening-full', error: taken };
    const amounts = calculateAmounts(toPricedOrder(order));
    const reduction = await reduceOverpaymentCredit(tx, {
      customerId: order.customer_id,
      orderId: orderid,
      owedPaise: Math.max(0, (await totalReceivedPaise(tx, orderid)) - (amounts?.final ?? 0)),
      reference: refundReference(orderid, order.cancellations),
      reason: `The cancellation of order ${orderid} was undone`,
      at: now,
    });
    if (reduction.status === 'spent') {
      if (evening) await releaseEvening(tx, evening);
      return { status: 'spent', refundPaise: reduction.amountPaise, balancePaise: reduction.balancePaise };
    }
    const stage = order.cancelled_from;
    invariant(stage, 'a cancelled order has the stage that it left');
    await resetCancelled(tx, orderid, stage, now);
    return { status: 'active', stage };
  });

/**
 * Records that the customer has the clothes of a cancelled order again. Returns 'wrong-stage' if
 * the laundry does not have them.
 */
export const returnClothes = (db: Db, laundry: Laundry, orderid: string, now: Date): Promise<StageChange> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, laundry, orderid);
    if (!order) return 'unknown-order';
    if (!isToReturn(order)) return 'wrong-stage';
    await setReturned(tx, orderid, now, now);
    return 'done';
  });

type OrderOfEvening = Parameters<typeof countOtherPickups>[1];

/** Returns the error of a customer with too many open pickups on the evening of the order. */
async function checkPickups(tx: Tx, actor: OrderActor, order: OrderOfEvening, evenings: AreaEvenings, now: Date) {
  if (actor.kind === 'laundry' || (await countOtherPickups(tx, order)) < MAX_PICKUPS_PER_EVENING) return null;
  return pickupLimitError(order.pickup_day, evenings, now);
}

/** Every other status than 'done' has written nothing. */
export type Rescheduling =
  | { status: 'done'; timeslot: string }
  | { status: 'unknown-order' | 'cancelled' | 'picked-up' }
  | { status: 'unavailable'; error: ErrorMessage<'pickup-day-past' | 'pickup-day-closed' | 'pickup-day-too-far' | EveningErrorCode> };

/** Books the evening `pickup_day` for a pickup that is on another one. Returns an error instead. */
const bookFreeEvening = (tx: Tx, actor: OrderActor, order: OrderOfEvening, now: Date) =>
  bookEvening(
    tx,
    eveningOf(order),
    now,
    (evenings) => checkPickupDay(order.pickup_day, evenings, now),
    (evenings) => checkPickups(tx, actor, order, evenings, now),
  );

/**
 * Changes the pickup day of an order that is not picked up. Its own day is always accepted, except
 * for another visit after a failed one, which must still be possible on that evening. The customer
 * reads the reason of the laundry.
 */
export const rescheduleOrder = (
  db: Db,
  actor: OrderActor,
  orderid: string,
  { day, reason }: { day: string; reason?: string },
  now: Date,
): Promise<Rescheduling> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, actor, orderid);
    if (!order) return { status: 'unknown-order' };
    if (order.cancelled_at) return { status: 'cancelled' };
    if (!mayCancel({ stage: order.stage, weightGrams: order.weight_grams }, 'customer')) return { status: 'picked-up' };
    const done = { status: 'done', timeslot: order.timeslot } as const;
    const { attempt } = deriveProgress(order, await listOrderEvents(tx, orderid));
    const today = kolkataDay(now);
    const isTonight = day === today && canRepeatTonight(attempt, now);
    if (day === order.pickup_day && !attempt) return done;
    const evening = eveningOf(order);
    if (day !== order.pickup_day || !(isTonight || day > today)) {
      if (isTonight) await bookEveningBeyondCapacity(tx, { ...evening, day }, now);
      const error = isTonight ? null : await bookFreeEvening(tx, actor, { ...order, pickup_day: day }, now);
      if (error) return { status: 'unavailable', error };
      await releaseEvening(tx, evening);
    }
    await updatePickupDay(tx, orderid, { from: order.pickup_day, day, by: sideOf(actor), reason }, now);
    return done;
  });

/**
 * Moves a pickup that was planned for a later day to the one on which the rider has the clothes.
 * Its evening can be full or closed. docs/decisions/0073.
 */
export async function collectEarlier(tx: Tx, laundry: Laundry, orderid: string, collectedAt: Date, now: Date) {
  const order = await lockOrder(tx, laundry, orderid);
  const day = kolkataDay(collectedAt);
  if (!order || order.pickup_day <= day) return;
  const evening = eveningOf(order);
  await releaseEvening(tx, evening);
  await bookEveningBeyondCapacity(tx, { ...evening, day }, now);
  await updatePickupDay(tx, orderid, { from: order.pickup_day, day, by: 'laundry' }, now);
}
