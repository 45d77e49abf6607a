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
import { lockOrder } from '../orders/store.server.ts';
import type { PaymentMethod } from '../payments/contract.ts';
import {
  overpaymentReference,
  creditOverpayment,
  reduceCreditWithEvent,
  type ReceivedPayment,
} from '../payments/overpayment-service.server.ts';
import { countsAsPaid, overpaidPaise, paidPaise } from '../payments/rules.ts';
import { readOrderWithPayments, type OrderWithPayments, type RecordedPayment } from '../payments/queries-service.server.ts';
import { newTid } from '../payments/service.server.ts';
import {
  findOrderToPay,
  findPending,
  findPaymentByReference,
  insertReceived,
  insertReversal,
  settlePayment,
} from '../payments/store.server.ts';
import { setDismissed } from '../payments/upi-store.server.ts';
import type { Laundry } from '../staff/authentication.server.ts';
import { isManual, type ManualPaymentMethod } from './rules.ts';

/** Cash, or a UPI payment on the laundry's account. */
export interface ManualPayment {
  orderid: string;
  method: ManualPaymentMethod;
  amountPaise: Paise;
  /** Distinguishes equal payments of an order, for example by the bank's reference number. */
  note?: string;
  /** Allows more than the unpaid amount. The customer's wallet receives the excess. */
  mayOverpay?: boolean;
  /** Skips the check for an equal payment: the caller has an idempotency key. */
  mayRepeat?: boolean;
}

/**
 * Every other status than 'recorded' has written nothing. The wallet has `overpaidPaise` if
 * `isCredited`.
 */
export type ManualPaymentResult =
  | { status: 'recorded'; reference: string; overpaidPaise: Paise; isCredited: boolean; order: OrderWithPayments }
  | { status: 'unknown-order' }
  /** The order is in stage `pickup`. */
  | { status: 'not-payable-yet'; order: OrderWithPayments }
  /** A payment with the same order, method, amount and note exists. */
  | { status: 'already-recorded'; payment: RecordedPayment; order: OrderWithPayments }
  | { status: 'exceeds-unpaid'; unpaidPaise: Paise; order: OrderWithPayments };

/**
 * Records a payment once. If the customer began a UPI payment of this amount, that payment becomes
 * 'received'; otherwise a new one is inserted. Credits an overpayment to the wallet. The order's
 * lock makes concurrent calls wait for each other, so that of two equal calls one records. Throws
 * `ApiError` (conflict) if the customer is erased.
 */
export async function recordManualPayment(tx: Tx, laundry: Laundry, payment: ManualPayment, now: Date): Promise<ManualPaymentResult> {
  const { orderid, method, amountPaise, note = null, mayOverpay = false, mayRepeat = false } = payment;
  await lockOrder(tx, laundry, orderid);
  const order = await readOrderWithPayments(tx, orderid);
  if (!order) return { status: 'unknown-order' };
  const { unpaidPaise: unpaid, finalPaise: due } = order;
  if (unpaid === null || due === null) return { status: 'not-payable-yet', order };
  const isEqual = (row: RecordedPayment) => row.method === method && row.amountPaise === amountPaise && row.note === note;
  const equal = order.payments.filter(countsAsPaid).find(isEqual);
  if (equal && !mayRepeat) return { status: 'already-recorded', payment: equal, order };
  if (amountPaise > unpaid && !mayOverpay) return { status: 'exceeds-unpaid', unpaidPaise: unpaid, order };
  const received = await insertManualPayment(tx, { ...payment, duePaise: due }, now);
  const overpayment = await creditOverpayment(tx, received, now);
  const after = await readOrderWithPayments(tx, orderid);
  invariant(after, 'the order is locked');
  return { status: 'recorded', reference: received.reference, ...overpayment, order: after };
}

async function insertManualPayment(
  tx: Tx,
  { orderid, method, amountPaise, note, duePaise: due }: ManualPayment & { duePaise: Paise },
  now: Date,
): Promise<ReceivedPayment> {
  const transactionId = newId();
  const pending = await findPending(tx, { order_id: orderid, method, amount_paise: amountPaise });
  const moved = pending && (await settlePayment(tx, pending.tid, 'received', transactionId, now, note));
  if (moved) return { orderid, ...moved };
  const row = { tid: newTid(), order_id: orderid, method, amount_paise: amountPaise, due_paise: due, note: note ?? null };
  const received = {
    state: 'received' as const,
    reference: transactionId,
    transaction_id: transactionId,
    created_at: now,
    settled_at: now,
  };
  await insertReceived(tx, { ...row, ...received }, now);
  return { orderid, amount_paise: amountPaise, reference: transactionId };
}

/** A UPI payment that a customer began. */
interface BegunPayment {
  orderid: string;
  reference: string;
}

/**
 * Receives a UPI payment that the customer began, once, when the bank has it: also for an order
 * that is paid or cancelled meanwhile, and after a dismissal. An overpayment is credited. Returns
 * 'settled' if it was received before. Throws `ApiError` (conflict) if the customer is erased.
 */
export async function confirmUpiPayment(
  tx: Tx,
  laundry: Laundry,
  { orderid, reference }: BegunPayment,
  now: Date,
): Promise<'received' | 'unknown-payment' | 'settled'> {
  await lockOrder(tx, laundry, orderid);
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
 * Throws `ApiError` (conflict) if the customer is erased.
 */
export async function dismissUpiPayment(
  tx: Tx,
  laundry: Laundry,
  { orderid, reference, reason }: BegunPayment & { reason: string },
  now: Date,
): Promise<'dismissed' | 'unknown-payment' | 'settled'> {
  await lockOrder(tx, laundry, orderid);
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
  await lockOrder(tx, laundry, row.order_id);
  const before = await readOrderAndPayment(tx, row.order_id, reference);
  if (before.payment.reversal) return { status: 'already-reversed', ...before };

  const order = await findOrderToPay(tx, row.order_id);
  invariant(order && order.weightGrams !== null, 'a received payment has a weighed order');
  const others = before.order.payments.filter((payment) => countsAsPaid(payment) && payment !== before.payment);
  const reduction = await reduceCreditWithEvent(tx, {
    customerId: order.customerId,
    orderId: row.order_id,
    remainingPaise: overpaidPaise(order, paidPaise(others)),
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
