/** The messages by SMS about an order. docs/decisions/0048. */

/** The kinds of message. Each is a template of the SMS gateway. */
export const NOTIFICATION_KINDS = [
  'placed',
  'rescheduled',
  'attempted',
  'weighed',
  // The weight of an order that was weighed before.
  'corrected',
  'delivery',
  // The evening of another delivery, after a failed one.
  'redelivery',
  'delivered',
  // Delivered without the hand-over code.
  'unconfirmed',
  'cancelled',
  // Cancelled by the laundry, with money that goes back to the wallet.
  'repaid',
  'voided',
  'refunded',
  // A payment was received.
  'paid',
  // A payment that the staff had noted by mistake.
  'reversed',
  // Such a payment whose overpayment was taken back from the wallet.
  'recovered',
  // A UPI payment that the customer reported and the bank does not have.
  'dismissed',
  'answered',
  'settled',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
