/**
 * A customer as the staff sees one, and what the laundry gives: credits and offers. Only the server
 * and the console load this file. docs/decisions/0057.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { defineErrors } from '../../../contract/errors.ts';
import { MAX_LINE_LENGTH, resourceId, rupees, singleLineText, typedRupees } from '../../../contract/define-call.ts';
import { accountError, loginFields } from '../../accounts/contract.ts';
import { listedOrder } from '../../order-desk/desk/contract.ts';
import { defineStaffCall, staffError } from '../../staff/desk/contract.ts';
import { OFFER_LIMITS } from '../../offers/rules.ts';
import { MOVEMENT_CAUSES, MOVEMENT_KINDS } from '../../wallet/contract.ts';

/** The credits that the staff grants. Other kinds belong to a payment. */
export const GRANTED_CREDITS = ['compensation', 'cashback', 'promotion'] as const;

/** The range of a credit, in paise. The maximum limits the effect of a typing mistake. */
export const GRANT_LIMITS = { min: 1, max: 1_000_000 };

/** An operator's offer is valid for at most this time. */
export const MAX_OPERATOR_OFFER_DAYS = 31;

/** An operator gives at most this number of offers in a day of Asia/Kolkata. */
export const MAX_OPERATOR_OFFERS_PER_DAY = 10;

/** The newest movements and offers of a customer that a look-up returns. */
export const MAX_SHOWN = 50;

export const customerMessages = defineMessages({
  found: 'Customer',
  credited: 'The wallet is credited',
  offered: 'The offer is given',
  offerEnded: 'The offer has ended',
  reversed: 'The credit is reversed',
  paidBack: 'The money is paid back',
});

export const customerError = defineErrors({
  'unknown-customer': 'Nobody has ordered or signed up with this mobile number',
  'customer-without-account': 'Only a customer with an account can receive this. This number has none.',
  'reason-too-short': 'Write a reason of 3 to 200 characters',
  'impossible-credit': 'The amount is ₹0.01 to ₹10,000',
  'impossible-offer': 'An offer is 1 to 100 percent for 1 to 3650 days',
  'offer-above-limit': 'You can give offers up to {percent}% for up to {days} days. The owner can give more.',
  'over-daily-offers': 'You can give {max} offers a day. The owner can give more.',
  'better-offer-active': 'The customer has {percent}% off. Only the owner can replace that with a smaller offer.',
  'offer-not-found': 'There is no such offer',
  'offer-ended': 'This offer has ended already',
  'entry-not-found': 'There is no such movement',
  'not-a-grant': 'Only credits that the laundry gave can be reversed here',
  'credit-reversed': 'This credit is reversed already',
  'impossible-payout': 'Enter an amount of at least ₹0.01',
  'payout-above-balance': 'The wallet has ₹{balance}',
  'credit-spent': 'The customer has spent it: the wallet has ₹{balance} of ₹{amount}',
});

const entry = z.object({
  entryid: z.string(),
  kind: z.enum(MOVEMENT_KINDS),
  /** Negative: a debit of the wallet. */
  amount: rupees,
  reason: z.string(),
  /**
   * Why the program made the movement. Null for a movement that a person made, and if the kind
   * suffices. A process of the version before does not send it.
   */
  cause: z.optional(z.nullable(z.enum(MOVEMENT_CAUSES))),
  at: z.string(),
  orderid: z.nullable(z.string()),
  reversal: z.nullable(z.object({ at: z.string(), reason: z.string() })),
  /** A grant that is not reversed. */
  is_reversible: z.boolean(),
});
export type WalletMovement = z.output<typeof entry>;

const offer = z.object({
  offerid: z.string(),
  percent: z.int(),
  days: z.int(),
  starts_at: z.string(),
  ends_at: z.string(),
  is_active: z.boolean(),
  /** It has not reached its last day, and was not ended. */
  can_end: z.boolean(),
  reason: z.string(),
});
export type GivenOffer = z.output<typeof offer>;

const customer = z.object({
  name: z.nullable(z.string()),
  mobile: z.string(),
  /** True if the mobile has no account. */
  is_guest: z.boolean(),
  since: z.string(),
  wallet: rupees,
  /** The part of it that came from promotions and cashback at most. */
  wallet_promotional: rupees,
  orders: z.array(listedOrder),
  /** There are more orders than these. */
  has_more_orders: z.boolean(),
  transactions: z.array(entry),
  offers: z.array(offer),
  /** The amount that the caller may still give. Null: without a limit. */
  limits: z.nullable(z.object({ credits_today: rupees, offer_percent: z.int(), offer_days: z.int() })),
});
export type DeskCustomer = z.output<typeof customer>;

export const getDeskCustomer = defineStaffCall({
  path: 'staff/customer',
  summary: 'A customer with orders, wallet and offers. Each look-up is in the audit.',
  errors: { ...customerError.pick('unknown-customer'), ...accountError.pick('invalid-mobile') },
  body: z.object({ mobile: loginFields.mobile }),
  data: customer,
});

const typedNumber = (max: number) =>
  z
    .codec(z.string().check(z.regex(/^\s*\d{1,4}\s*$/, customerError.code('impossible-offer'))), z.int(), {
      decode: Number,
      encode: String,
    })
    .check(z.refine((number) => number >= 1 && number <= max, customerError.code('impossible-offer')));

export const reason = singleLineText(customerError.code('reason-too-short'), { min: 3, max: MAX_LINE_LENGTH });

/** The amount of a payout as a person types it. The wallet limits it. */
export const typedPayOut = typedRupees(customerError.code('impossible-payout'), { min: 1, max: Number.MAX_SAFE_INTEGER });

/** Amount, percent and days of a grant as a person types them. */
export const typedGrant = {
  amount: typedRupees(customerError.code('impossible-credit'), GRANT_LIMITS),
  percent: typedNumber(OFFER_LIMITS.percent),
  days: typedNumber(OFFER_LIMITS.days),
} as const;

export const grant = defineStaffCall({
  path: 'staff/grant',
  summary: 'Credit a wallet or give an offer. Requires the header Idempotency-Key. An operator has limits.',
  errors: {
    ...customerError.pick(
      'customer-without-account',
      'reason-too-short',
      'impossible-credit',
      'impossible-offer',
      'offer-above-limit',
      'over-daily-offers',
      'better-offer-active',
    ),
    ...staffError.pick('own-mobile', 'over-daily-credits'),
    ...accountError.pick('invalid-mobile'),
  },
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(GRANTED_CREDITS), mobile: loginFields.mobile, amount: rupees, reason }),
    z.object({ kind: z.literal('offer'), mobile: loginFields.mobile, percent: z.int(), days: z.int(), reason }),
  ]),
  /** One of the two. */
  data: z.object({ entry: z.nullable(entry), offer: z.nullable(offer) }),
});
export type Grant = z.output<typeof grant.body>;

export const reverse = defineStaffCall({
  path: 'staff/reverse',
  summary: 'Reverse a credit that the laundry gave, as a whole, while the wallet covers it. Requires the header Idempotency-Key.',
  errors: customerError.pick('reason-too-short', 'entry-not-found', 'not-a-grant', 'credit-reversed', 'credit-spent'),
  body: z.object({ entryid: resourceId, reason }),
  data: entry,
});

export const payOut = defineStaffCall({
  path: 'staff/payout',
  summary:
    'Record money of a wallet that the laundry pays back outside of the program, by bank or UPI. The customer reads the reason. Requires the header Idempotency-Key.',
  errors: {
    ...customerError.pick('customer-without-account', 'reason-too-short', 'impossible-payout', 'payout-above-balance'),
    ...staffError.pick('own-mobile'),
    ...accountError.pick('invalid-mobile'),
  },
  body: z.object({ mobile: loginFields.mobile, amount: rupees, reason }),
  data: entry,
});
export type PayOut = z.output<typeof payOut.body>;

export const endOffer = defineStaffCall({
  path: 'staff/endoffer',
  summary:
    'End an offer before its last day. Orders that were placed with it keep it, and an older offer that is still active applies again.',
  errors: customerError.pick('reason-too-short', 'offer-not-found', 'offer-ended'),
  body: z.object({ offerid: resourceId, reason }),
  data: offer,
});
