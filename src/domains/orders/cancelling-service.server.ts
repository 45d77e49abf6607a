/**
 * Cancels an order with its booking and its money, undoes it, and records that the clothes of a
 * cancelled order went back. docs/decisions/0047 and 0071.
 */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, excessPaise, type Paise } from '../../lib/money.ts';
import { transaction, transactionUnlessRefused, type Db, type Tx } from '../../db/database.server.ts';
import type { Laundry } from '../staff/authentication.server.ts';
import { ledgerReference } from '../wallet/reference-rules.ts';
import { creditedOverpayment, creditWallet, reduceOverpaymentCredit } from '../wallet/service.server.ts';
import { resetCancelled, setCancelled, setReturned, type Cancellation } from './changing-store.server.ts';
import { UNDO_SECONDS, type OrderParty, type Stage } from './contract.ts';
import { bookPickup, releasePickup } from './pickup-service.server.ts';
import { calculateAmounts, isToReturn, mayCancel, undoSecondsLeft } from './rules.ts';
import { checkEvening, type EveningErrorCode } from './pickup-rules.ts';
import { lockOrder, toParty, toPricedOrder, type LockedOrder, type OrderActor } from './store.server.ts';

/** Returns the amount paid for an order. */
type ReadPaidPaise = (tx: Tx, orderid: string) => Promise<Paise>;

export interface CancellationDependencies {
  db: Db;
  readPaidPaise: ReadPaidPaise;
}

/** Every other status than 'cancelled' has written nothing. */
export type CancellationResult = LockedCancellationResult | { status: 'order-not-found' };

type LockedCancellationResult =
  /**
   * Also returned if the order was cancelled before. The customer's wallet has `paidPaise` if
   * `isCredited`. Otherwise it gets the amount once the order of a guest is assigned to an account.
   */
  | { status: 'cancelled'; paidPaise: Paise; isCredited: boolean; undoSeconds: number | null }
  | { status: 'already-picked-up'; stage: string };

/** Locks an order, and cancels it like `cancelLockedOrder`. Throws `ApiError`, like `lockOrder`. */
export const cancelOrder = (
  { db, readPaidPaise }: CancellationDependencies,
  actor: OrderActor,
  { orderid, reason }: { orderid: string; reason?: string },
  now: Date,
): Promise<CancellationResult> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, actor, orderid);
    return order ? cancelLockedOrder(tx, actor, order, { reason, readPaidPaise }, now) : { status: 'order-not-found' };
  });

/**
 * Cancels an order once and credits the customer's wallet with what is paid, less overpayments that
 * were credited before. The payments of an unassigned order are credited later, once an account has
 * it. The order's lock makes payments, weighings and stage changes wait: each of them either
 * happens before and is seen here, or sees the cancelled order.
 */
export async function cancelLockedOrder(
  tx: Tx,
  actor: OrderActor,
  order: LockedOrder,
  { reason, readPaidPaise }: { reason: string | undefined; readPaidPaise: ReadPaidPaise },
  now: Date,
): Promise<LockedCancellationResult> {
  const paid = { paidPaise: await readPaidPaise(tx, order.id), isCredited: !order.is_unassigned };
  if (order.cancelled_at) return { status: 'cancelled', ...paid, undoSeconds: undoSeconds(order, actor, now) };
  const by = toParty(actor);
  if (!mayCancel(order, by)) return { status: 'already-picked-up', stage: order.stage };
  const refundPaise = asPaise(paid.isCredited ? paid.paidPaise - (await creditedOverpayment(tx, order.id)) : 0);
  const cancellation = { number: order.cancellations + 1, by, reason, refundPaise };
  if (hasBooking(order)) await releasePickup(tx, order);
  await setCancelled(tx, order.id, cancellation, now);
  await creditRefund(tx, order, cancellation, now);
  return { status: 'cancelled', ...paid, undoSeconds: UNDO_SECONDS };
}

async function creditRefund(tx: Tx, order: LockedOrder, { number, refundPaise }: Cancellation, now: Date) {
  if (refundPaise === 0) return;
  const result = await creditWallet(tx, {
    customerId: order.customer_id,
    kind: 'change',
    amountPaise: refundPaise,
    reason: cancellationReason(order.id),
    reference: refundReference(order.id, number),
    orderId: order.id,
    at: now,
  });
  invariant(result === 'recorded', 'each cancellation of an order has its own number');
}

/** The reason of the ledger for the refund of a cancellation. */
export const cancellationReason = (orderid: string): string => `Order ${orderid} was cancelled`;

/** The ledger's reference of the refund of a cancellation. */
const refundReference = (orderid: string, number: Cancellation['number']) => ledgerReference('cancellation', { order: orderid, number });

/** Returns true until the clothes are weighed: the place of a collected order is used up. */
const hasBooking = ({ weight_grams: weightGrams }: LockedOrder) => weightGrams === null;

type CancellableOrder = Pick<LockedOrder, 'cancelled_at' | 'cancelled_by'>;

/** Returns the seconds left, or null if there is no cancellation that the actor can undo. */
export const undoSeconds = (order: CancellableOrder, actor: OrderActor, now: Date): number | null =>
  order.cancelled_at && (actor.kind === 'laundry' || isByCustomer(order)) ? undoSecondsLeft(order.cancelled_at, now) : null;

const isByCustomer = ({ cancelled_by }: CancellableOrder) => cancelled_by === ('customer' satisfies OrderParty);

export type UndoResult = LockedUndoResult | { status: 'order-not-found' };

type LockedUndoResult =
  /** Also returned if the order was not cancelled. */
  | { status: 'active'; stage: Stage }
  | { status: 'cancelled-by-laundry' }
  | { status: 'expired' }
  /** The evening is full or closed meanwhile, or the customer has too many pickups on it. */
  | { status: 'evening-full'; error: ErrorMessage<EveningErrorCode> }
  /** The customer has spent the refund: the wallet does not cover the debit. */
  | { status: 'spent'; debitPaise: Paise; balancePaise: Paise };

/**
 * Locks an order, and undoes its cancellation like `undoLockedCancellation`. Every other status
 * than 'active' rolls back what was written. Throws `ApiError`, like `lockOrder`.
 */
export const undoCancellation = (
  { db, readPaidPaise }: CancellationDependencies,
  actor: OrderActor,
  orderid: string,
  now: Date,
): Promise<UndoResult> => {
  const isRefused = ({ status }: UndoResult) => status !== 'active';
  return transactionUnlessRefused(db, isRefused, async (tx): Promise<UndoResult> => {
    const order = await lockOrder(tx, actor, orderid);
    return order ? undoLockedCancellation(tx, actor, order, readPaidPaise, now) : { status: 'order-not-found' };
  });
};

/**
 * Returns a cancelled order to its stage within `UNDO_SECONDS` and debits the refund from the
 * wallet with new entries. The laundry may undo any cancellation, the customer only an own one. The
 * caller rolls back what was written with every other status than 'active'.
 */
export async function undoLockedCancellation(
  tx: Tx,
  actor: OrderActor,
  order: LockedOrder,
  readPaidPaise: ReadPaidPaise,
  now: Date,
): Promise<LockedUndoResult> {
  const { id: orderid } = order;
  if (!order.cancelled_at) return { status: 'active', stage: order.stage };
  if (actor.kind !== 'laundry' && !isByCustomer(order)) return { status: 'cancelled-by-laundry' };
  if (undoSeconds(order, actor, now) === null) return { status: 'expired' };
  const error = hasBooking(order) ? await bookPickup(tx, actor, order, checkEvening, now) : null;
  if (error) return { status: 'evening-full', error };
  const amounts = calculateAmounts(toPricedOrder(order));
  const reduction = await reduceOverpaymentCredit(tx, {
    customerId: order.customer_id,
    orderId: orderid,
    remainingPaise: excessPaise(await readPaidPaise(tx, orderid), amounts?.final ?? 0),
    reference: refundReference(orderid, order.cancellations),
    reason: `The cancellation of order ${orderid} was undone`,
    at: now,
  });
  if (reduction.status === 'spent') return reduction;
  const stage = order.cancelled_from;
  invariant(stage, 'a cancelled order has the stage that it left');
  await resetCancelled(tx, orderid, { stage, by: toParty(actor) }, now);
  return { status: 'active', stage };
}

/**
 * Records that the customer has the clothes of a cancelled order again. Returns 'wrong-stage' if
 * the order is not cancelled or the laundry does not have its clothes. Throws `ApiError` (conflict)
 * if the customer is erased.
 */
export const returnClothes = (db: Db, laundry: Laundry, orderid: string, now: Date): Promise<'done' | 'order-not-found' | 'wrong-stage'> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, laundry, orderid);
    if (!order) return 'order-not-found';
    if (!isToReturn(order)) return 'wrong-stage';
    await setReturned(tx, orderid, now, now);
    return 'done';
  });
