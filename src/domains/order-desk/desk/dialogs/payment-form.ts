/** The amount of a payment at the door, and the questions that it raises. Pure functions. */
import { asPaise, type Paise } from '../../../../lib/money.ts';
import { parseTypedRupees } from '../../../../lib/typed-money.ts';
import { MANUAL_PAYMENT_LIMITS, type ManualPaymentMethod } from '../../../manual-payments/rules.ts';
import type { BegunOnline } from '../begun-online.ts';
import type { BegunUpi } from '../begun-upi.ts';

/** This multiple of the amount due is more likely a slip than a payment. */
const LIKELY_SLIP = 3;

export interface TypedPayment {
  method: ManualPaymentMethod;
  /** The amount in rupees, as typed. */
  text: string;
}

/** The amount left to pay, and the payments that the customer began. */
export interface PaymentContext {
  left: Paise;
  /** Also one that was reported as paid. */
  begunUpi: BegunUpi | null;
  begunOnline: BegunOnline | null;
}

/**
 * Returns the amount of a typed payment and the questions that it raises. If `isPossible` is false,
 * there are none, and `amount` is zero.
 */
export function readPaymentForm({ method, text }: TypedPayment, { left, begunUpi, begunOnline }: PaymentContext) {
  const typed = parseTypedRupees(text);
  const isPossible = typed >= MANUAL_PAYMENT_LIMITS.min && typed <= MANUAL_PAYMENT_LIMITS.max;
  const amount = asPaise(isPossible ? typed : 0);
  const excess = asPaise(Math.max(0, amount - left));
  const reported = begunUpi !== null && begunUpi.reported_at !== null ? begunUpi : null;
  // The same payment by UPI is the reported one, which the server then receives.
  const isPaidTwice = isPossible && reported !== null && !(method === 'upi' && amount === reported.amount);
  const mayArriveOnline = isPossible && begunOnline !== null;
  return {
    amount,
    isPossible,
    /** The part that goes to the wallet. */
    excess,
    isPaidTwice,
    mayArriveOnline,
    isLikelySlip: left > 0 && amount >= LIKELY_SLIP * left,
    needsQuestion: excess > 0 || isPaidTwice || mayArriveOnline,
    /** Another payment, or one that the customer has begun meanwhile, is another question. */
    question: [method, amount, reported?.reported_at, begunOnline?.begun_at].join(' '),
  };
}
