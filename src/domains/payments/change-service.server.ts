/**
 * Change: what the payments of an order exceed its amount by. It is credited to the wallet, for an
 * order of a guest once an account has claimed the order.
 */
import { newId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Tx } from '../../db/database.server.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { creditedChange, creditWallet, reduceChange, type ChangeReductionResult } from '../wallet/service.server.ts';
import { owedPaise, type PayableOrder } from './rules.ts';
import { findPaidOrder, totalReceivedPaise } from './store.server.ts';

export interface ReceivedPayment {
  orderid: string;
  duePaise: number;
  amount_paise: number;
  reference: string;
}

/**
 * Credits an overpayment to the customer's wallet and returns its amount, or 0. Two payments of one
 * order can be open at once, and both can be received. A payment for an order that was cancelled
 * before it arrived is credited in full. The change of a held order is credited by
 * `creditHeldChange`.
 */
export async function creditOverpayment(
  tx: Tx,
  { orderid, duePaise: due, amount_paise, reference }: ReceivedPayment,
  now: Date,
): Promise<Paise> {
  const order = await findPaidOrder(tx, orderid);
  invariant(order, 'a payment has an order');
  // The order may have been weighed again since the payment began.
  const owed = owedPaise(order) ?? due;
  const excess = asPaise(Math.max(0, Math.min((await totalReceivedPaise(tx, orderid)) - owed, amount_paise)));
  if (excess === 0 || order.isHeld) return excess;
  await creditChange(tx, { customerId: order.customerId, orderid, amountPaise: excess, reference: changeReference(reference) }, now);
  return excess;
}

/** Credits the change of guest orders that were just assigned to an account. */
export async function creditHeldChange(tx: Tx, orderids: readonly string[], now: Date) {
  for (const orderid of orderids) {
    const order = await findPaidOrder(tx, orderid);
    const amountPaise = order ? await missingChange(tx, orderid, order) : 0;
    if (!order || amountPaise === 0) continue;
    await creditChange(tx, { customerId: order.customerId, orderid, amountPaise, reference: `order:${orderid}:held-change` }, now);
  }
}

/** Returns the change of those of the orders that no account has claimed. */
export async function heldChangePaise(tx: Tx, orderids: readonly string[]): Promise<Paise> {
  let heldPaise = 0;
  for (const orderid of orderids) {
    const order = await findPaidOrder(tx, orderid);
    if (order?.isHeld) heldPaise += await missingChange(tx, orderid, order);
  }
  return asPaise(heldPaise);
}

/** Returns what the payments of an order exceed it by and no wallet has got, at least 0. */
async function missingChange(tx: Tx, orderid: string, order: PayableOrder): Promise<Paise> {
  const owed = owedPaise(order);
  if (owed === null) return asPaise(0);
  return asPaise(Math.max(0, (await totalReceivedPaise(tx, orderid)) - owed - (await creditedChange(tx, orderid))));
}

/**
 * Makes the change of a locked order fit a new amount: credits what its payments exceed it by, or
 * takes back what they do not exceed it by any more. The change of a held order is credited by
 * `creditHeldChange`.
 */
export async function correctChange(tx: Tx, orderid: string, finalPaise: Paise, now: Date): Promise<ChangeReductionResult> {
  const order = await findPaidOrder(tx, orderid);
  const received = await totalReceivedPaise(tx, orderid);
  const nothing = { status: 'reduced', debitedPaise: asPaise(0) } as const;
  if (!order || received === 0) return nothing;
  const { customerId } = order;
  const owedPaise = Math.max(0, received - finalPaise);
  const missing = asPaise(owedPaise - (await creditedChange(tx, orderid)));
  const reference = `order:${orderid}:weighed:${newId()}`;
  if (missing <= 0) {
    return reduceChange(tx, { customerId, orderId: orderid, owedPaise, reference, reason: `Order ${orderid} was weighed again`, at: now });
  }
  if (!order.isHeld) await creditChange(tx, { customerId, orderid, amountPaise: missing, reference }, now);
  return nothing;
}

async function creditChange(
  tx: Tx,
  { orderid, ...credit }: { customerId: string; orderid: string; amountPaise: Paise; reference: string },
  now: Date,
) {
  await creditWallet(tx, { ...credit, kind: 'change', reason: `Paid too much for order ${orderid}`, orderId: orderid, at: now });
  await insertOrderEvent(tx, orderid, { kind: 'refunded', data: { amount_paise: credit.amountPaise }, at: now });
}

/** The ledger's reference of the change that a payment caused. */
export const changeReference = (reference: string) => `payment:${reference}:change`;
