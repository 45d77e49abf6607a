/**
 * Overpayments. The wallet of the customer is credited with the excess of the payments over the
 * order's amount, for a guest order when it is assigned to an account.
 */
import { newId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, excessPaise, type Paise } from '../../lib/money.ts';
import type { Tx } from '../../db/database.server.ts';
import { isErased } from '../accounts/store.server.ts';
import { cancellationReason } from '../orders/cancelling-service.server.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { isCancelledStage } from '../orders/rules.ts';
import type { LockedOrder } from '../orders/store.server.ts';
import { ledgerReference } from '../wallet/reference-rules.ts';
import {
  creditedOverpayment,
  creditedOverpayments,
  creditWallet,
  reduceOverpaymentCredit,
  type OverpaymentReduction,
  type OverpaymentReductionResult,
} from '../wallet/service.server.ts';
import { overpaidPaise, type PayableOrder } from './rules.ts';
import { listUnassignedOrders } from './overview-store.server.ts';
import { findOrderToPay, readPaidPaise, toPayableOrder } from './store.server.ts';

export interface ReceivedPayment {
  orderid: string;
  amount_paise: Paise;
  reference: string;
}

export interface PaymentOverpayment {
  overpaidPaise: Paise;
  /**
   * False if nothing is overpaid, for a guest order, which `creditUnassignedOverpayments` credits
   * once it is assigned to an account, and for an erased customer.
   */
  isCredited: boolean;
}

/**
 * Credits the overpaid part of a received payment to the customer's wallet, with an event. Two
 * payments of one order can be open at once, and both can be received. A payment for an order that
 * was cancelled before it arrived is overpaid in full. The caller holds the order's lock.
 */
export async function creditOverpayment(
  tx: Tx,
  { orderid, amount_paise, reference }: ReceivedPayment,
  now: Date,
): Promise<PaymentOverpayment> {
  const order = await findOrderToPay(tx, orderid);
  invariant(order, 'a payment has an order');
  const overpaid = asPaise(Math.min(overpaidPaise(order, await readPaidPaise(tx, orderid)), amount_paise));
  // A payment at the gateway that failed can still arrive after an erasure. It is recorded.
  if (overpaid === 0 || order.isUnassigned || (await isErased(tx, order.customerId))) return { overpaidPaise: overpaid, isCredited: false };
  await insertOverpaymentCredit(
    tx,
    {
      customerId: order.customerId,
      orderid,
      amountPaise: overpaid,
      reference: overpaymentReference(reference),
      reason: overpaymentReason(orderid),
    },
    now,
  );
  return { overpaidPaise: overpaid, isCredited: true };
}

/**
 * Credits the overpayment of guest orders that were just assigned to an account, with an event for
 * each. Throws `ApiError` (conflict) if the customer is erased.
 */
export async function creditUnassignedOverpayments(tx: Tx, orderids: readonly string[], now: Date): Promise<void> {
  for (const orderid of orderids) {
    const order = await findOrderToPay(tx, orderid);
    if (!order) continue;
    const amountPaise = uncreditedPaise(order, await readPaidPaise(tx, orderid), await creditedOverpayment(tx, orderid));
    if (amountPaise === 0) continue;
    const isCancelled = isCancelledStage(order.stage);
    const reference = ledgerReference(isCancelled ? 'unassigned-refund' : 'unassigned-overpayment', { order: orderid });
    const reason = isCancelled ? cancellationReason(orderid) : overpaymentReason(orderid);
    await insertOverpaymentCredit(tx, { customerId: order.customerId, orderid, amountPaise, reference, reason }, now);
  }
}

/**
 * Returns the sum of the uncredited overpayments of those of the orders that are not assigned to an
 * account. Returns 0 without such an order.
 */
export async function unassignedOverpaymentPaise(tx: Tx, orderids: readonly string[]): Promise<Paise> {
  const unassigned = orderids.length > 0 ? await listUnassignedOrders(tx, orderids) : [];
  if (unassigned.length === 0) return asPaise(0);
  const credited = await creditedOverpayments(
    tx,
    unassigned.map(({ orderid }) => orderid),
  );
  const overpaid = unassigned.map(({ orderid, paidPaise, order }) => uncreditedPaise(order, paidPaise, credited.get(orderid) ?? 0));
  return asPaise(overpaid.reduce((sum, paise) => sum + paise, 0));
}

/** Returns the overpayment that no wallet was credited with, at least 0. */
const uncreditedPaise = (order: PayableOrder, paidPaise: number, creditedPaise: number): Paise =>
  excessPaise(overpaidPaise(order, paidPaise), creditedPaise);

/**
 * Credits or debits the wallet so that the credited overpayment matches a new weight. After a
 * credit, and without a change, returns 'reduced' with 0. Returns 'spent' and writes nothing if the
 * wallet does not cover the debit. Leaves the overpayment of an unassigned order to
 * `creditUnassignedOverpayments`.
 */
export async function adjustOverpaymentCredit(
  tx: Tx,
  order: LockedOrder,
  weightGrams: number,
  now: Date,
): Promise<OverpaymentReductionResult> {
  const { id: orderid, customer_id: customerId } = order;
  const paid = await readPaidPaise(tx, orderid);
  const nothing = { status: 'reduced', debitedPaise: asPaise(0) } as const;
  if (paid === 0) return nothing;
  const overpaid = overpaidPaise({ ...toPayableOrder(order), weightGrams }, paid);
  const missingPaise = asPaise(overpaid - (await creditedOverpayment(tx, orderid)));
  const reference = ledgerReference('weighing', { order: orderid, id: newId() });
  if (missingPaise <= 0) {
    return reduceCreditWithEvent(tx, {
      customerId,
      orderId: orderid,
      remainingPaise: overpaid,
      reference,
      reason: `Order ${orderid} was weighed again`,
      at: now,
    });
  }
  if (!order.is_unassigned) {
    const reason = overpaymentReason(orderid);
    await insertOverpaymentCredit(tx, { customerId, orderid, amountPaise: missingPaise, reference, reason }, now);
  }
  return nothing;
}

/**
 * Debits overpayment credits that payments no longer justify, with an event. 'spent': nothing is
 * written.
 */
export async function reduceCreditWithEvent(tx: Tx, reduction: OverpaymentReduction): Promise<OverpaymentReductionResult> {
  const result = await reduceOverpaymentCredit(tx, reduction);
  if (result.status === 'reduced' && result.debitedPaise > 0) {
    const { orderId, at } = reduction;
    await insertOrderEvent(tx, orderId, { kind: 'refund-reversed', amountPaise: result.debitedPaise, at });
  }
  return result;
}

const overpaymentReason = (orderid: string): string => `Paid too much for order ${orderid}`;

interface OverpaymentCredit {
  customerId: string;
  orderid: string;
  amountPaise: Paise;
  reference: string;
  reason: string;
}

async function insertOverpaymentCredit(tx: Tx, { orderid, ...credit }: OverpaymentCredit, now: Date) {
  const result = await creditWallet(tx, { ...credit, kind: 'change', orderId: orderid, at: now });
  invariant(result === 'recorded', 'each credited overpayment has its own reference');
  await insertOrderEvent(tx, orderid, { kind: 'refunded', amountPaise: credit.amountPaise, at: now });
}

/** The ledger's reference of the overpayment that a payment caused. */
export const overpaymentReference = (reference: string): string => ledgerReference('overpayment', { payment: reference });
