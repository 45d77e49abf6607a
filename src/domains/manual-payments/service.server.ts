/**
 * Payments that the laundry records by hand, and their reversals. docs/decisions/0034.
 */
import { newId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import type { Paise } from '../../lib/money.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { ReversedCash } from '../orders/events-contract.ts';
import { reverseReceivedCash } from '../cash/store.server.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { calculateAmounts } from '../orders/rules.ts';
import { lockOrder, type LockedOrder } from '../orders/store.server.ts';
import type { PaymentMethod } from '../payments/contract.ts';
import {
  overpaymentReference,
  creditOverpayment,
  reduceCreditWithEvent,
  type ReceivedPayment,
} from '../payments/overpayment-service.server.ts';
import { countsAsPaid, overpaidPaise, paidPaise, unpaidPaise } from '../payments/rules.ts';
import { readOrderWithPayments, type OrderWithPayments, type RecordedPayment } from '../payments/queries-service.server.ts';
import { newTid } from '../payments/service.server.ts';
import {
  findPending,
  findPaymentByReference,
  insertReceived,
  insertReversal,
  readPaidPaise,
  settlePayment,
  toPayableOrder,
} from '../payments/store.server.ts';
import { setDismissed } from '../payments/upi-store.server.ts';
import type { Laundry } from '../staff/authentication.server.ts';
import { isManual, type ManualPaymentMethod } from './rules.ts';

/** Cash, or a UPI payment on the laundry's account. */
export interface ManualPayment {
  method: ManualPaymentMethod;
  amountPaise: Paise;
  /** Distinguishes equal payments of an order, for example by the bank's reference number. */
  note?: string;
  /** Allows more than the unpaid amount. The customer's wallet receives the excess. */
  mayOverpay?: boolean;
}

/** Every other status than 'recorded' has written nothing. */
export type ManualPaymentResult =
  /** The wallet has `overpaidPaise` if `isCredited`. */
  | { status: 'recorded'; tid: string; reference: string; overpaidPaise: Paise; isCredited: boolean }
  /** The order is in stage `pickup`. */
  | { status: 'not-payable-yet' }
  | { status: 'exceeds-unpaid'; unpaidPaise: Paise };

/**
 * Records a payment of a locked order. If the customer began a UPI payment of this amount, that
 * payment becomes 'received'; otherwise a new one is inserted. Credits an overpayment to the
 * wallet.
 */
export async function recordManualPayment(tx: Tx, order: LockedOrder, payment: ManualPayment, now: Date): Promise<ManualPaymentResult> {
  const payable = toPayableOrder(order);
  const final = calculateAmounts(payable)?.final;
  const unpaid = unpaidPaise(payable, await readPaidPaise(tx, order.id));
  if (unpaid === null || final === undefined) return { status: 'not-payable-yet' };
  if (payment.amountPaise > unpaid && !payment.mayOverpay) return { status: 'exceeds-unpaid', unpaidPaise: unpaid };
  const received = await insertManualPayment(tx, order.id, { ...payment, duePaise: final }, now);
  const { tid, reference } = received;
  return { status: 'recorded', tid, reference, ...(await creditOverpayment(tx, received, now)) };
}

/** A result with the order as it is then. */
export type ManualPaymentOnceResult =
  | { status: 'order-not-found' }
  | (ManualPaymentResult & { order: OrderWithPayments })
  /** A payment with the same order, method, amount and note exists. */
  | { status: 'already-recorded'; payment: RecordedPayment; order: OrderWithPayments };

/**
 * Locks an order, and records a payment like `recordManualPayment`, once: the order's lock makes
 * concurrent calls wait for each other, so that of two equal calls one records. Throws `ApiError`
 * (conflict) if the customer is erased.
 */
export async function recordManualPaymentOnce(
  tx: Tx,
  laundry: Laundry,
  { orderid, ...payment }: ManualPayment & { orderid: string },
  now: Date,
): Promise<ManualPaymentOnceResult> {
  const locked = await lockOrder(tx, laundry, orderid);
  const order = locked && (await readOrderWithPayments(tx, orderid));
  if (!order) return { status: 'order-not-found' };
  const { method, amountPaise, note = null } = payment;
  const isEqual = (row: RecordedPayment) => row.method === method && row.amountPaise === amountPaise && row.note === note;
  const equal = order.unpaidPaise !== null && order.payments.filter(countsAsPaid).find(isEqual);
  if (equal) return { status: 'already-recorded', payment: equal, order };
  const result = await recordManualPayment(tx, locked, payment, now);
  const after = await readOrderWithPayments(tx, orderid);
  invariant(after, 'a locked order exists');
  return { ...result, order: after };
}

async function insertManualPayment(
  tx: Tx,
  orderid: string,
  { method, amountPaise, note, duePaise: due }: ManualPayment & { duePaise: Paise },
  now: Date,
): Promise<ReceivedPayment & { tid: string }> {
  const transactionId = newId();
  const pending = await findPending(tx, { order_id: orderid, method, amount_paise: amountPaise });
  const moved = pending && (await settlePayment(tx, pending.tid, 'received', transactionId, now, note));
  if (moved) return { tid: pending.tid, orderid, ...moved };
  const tid = newTid();
  const row = { tid, order_id: orderid, method, amount_paise: amountPaise, due_paise: due, note: note ?? null };
  const received = {
    state: 'received' as const,
    reference: transactionId,
    transaction_id: transactionId,
    created_at: now,
    settled_at: now,
  };
  await insertReceived(tx, { ...row, ...received }, now);
  return { tid, orderid, amount_paise: amountPaise, reference: transactionId };
}

/**
 * Receives a UPI payment that the customer began, once, when the bank has it: also for an order
 * that is paid or cancelled meanwhile, and after a dismissal. An overpayment is credited. Returns
 * 'settled' if it was received before.
 */
export async function confirmUpiPayment(
  tx: Tx,
  { id: orderid }: LockedOrder,
  reference: string,
  now: Date,
): Promise<'received' | 'unknown-payment' | 'settled'> {
  const payment = await findPaymentByReference(tx, reference);
  if (payment?.order_id !== orderid || payment.method !== ('upi' satisfies PaymentMethod)) return 'unknown-payment';
  const received = await settlePayment(tx, payment.tid, 'received', newId(), now);
  if (!received) return 'settled';
  await creditOverpayment(tx, { orderid, ...received }, now);
  return 'received';
}

/**
 * Dismisses a UPI payment that the customer reported and the bank does not have, once. Returns
 * 'settled' if it was received or dismissed before, 'unknown-payment' also if it was not reported.
 */
export async function dismissUpiPayment(
  tx: Tx,
  { id: orderid }: LockedOrder,
  { reference, reason }: { reference: string; reason: string },
  now: Date,
): Promise<'dismissed' | 'unknown-payment' | 'settled'> {
  const dismissed = await setDismissed(tx, { orderid, reference, reason }, now);
  if (!dismissed) {
    const payment = await findPaymentByReference(tx, reference);
    if (payment?.order_id !== orderid || payment.method !== ('upi' satisfies PaymentMethod)) return 'unknown-payment';
    // A payment that its customer neither reported nor made fails by itself after some days.
    const isSettled = payment.state === 'received' || (payment.state === 'failed' && payment.reported_at !== null);
    return isSettled ? 'settled' : 'unknown-payment';
  }
  const payment = { reference, amountPaise: dismissed.amount_paise, reason };
  await insertOrderEvent(tx, orderid, { kind: 'payment-dismissed', ...payment, at: now });
  return 'dismissed';
}

/** Every other status than 'reversed' has written nothing. */
export type PaymentReversal =
  /** `debitedPaise` was debited from the wallet. */
  | { status: 'reversed'; payment: RecordedPayment; debitedPaise: Paise; order: OrderWithPayments }
  | { status: 'unknown-payment' }
  /** Online payments are returned by the gateway, and wallet payments as compensation. */
  | { status: 'not-manual'; method: PaymentMethod }
  | { status: 'already-reversed'; payment: RecordedPayment; order: OrderWithPayments }
  /** The customer spent the overpayment that the payment credited. */
  | { status: 'change-spent'; debitPaise: Paise; balancePaise: Paise; order: OrderWithPayments };

interface Reversal {
  reference: string;
  reason: string;
  /** By default 'given-back'. */
  cash?: ReversedCash | undefined;
}

/**
 * Reverses a payment that was recorded by hand, once. The payment stays and does not count any
 * more: its amount is due again, the overpayment that it caused is debited from the wallet, and its
 * cash is taken from the person who holds it. Throws `ApiError` (conflict) if the customer is
 * erased.
 */
export const reverseManualPayment = (db: Db, laundry: Laundry, reversal: Reversal, now: Date): Promise<PaymentReversal> =>
  transaction(db, (tx) => reverseInTransaction(tx, laundry, reversal, now));

async function reverseInTransaction(
  tx: Tx,
  laundry: Laundry,
  { reference, reason, cash = 'given-back' }: Reversal,
  now: Date,
): Promise<PaymentReversal> {
  const row = await findPaymentByReference(tx, reference);
  if (row?.state !== 'received') return { status: 'unknown-payment' };
  const method = row.method;
  if (!isManual(method)) return { status: 'not-manual', method };
  const order = await lockOrder(tx, laundry, row.order_id);
  const before = await readOrderAndPayment(tx, row.order_id, reference);
  if (before.payment.reversal) return { status: 'already-reversed', ...before };

  invariant(order && order.weight_grams !== null, 'a received payment has a weighed order');
  const others = before.order.payments.filter((payment) => countsAsPaid(payment) && payment !== before.payment);
  const reduction = await reduceCreditWithEvent(tx, {
    customerId: order.customer_id,
    orderId: row.order_id,
    remainingPaise: overpaidPaise(toPayableOrder(order), paidPaise(others)),
    reference: overpaymentReference(reference),
    reason,
    at: now,
  });
  if (reduction.status === 'spent') {
    return { status: 'change-spent', debitPaise: reduction.debitPaise, balancePaise: reduction.balancePaise, order: before.order };
  }
  const inserted = await insertReversal(tx, row.tid, reason, now);
  invariant(inserted, 'the lock of the order excludes another reversal');
  await reverseReceivedCash(tx, row.tid, cash, now);
  await insertOrderEvent(tx, row.order_id, {
    kind: 'payment-reversed',
    reference,
    amountPaise: before.payment.amountPaise,
    ...(reduction.debitedPaise > 0 && { debitedPaise: reduction.debitedPaise }),
    ...(method === ('cash' satisfies ManualPaymentMethod) && { cash }),
    reason,
    at: now,
  });
  return { status: 'reversed', debitedPaise: reduction.debitedPaise, ...(await readOrderAndPayment(tx, row.order_id, reference)) };
}

/** Returns the order and its received payment with this reference. Throws if either is missing. */
async function readOrderAndPayment(
  tx: Tx,
  orderid: string,
  reference: string,
): Promise<{ order: OrderWithPayments; payment: RecordedPayment }> {
  const order = await readOrderWithPayments(tx, orderid);
  const payment = order?.payments.find((row) => row.reference === reference);
  invariant(order && payment, 'a received payment is never removed');
  return { order, payment };
}
