/** What may be paid, and how a payment moves on. Pure. Specification sections 4 and 9; design section 6, "Wallet payment" and "Amounts". */
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { Told } from '../../i18n/messages.ts';
import { asPaise, walletPartPaise, type Paise } from '../../lib/money.ts';
import type { Stage } from '../orders/contract.ts';
import { amountsOf, mayPayFromWallet } from '../orders/rules.ts';
import { NO_RESULT_CODES, PAYMENT_STATES, paymentMessages, type PaymentMethod, type PaymentState } from './contract.ts';

/** The states from which a payment may enter `state`. */
export const statesBefore = (state: PaymentState): readonly PaymentState[] =>
  PAYMENT_STATES.find((row) => row.state === state)?.after ?? [];

export const isResultCode = (code: string): boolean => !NO_RESULT_CODES.includes(code.toLowerCase());

/** An order as paying sees it. */
export interface PayableOrder {
  stage: Stage;
  ratePaise: Paise;
  offerPercent: number;
  weightGrams: number | null;
}

export interface Received {
  method: PaymentMethod;
  amountPaise: Paise;
}

/** Null while the order is not in the laundry: until then the scale may still change it. */
export const duePaise = (order: PayableOrder): Paise | null => (order.stage === 'pickup' ? null : (amountsOf(order)?.final ?? null));

export const receivedPaise = (received: readonly Received[]): Paise =>
  asPaise(received.reduce((sum, { amountPaise }) => sum + amountPaise, 0));

/** What is left to pay; never less than nothing. */
export const restPaise = (due: Paise, received: readonly Received[]): Paise => asPaise(Math.max(0, due - receivedPaise(received)));

/** What came beyond that. */
export const changePaise = (due: Paise, received: readonly Received[]): Paise => asPaise(Math.max(0, receivedPaise(received) - due));

/** What the wallet pays of an order, what it paid already, or why it cannot pay. */
export type WalletPart = { partPaise: Paise; duePaise: Paise } | { paidPaise: Paise } | { refusal: Told };

export function walletPartOf(order: PayableOrder, received: readonly Received[]): WalletPart {
  const before = received.find(({ method }) => method === 'wallet');
  if (before) return { paidPaise: before.amountPaise };
  const due = duePaise(order);
  if (due === null) return { refusal: paymentMessages.notYet };
  if (!mayPayFromWallet(order.stage)) return { refusal: paymentMessages.tooLate };
  const part = walletPartPaise(due);
  // Half of a single paisa is nothing.
  if (part === 0 || restPaise(due, received) < part) return { refusal: paymentMessages.inFull };
  return { partPaise: part, duePaise: due };
}

/** A gateway's page that nobody pays at for a day is over; the order can be paid again. */
const PAGE_LIVES_SECONDS = DAY_SECONDS;
/** Time to pay for who is led there last; and Razorpay makes no page that ends within a quarter of an hour. */
const TIME_TO_PAY_SECONDS = 30 * 60;

/** When the page of a payment begun then is over, whenever it was opened. */
export const pageEnds = (begunAt: Date): Date => addSeconds(begunAt, PAGE_LIVES_SECONDS);

export const leadsToItsPage = (begunAt: Date, now: Date): boolean => addSeconds(now, TIME_TO_PAY_SECONDS) <= pageEnds(begunAt);

/** A result page looks every few seconds; the gateway hears less of it. */
const ASK_EVERY_SECONDS = 5;
/** What was given up is asked about for as long as its page was open, and a day more. */
const ASKED_ABOUT_SECONDS = 2 * PAGE_LIVES_SECONDS;

export const checkTimes = (now: Date, everySeconds = ASK_EVERY_SECONDS) => ({
  uncheckedSince: addSeconds(now, -everySeconds),
  failedSince: addSeconds(now, -ASKED_ABOUT_SECONDS),
});

export interface UpiPayee {
  /** The virtual payment address, as in 'laundry@bank'. */
  vpa: string;
  name: string;
}

/** Spaces as %20 and the @ as it is: payment apps read this, and not all of them decode more than they must. */
const upiValue = (value: string) => encodeURIComponent(value).replaceAll('%40', '@');

/** A link that opens a payment app with everything filled in (NPCI's UPI linking specification); its QR code is the same text. */
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
