/**
 * Payments for orders: half from the wallet, the rest by UPI, gateway or cash. Specification
 * sections 2 to 4 and 7 to 9; docs/decisions/0010.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { expectedUserid, defineCall, resourceId, kilograms, noData, rupees } from '../../contract/define-call.ts';
import { orderError } from '../orders/contract.ts';

export const PAYMENT_METHODS = ['wallet', 'cash', 'upi', 'gateway'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** The table of payment states. A database trigger refuses every other transition. */
export const PAYMENT_STATES = [
  { state: 'pending', after: [] },
  { state: 'failed', after: ['pending'] },
  // A failed payment can still be received: its page may be paid late.
  { state: 'received', after: ['pending', 'failed'] },
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number]['state'];

const PAGES_AND_FILES = ['auth', 'webview', 'staff', 'assets', 'docs'];
const FOLDERS_OF_CALLS =
  'address analytics claims combinedata error getters login messages offers orders payments privacy refer reviews transactions verification'.split(
    ' ',
  );

/** First path segments that are not codes of a result page (design section 6, "Payment result"). */
export const NO_RESULT_CODES: readonly string[] = [...PAGES_AND_FILES, ...FOLDERS_OF_CALLS];

export const paymentMessages = defineMessages({
  payable: 'Wallet payment',
  alreadyPaid: 'Already Paid',
  paid: 'Paid ₹{amount} for order {orderid} with wallet',
  received: 'Payment received',
  pending: 'Payment pending',
  unconfirmed: 'We cannot confirm your payment right now, it may take 24 hours to update your transaction',
  calm: 'Stay calm your money is in safe hands!',
  orderPayments: 'Payments',
  started: 'Payment started',
  reported: 'We check it against our bank statement',
});

export const paymentError = defineErrors({
  'already-paid': 'Already Paid',
  'wallet-payment-failed': 'Something went wrong please report it at {email}',
  'insufficient-balance': "You can't use this payment method due to insufficient balance",
  // The specification has no texts for these, because its link to the page is hidden in these
  // stages.
  'not-payable-yet': 'You can pay with your wallet once your clothes are weighed and in the queue',
  'order-delivered': 'This order is delivered and cannot be paid with the wallet any more',
  'nothing-to-pay': 'Nothing is left to pay for this order',
  'payment-pending': 'Payment pending',
  'rest-changed': 'What is left to pay has changed, please look again',
  'method-not-offered': 'This way to pay is not offered',
  'gateway-failed': 'The payment page could not be opened, please try again later',
});

export const walletPayment = defineCall({
  method: 'POST',
  path: 'combinedata/walletpayment',
  summary: "The amount that the wallet pays for an order: half of it. The message is 'Already Paid' if it has paid.",
  caller: 'customer',
  errors: {
    ...orderError.pick('order-not-found', 'order-cancelled'),
    ...paymentError.pick('not-payable-yet', 'order-delivered', 'nothing-to-pay'),
  },
  body: z.object({ userid: expectedUserid, orderid: resourceId }),
  data: z.array(
    z.object({
      program_name: z.string(),
      /** Per unit of the program, with the discount of the offer. */
      order_rate: rupees,
      unit: z.string(),
      /** Percent off that `order_rate` contains. */
      offer_rate: z.int().check(z.gte(0), z.lte(100)),
      total_amount: rupees,
      total_weight: kilograms,
      /** The balance. */
      wallet: rupees,
      /** The amount that the wallet pays or has paid. */
      walletpayment: rupees,
      /** The amount left to pay by UPI or in cash after that. */
      left: rupees,
      /** The amount paid beyond the cost. A process of the version before does not send it. */
      returned: z.optional(rupees),
      /** True if the wallet has paid; the message is then 'Already Paid'. */
      already_paid: z.boolean(),
    }),
  ),
});
export type WalletPayment = z.output<typeof walletPayment.data>[number];

export const payWithWallet = defineCall({
  method: 'POST',
  path: 'combinedata/paywithwallet',
  summary: 'Pay half of an order from the wallet, once. The amount must be the server’s own; the balance the page showed is not used.',
  caller: 'customer',
  errors: {
    ...orderError.pick('order-not-found', 'order-cancelled'),
    ...paymentError.pick(
      'already-paid',
      'wallet-payment-failed',
      'insufficient-balance',
      'not-payable-yet',
      'order-delivered',
      'nothing-to-pay',
    ),
  },
  body: z.object({ userid: expectedUserid, orderid: resourceId, walletpayment: rupees, walletbalance: z.optional(z.number()) }),
  data: noData,
});

/**
 * The tid is a capability: it alone grants access. Unknown and unpaid tids get the same response.
 */
export const getPaymentDetails = defineCall({
  method: 'POST',
  path: 'payments/getorderdetails.php',
  summary: 'A received payment and its order, as a list of one.',
  caller: 'anyone',
  errors: paymentError.pick('payment-pending'),
  body: z.object({ tid: resourceId }),
  data: z.array(
    z.object({
      /** The order's final amount. */
      total_amount: rupees,
      name: z.string(),
      orderid: z.string(),
      total_items: z.nullable(z.int()),
      total_weight: z.nullable(kilograms),
      /** Date-time in Asia/Kolkata. */
      pg_date: z.string(),
      pg_transactionid: z.string(),
      /** The amount of this payment. */
      pg_amount: rupees,
      /** The order was cancelled: everything that was paid for it went back. */
      is_cancelled: z.boolean(),
      /** The laundry has noted cash for the order. */
      is_paid_in_cash: z.boolean(),
      /** The amount paid beyond the cost of the order. It belongs to the customer's wallet. */
      returned: rupees,
      /**
       * True for an unassigned order of a guest: credited once the order is assigned to an account.
       * The name stays, because pages that are open during an upgrade read it.
       */
      is_held: z.boolean(),
    }),
  ),
});
export type PaymentDetails = z.output<typeof getPaymentDetails.data>[number];

export const getOrderPayments = defineCall({
  method: 'POST',
  path: 'payments/getorderpayments',
  summary: 'The payments of an order, its unpaid amount, and the methods to pay it.',
  caller: 'customer-or-guest',
  errors: orderError.pick('order-not-found'),
  body: z.object({ userid: expectedUserid, orderid: resourceId }),
  data: z.object({
    /** Null until the clothes are weighed and in the queue. */
    rest: z.nullable(rupees),
    paid: z.array(z.object({ method: z.enum(PAYMENT_METHODS), amount: rupees, paid_on: z.string() })),
    /** The overpaid amount, which was credited to the wallet. */
    returned: rupees,
    /** The methods that are offered while an amount is left. */
    ways: z.array(z.enum(['upi', 'gateway'])),
    /**
     * The balance and what it would pay; null if the wallet cannot pay, or not any more. Not
     * `covered`: the balance is too small.
     */
    wallet: z.nullable(z.object({ balance: rupees, pays: rupees, covered: z.boolean() })),
    /** The newest online payment while an amount is left, unless it was received. */
    online: z.nullable(z.object({ tid: z.string(), amount: rupees, state: z.enum(['pending', 'failed']), begun_on: z.string() })),
    /**
     * The UPI payment that the customer reported as paid at `reported_at`, until the laundry notes
     * or dismisses it. Otherwise the newest that the customer began, while an amount is left.
     */
    upi: z.nullable(z.object({ tid: z.string(), amount: rupees, begun_on: z.string(), reported_at: z.nullable(z.string()) })),
    /** The reported UPI payment that the laundry did not find at its bank, with its reason. */
    dismissed_upi: z.nullable(
      z.object({ tid: z.string(), amount: rupees, reported_at: z.string(), dismissed_at: z.string(), reason: z.string() }),
    ),
  }),
});
export type OrderPayments = z.output<typeof getOrderPayments.data>;

export const startPayment = defineCall({
  method: 'POST',
  path: 'payments/startpayment',
  summary:
    'Start a payment of the unpaid amount. `amount` is the amount that the page showed: if it is not the unpaid amount, no payment starts.',
  caller: 'customer-or-guest',
  errors: {
    ...orderError.pick('order-not-found', 'order-cancelled'),
    ...paymentError.pick('not-payable-yet', 'nothing-to-pay', 'rest-changed', 'method-not-offered', 'gateway-failed'),
  },
  body: z.object({ userid: expectedUserid, orderid: resourceId, method: z.enum(['upi', 'gateway']), amount: rupees }),
  data: z.object({
    tid: z.string(),
    amount: rupees,
    /** A upi: link, or the gateway's page. */
    url: z.string(),
  }),
});
export type StartedPayment = z.output<typeof startPayment.data>;

export const reportPaid = defineCall({
  method: 'POST',
  path: 'payments/reportpaid',
  summary: 'The customer reports that a begun UPI payment is paid. Repeatable: the first report counts.',
  caller: 'customer-or-guest',
  errors: orderError.pick('order-not-found'),
  body: z.object({ userid: expectedUserid, orderid: resourceId, tid: resourceId }),
  data: noData,
});
