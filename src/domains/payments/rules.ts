/**
 * Amounts and states of payments: pure functions. Specification sections 4 and 9; design section 6,
 * "Wallet payment" and "Amounts".
 */
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { asPaise, excessPaise, walletPartPaise, type Paise } from '../../lib/money.ts';
import { orderError, type Stage } from '../orders/contract.ts';
import { calculateAmounts, calculateDue, calculateUnpaid, isCancelledStage, mayPayFromWallet, type PricedOrder } from '../orders/rules.ts';
import { NO_RESULT_CODES, PAYMENT_STATES, paymentError, type PaymentMethod, type PaymentState } from './contract.ts';

/** Returns the states from which a payment may enter `state`. */
export const statesBefore = (state: PaymentState): readonly PaymentState[] =>
  PAYMENT_STATES.find((row) => row.state === state)?.after ?? [];

/** Returns true if the first path segment can be the code of a result page. */
export const isResultCode = (code: string): boolean => !NO_RESULT_CODES.includes(code.toLowerCase());

/** The values of an order that determine its payments. */
export interface PayableOrder extends PricedOrder {
  stage: Stage;
}

/** A payment that counts as paid: received, and not reversed. */
export interface PaidAmount {
  method: PaymentMethod;
  amountPaise: Paise;
}

const finalPaise = (order: PayableOrder): Paise | null => calculateAmounts(order)?.final ?? null;

/** Returns the final amount, 0 once the order is cancelled, or null before it is weighed. */
export const chargedPaise = (order: PayableOrder): Paise | null => (isCancelledStage(order.stage) ? asPaise(0) : finalPaise(order));

/** Returns the amount of `calculateDue`. */
export const duePaise = (order: PayableOrder): Paise | null => calculateDue(order.stage, finalPaise(order));

export const paidPaise = (paid: readonly PaidAmount[]): Paise => asPaise(paid.reduce((sum, { amountPaise }) => sum + amountPaise, 0));

/** Returns the amount of `calculateUnpaid`. */
export const unpaidPaise = (order: PayableOrder, paid: number): Paise | null => calculateUnpaid(order.stage, finalPaise(order), paid);

/**
 * Returns the largest further payment of which nothing is overpaid. It is the unpaid amount, except
 * for an order that was moved back to its pickup: no amount is due, but a payment is not overpaid.
 */
export const uncoveredPaise = (order: PayableOrder, paid: number): Paise => excessPaise(chargedPaise(order) ?? 0, paid);

/**
 * Returns the part of `paid` that exceeds the final amount, or all of it if the order is cancelled.
 * Returns 0 for any other order that is not weighed. An order that was moved back to its pickup has
 * no amount due, but can be overpaid.
 */
export function overpaidPaise(order: PayableOrder, paid: number): Paise {
  const charged = chargedPaise(order);
  return charged === null ? asPaise(0) : excessPaise(paid, charged);
}

/** The amount to pay from the wallet, the amount that it paid before, or why it cannot pay. */
export type WalletPart =
  | { partPaise: Paise; duePaise: Paise }
  | { walletPaidPaise: Paise }
  | { error: ErrorMessage<'not-payable-yet' | 'order-delivered' | 'nothing-to-pay' | 'order-cancelled'> };

/**
 * Returns the part that the wallet can pay, half of the amount due rounded down to a paisa, or the
 * amount that it has paid before. Returns the error if it cannot pay. Ignores the balance.
 */
export function calculateWalletPart(order: PayableOrder, paid: readonly PaidAmount[]): WalletPart {
  if (isCancelledStage(order.stage)) return { error: orderError('order-cancelled') };
  const earlier = paid.find(({ method }) => method === 'wallet');
  if (earlier) return { walletPaidPaise: earlier.amountPaise };
  const due = duePaise(order);
  if (due === null) return { error: paymentError('not-payable-yet') };
  if (!mayPayFromWallet(order.stage)) return { error: paymentError('order-delivered') };
  const part = walletPartPaise(due);
  // Half of 1 paisa rounds down to 0.
  if (part === 0 || excessPaise(due, paidPaise(paid)) < part) return { error: paymentError('nothing-to-pay') };
  return { partPaise: part, duePaise: due };
}

/** A gateway page expires after a day. The order can then be paid by a new payment. */
const PAGE_LIFETIME_SECONDS = DAY_SECONDS;
/** The minimum time that a customer has to pay. Razorpay's minimum for a new page is 15 minutes. */
const TIME_TO_PAY_SECONDS = 30 * 60;

/** Returns when the page of a payment expires, whenever it was opened. */
export const pageExpiresAt = (begunAt: Date): Date => addSeconds(begunAt, PAGE_LIFETIME_SECONDS);

/** Returns true if the page is open for another `TIME_TO_PAY_SECONDS`. */
export const hasUsablePage = (begunAt: Date, now: Date): boolean => addSeconds(now, TIME_TO_PAY_SECONDS) <= pageExpiresAt(begunAt);

/** The gateway is called once in this time for each payment, in all processes together. */
export const GATEWAY_INTERVAL_SECONDS = 2;
/** Failed payments are checked for a day after their page expires. */
const FAILED_CHECK_SECONDS = 2 * PAGE_LIFETIME_SECONDS;

/** Returns the limits of `acquireCheck` and `listOpenPayments` in the store. */
export const checkTimes = (now: Date) => ({
  uncheckedSince: addSeconds(now, -GATEWAY_INTERVAL_SECONDS),
  failedSince: addSeconds(now, -FAILED_CHECK_SECONDS),
});

/**
 * Seven days after its start, a payment without a page at the present gateway fails: no status will
 * arrive.
 */
const ABANDONED_AFTER_SECONDS = 7 * DAY_SECONDS;
/** Thirty days after its start, a UPI payment that the customer did not report fails. */
const UPI_ABANDONED_AFTER_SECONDS = 30 * DAY_SECONDS;

/**
 * Returns the time before which a begun UPI payment is abandoned: it fails, unless the customer has
 * reported it as paid.
 */
export const upiAbandonedBefore = (now: Date): Date => addSeconds(now, -UPI_ABANDONED_AFTER_SECONDS);

/** Returns the limits of `failAbandoned` in the store. */
export const abandonedTimes = (now: Date) => ({
  begunBefore: addSeconds(now, -ABANDONED_AFTER_SECONDS),
  upiBegunBefore: upiAbandonedBefore(now),
});

export interface UpiPayee {
  /** The virtual payment address, as in 'laundry@bank'. */
  vpa: string;
  name: string;
}

/** Encodes spaces as %20 and does not encode @, because some payment apps decode only %20. */
const upiValue = (value: string) => encodeURIComponent(value).replaceAll('%40', '@');

/**
 * Returns a link, also shown as a QR code, that opens a payment app with all fields filled in
 * (NPCI's UPI linking specification).
 */
export function upiLink(payee: UpiPayee, payment: { amountPaise: Paise; reference: string; orderid: string }): string {
  const values = {
    pa: payee.vpa,
    pn: payee.name,
    tr: payment.reference,
    tn: `Order ${payment.orderid}`,
    am: (payment.amountPaise / 100).toFixed(2),
    cu: 'INR',
  };
  const query = Object.entries(values).map(([name, value]) => `${name}=${upiValue(value)}`);
  return `upi://pay?${query.join('&')}`;
}

/** Returns true if the received payment was not reversed. */
export const countsAsPaid = ({ reversal }: { reversal: object | null }): boolean => reversal === null;
