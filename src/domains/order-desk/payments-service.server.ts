/** Payments that the staff takes and reverses. docs/decisions/0053 and 0063. */
import { invariant } from '../../lib/invariant.ts';
import { formatAmount, type Paise } from '../../lib/money.ts';
import { insertReceivedCash } from '../cash/store.server.ts';
import { MANUAL_PAYMENT_LIMITS, type ManualPaymentMethod } from '../manual-payments/rules.ts';
import { confirmUpiPayment, dismissUpiPayment, recordManualPayment, reverseManualPayment } from '../manual-payments/service.server.ts';
import { orderError } from '../orders/contract.ts';
import { laundryOf, type StaffMember } from '../staff/authentication.server.ts';
import type { CreditLimit, StaffTransaction } from '../staff/service.server.ts';
import { updateOrder, spentError, type UpdateRequest } from './update-order-service.server.ts';
import { deskError } from './desk/contract.ts';
import { upiError } from './desk/upi-contract.ts';
import { leftToPay } from './queries-service.server.ts';
import { findPayment, findPaymentOfReference } from './payments-store.server.ts';
import type { DeskOrderRow } from './store.server.ts';

export interface CreditLimits extends CreditLimit {
  /** The most that a payment in cash exceeds what is left to pay, unless an owner notes it. */
  maxCashChangePaise: Paise;
}

interface ReceiveRequest extends UpdateRequest {
  method: ManualPaymentMethod;
  amount: Paise;
  overpaid?: boolean | undefined;
}

export const receivePayment = (limits: CreditLimits, context: StaffTransaction, request: ReceiveRequest) =>
  updateOrder(context, request, {
    action: 'receive-payment',
    creditLimit: limits,
    apply: async (order) => {
      const { id } = order;
      const { amount: amountPaise, method, note, overpaid: mayOverpay = false } = request;
      if (amountPaise < MANUAL_PAYMENT_LIMITS.min || amountPaise > MANUAL_PAYMENT_LIMITS.max) return deskError('impossible-amount');
      const forbidden = mayOverpay ? checkExcess(limits, context.staff, order, request) : null;
      if (forbidden) return forbidden;
      // The Idempotency-Key distinguishes a repeated request from a second payment.
      const payment = { orderid: id, method, amountPaise, mayOverpay, mayRepeat: true, ...(note && { note }) };
      const result = await recordManualPayment(context.tx, laundryOf(context.staff), payment, context.now);
      switch (result.status) {
        case 'recorded':
          if (method === 'cash') await holdCash(context, result.reference, amountPaise);
          return null;
        case 'exceeds-rest':
          return deskError('more-than-due', { rest: formatAmount(result.restPaise) });
        case 'not-payable-yet':
          return deskError('amount-unknown');
        case 'unknown-order':
          return orderError('order-not-found', { orderid: id });
        case 'already-recorded':
          invariant(false, '`mayRepeat` skips the check for an equal payment');
      }
    },
  });

interface UpiRequest extends UpdateRequest {
  reference: string;
}

const UPI_ERRORS = { 'unknown-payment': upiError('upi-not-found'), settled: upiError('upi-settled') } as const;

export const confirmUpiAtDesk = (limits: CreditLimits, context: StaffTransaction, request: UpiRequest) =>
  updateOrder(context, request, {
    action: 'receive-payment',
    creditLimit: limits,
    apply: async () => {
      const result = await confirmUpiPayment(context.tx, laundryOf(context.staff), request, context.now);
      return result === 'received' ? null : UPI_ERRORS[result];
    },
  });

export const dismissUpiAtDesk = (context: StaffTransaction, request: UpiRequest & { reason: string }) =>
  updateOrder(
    context,
    { ...request, note: request.reason },
    {
      action: 'dismiss-payment',
      apply: async () => {
        const result = await dismissUpiPayment(context.tx, laundryOf(context.staff), request, context.now);
        return result === 'dismissed' ? null : UPI_ERRORS[result];
      },
    },
  );

/** Nothing confirms a UPI payment but the owner, who reads the bank's statement. */
function checkExcess(
  { maxCashChangePaise: maxPaise }: CreditLimits,
  { role }: StaffMember,
  order: DeskOrderRow,
  { method, amount }: ReceiveRequest,
) {
  const rest = leftToPay(order);
  if (role === 'owner' || rest === null || amount <= rest) return null;
  if (method === 'upi') return deskError('upi-more-than-due', { rest: formatAmount(rest) });
  return amount - rest > maxPaise ? deskError('too-much-change', { max: formatAmount(maxPaise), rest: formatAmount(rest) }) : null;
}

/** The person who received cash holds it until another person counts it. */
async function holdCash({ tx, staff, now }: StaffTransaction, reference: string, amountPaise: Paise) {
  const payment = await findPaymentOfReference(tx, reference);
  invariant(payment, 'the payment was just recorded');
  await insertReceivedCash(tx, { staffId: staff.id, tid: payment.tid, amountPaise }, now);
}

export async function reversePaymentAtDesk(
  context: StaffTransaction,
  { tid, reason, at }: { tid: string; reason: string; at?: string | undefined },
) {
  const { tx, staff, now } = context;
  const payment = await findPayment(tx, tid);
  if (!payment) return { error: deskError('payment-not-found') };
  return updateOrder(
    context,
    { orderid: payment.order_id, at, note: reason },
    {
      action: 'reverse-payment',
      apply: async () => {
        const result = await reverseManualPayment(tx, laundryOf(staff), { reference: payment.reference, reason }, now);
        switch (result.status) {
          case 'reversed':
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
