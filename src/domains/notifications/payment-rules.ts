/** Which message names a received payment. docs/decisions/0132. Pure functions. */
import { asPaise, excessPaise, type Paise } from '../../lib/money.ts';
import { isCancelledStage, undoableUntil } from '../orders/rules.ts';
import { isManual } from '../manual-payments/rules.ts';
import type { PaymentMethod } from '../payments/contract.ts';
import { countsAsPaid, paidPaise } from '../payments/rules.ts';

interface Payment {
  reference: string;
  method: PaymentMethod;
  amountPaise: Paise;
  receivedAt: Date;
  reversal: { at: Date } | null;
}

/** The payments of an order. */
export interface PaymentsOfOrder {
  /** A guest has the order, and no account has claimed it. */
  isUnassigned: boolean;
  finalPaise: Paise | null;
  /** The received payments, also reversed ones, the oldest first. */
  payments: readonly Payment[];
}

/**
 * Returns the payments that have one message: those that the staff notes within the minute after
 * the first one, which the message waits for. Every other payment has a message of its own.
 */
function listJoined({ payments }: PaymentsOfOrder, payment: Payment): Payment[] {
  if (!isManual(payment.method)) return [payment];
  let joined: Payment[] = [];
  for (const other of payments.filter(({ method }) => isManual(method))) {
    if (joined[0] && other.receivedAt < undoableUntil(joined[0].receivedAt)) joined.push(other);
    else if (joined.includes(payment)) break;
    else joined = [other];
  }
  return joined;
}

/**
 * Returns the received amount that the message of a payment names, and what is left to pay. Returns
 * null if an earlier message names the payment, if it was reversed since, or if the order is
 * cancelled: 'refunded' or the message of the cancellation then names the money.
 */
export function amountsOfPayment(reference: string, stage: string, order: PaymentsOfOrder): { received: Paise; unpaid: Paise } | null {
  const payment = order.payments.find((row) => row.reference === reference);
  const joined = payment ? listJoined(order, payment) : [];
  const received = paidPaise(joined.filter(countsAsPaid));
  if (joined[0] !== payment || received === 0 || order.finalPaise === null) return null;
  if (!isCancelledStage(stage)) return { received, unpaid: excessPaise(order.finalPaise, paidPaise(order.payments.filter(countsAsPaid))) };
  // The refund of an order that no account has claimed sends no message yet.
  return order.isUnassigned ? { received, unpaid: asPaise(0) } : null;
}

/** Returns true if a payment was reversed before its message was sent. */
export function isReversedUnnamed(reference: string, reversedAt: Date, order: PaymentsOfOrder): boolean {
  const payment = order.payments.find((row) => row.reference === reference);
  const [first] = payment ? listJoined(order, payment) : [];
  return first !== undefined && reversedAt < undoableUntil(first.receivedAt);
}

/**
 * Returns true if the payment that caused a refund was reversed before the message about the refund
 * was sent. An overpayment is refunded at the time of its payment.
 */
export const isRefundReversed = (refundedAt: Date, { payments }: PaymentsOfOrder): boolean =>
  payments.some(({ method, receivedAt, reversal }) => isManual(method) && reversal && receivedAt.getTime() === refundedAt.getTime());
