/** Payments that the staff takes and reverses. docs/decisions/0053 and 0063. */
import { formatAmount, type Paise } from '../../lib/money.ts';
import type { ReversedCash } from '../orders/events-contract.ts';
import { insertReceivedCash } from '../cash/store.server.ts';
import { MANUAL_PAYMENT_LIMITS, type ManualPaymentMethod } from '../manual-payments/rules.ts';
import { confirmUpiPayment, dismissUpiPayment, recordManualPayment, reverseManualPayment } from '../manual-payments/service.server.ts';
import { setNotificationsDue } from '../notifications/store.server.ts';
import { undoableUntil } from '../orders/rules.ts';
import { laundryOf, type StaffMember } from '../staff/authentication.server.ts';
import { deleteCredit } from '../staff/audit-store.server.ts';
import type { CreditLimit } from '../staff/credits-service.server.ts';
import type { StaffTransaction } from '../staff/service.server.ts';
import { updateOrder, spentError, type UpdateOutcome, type UpdateRequest } from './update-order-service.server.ts';
import { deskError, type receive, type reversePayment } from './desk/contract.ts';
import { upiError, type confirmUpi, type dismissUpi } from './desk/upi-contract.ts';
import { unpaidPaiseOf } from './queries-service.server.ts';
import { findPayment } from './payments-store.server.ts';
import type { DeskOrderRow } from './store.server.ts';

export interface CreditLimits extends CreditLimit {
  /** The most by which a cash payment may exceed the unpaid amount, unless an owner notes it. */
  maxCashChangePaise: Paise;
}

interface ReceiveRequest extends UpdateRequest {
  method: ManualPaymentMethod;
  amount: Paise;
  overpaid?: boolean | undefined;
}

/**
 * Records a payment in cash, which the person then holds, or by UPI. Each call records a payment,
 * or receives the pending UPI payment of this amount that the customer began.
 * With `overpaid`, the wallet gets the excess, which counts in the daily limit. Without it, an
 * excess is an error. Throws like `updateOrder`.
 */
export const receivePayment = (
  limits: CreditLimits,
  context: StaffTransaction,
  request: ReceiveRequest,
): Promise<UpdateOutcome<typeof receive>> =>
  updateOrder(context, request, {
    action: 'receive-payment',
    isForbiddenOnOwnOrder: true,
    creditLimit: limits,
    // The person owes the change with the cash. Owners have no limit of a day, and count their own.
    ...(request.method === 'cash' && context.staff.role !== 'owner' && { creditWithoutFreshLoginPaise: limits.maxCashChangePaise }),
    apply: async (order, locked) => {
      const { tx, staff, now } = context;
      const { amount: amountPaise, method, note, overpaid: mayOverpay = false } = request;
      if (amountPaise < MANUAL_PAYMENT_LIMITS.min || amountPaise > MANUAL_PAYMENT_LIMITS.max) return deskError('impossible-amount');
      const forbidden = mayOverpay ? checkExcess(limits, staff, order, request) : null;
      if (forbidden) return forbidden;
      // The Idempotency-Key distinguishes a repeated request from a second payment.
      const payment = { method, amountPaise, mayOverpay, ...(note && { note }) };
      const result = await recordManualPayment(tx, locked, payment, now);
      switch (result.status) {
        case 'recorded':
          // The person holds the cash until another person counts it.
          if (method === 'cash') await insertReceivedCash(tx, { staffId: staff.id, tid: result.tid, amountPaise }, now);
          return null;
        case 'exceeds-unpaid':
          return deskError('more-than-due', { rest: formatAmount(result.unpaidPaise) });
        case 'not-payable-yet':
          return deskError('amount-unknown');
      }
    },
    onEventsWritten: delayMessages(context),
  });

/** Messages about the payment and its change wait: a reversal within this time withdraws both. */
const delayMessages =
  ({ tx, now }: StaffTransaction) =>
  (eventIds: readonly number[]) =>
    setNotificationsDue(tx, eventIds, undoableUntil(now));

interface UpiRequest extends UpdateRequest {
  reference: string;
}

const UPI_ERRORS = { 'unknown-payment': upiError('upi-not-found'), settled: upiError('upi-settled') } as const;

/**
 * Receives a UPI payment that the customer began, once, also after a dismissal. The wallet gets an
 * overpayment, which counts in the daily limit. Throws like `updateOrder`.
 */
export const confirmUpiAtDesk = (
  limits: CreditLimits,
  context: StaffTransaction,
  request: UpiRequest,
): Promise<UpdateOutcome<typeof confirmUpi>> =>
  updateOrder(context, request, {
    action: 'receive-payment',
    isForbiddenOnOwnOrder: true,
    creditLimit: limits,
    apply: async (_, locked) => {
      const result = await confirmUpiPayment(context.tx, locked, request.reference, context.now);
      return result === 'received' ? null : UPI_ERRORS[result];
    },
    onEventsWritten: delayMessages(context),
  });

/**
 * Dismisses a UPI payment that the customer reported and the bank does not have. No money moves.
 * The customer reads the reason. Throws like `updateOrder`.
 */
export const dismissUpiAtDesk = (
  context: StaffTransaction,
  request: UpiRequest & { reason: string },
): Promise<UpdateOutcome<typeof dismissUpi>> =>
  updateOrder(context, request, {
    action: 'dismiss-payment',
    apply: async (_, locked) => {
      const result = await dismissUpiPayment(context.tx, locked, request, context.now);
      return result === 'dismissed' ? null : UPI_ERRORS[result];
    },
  });

/**
 * Returns the error of an excess that the person may not record, or null. Only an owner may record
 * one by UPI, because only the owner reads the bank's statement.
 */
function checkExcess(
  { maxCashChangePaise: maxPaise }: CreditLimits,
  { role }: StaffMember,
  order: DeskOrderRow,
  { method, amount }: ReceiveRequest,
) {
  const unpaid = unpaidPaiseOf(order);
  if (role === 'owner' || unpaid === null || amount <= unpaid) return null;
  if (method === 'upi') return deskError('upi-more-than-due', { rest: formatAmount(unpaid) });
  return amount - unpaid > maxPaise ? deskError('too-much-change', { max: formatAmount(maxPaise), rest: formatAmount(unpaid) }) : null;
}

/**
 * Reverses a payment that a person recorded by mistake, once: its amount is due again, its change
 * is debited from the wallet, and its cash is taken from the person who holds it. Sends a message,
 * and the customer reads the reason. Returns an error if the customer has spent the change. Throws
 * like `updateOrder`.
 */
export async function reversePaymentAtDesk(
  context: StaffTransaction,
  { tid, reason, cash, at }: { tid: string; reason: string; cash?: ReversedCash | undefined; at?: string | undefined },
): Promise<UpdateOutcome<typeof reversePayment>> {
  const { tx, staff, now } = context;
  const payment = await findPayment(tx, tid);
  if (!payment) return { error: deskError('payment-not-found') };
  return updateOrder(
    context,
    { orderid: payment.order_id, at, reason },
    {
      action: 'reverse-payment',
      ...(payment.method === ('cash' satisfies ManualPaymentMethod) && { auditDetails: { reversed_cash: cash ?? 'given-back' } }),
      apply: async () => {
        const result = await reverseManualPayment(tx, laundryOf(staff), { reference: payment.reference, reason, cash }, now);
        switch (result.status) {
          case 'reversed':
            await deleteCredit(tx, {
              action: 'receive-payment',
              subject: ['order', payment.order_id],
              at: payment.settled_at,
              matches: { receivedBy: payment.received_by_id, amountPaise: payment.amount_paise },
            });
            return null;
          case 'change-spent':
            return spentError(result);
          case 'unknown-payment':
            return deskError('payment-not-found');
          case 'already-reversed':
          case 'not-manual':
            return deskError(result.status);
        }
      },
    },
  );
}
