/** The history of an order, as its customer reads it. docs/decisions/0072 and 0097. */
import * as z from 'zod/mini';
import { kilograms, rupees } from '../../contract/define-call.ts';

const HISTORY_KINDS = [
  'placed',
  /** The first weighing. */
  'weighed',
  /** The laundry changed the weight or the pieces. */
  'corrected',
  /** The staff photographed the scale. */
  'photographed',
  'moved',
  'moved-back',
  /** Delivered by the owner or an operator, who gave a reason. */
  'delivered-without-code',
  'rescheduled',
  'attempted',
  /** Another delivery after a failed visit. */
  'delivery-chosen',
  'cancelled',
  /** Within the minute to undo it. */
  'cancellation-undone',
  /** The customer has the clothes of a cancelled order again, confirmed with the code. */
  'returned',
  /** 'returned' without the code: the owner or an operator gave a reason. */
  'returned-without-code',
  /** The laundry corrected that: it still has them. */
  'return-undone',
  'paid',
  /** The wallet got what was paid too much, or all of a cancelled order. */
  'refunded',
  /** The wallet lost a part of that again: the order needs it. */
  'refund-reversed',
  /** The customer sent a report. */
  'reported',
  /** The customer wrote about a report again. */
  'report-continued',
  /** The laundry wrote about a report. */
  'answered',
  /** The laundry ended a report, with an amount for the wallet or without one. */
  'settled',
  /** The laundry did not find a UPI payment that the customer reported as paid. */
  'payment-dismissed',
  /** The laundry reversed a payment that it had noted. */
  'payment-reversed',
  /** The hand-over code was wrong too often, and does not work any more. */
  'code-locked',
  /** The laundry made a new hand-over code. */
  'code-renewed',
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** A value that an entry does not have is missing. */
const historyEntry = z.object({
  /** One of HISTORY_KINDS: a newer server can have more. */
  kind: z.string(),
  /** Date-time in Asia/Kolkata. */
  at: z.string(),
  /** The words of the staff, for the customer. */
  reason: z.optional(z.string()),
  /** The stage that the order entered. */
  stage: z.optional(z.string()),
  /** 'customer' or 'laundry': who changed the pickup day. */
  by: z.optional(z.string()),
  weight: z.optional(kilograms),
  items: z.optional(z.int()),
  bags: z.optional(z.int()),
  /** The cost of the order with this weight, or the amount of the payment or of the credit. */
  amount: z.optional(rupees),
  /** The date-time in Asia/Kolkata of the payment that was reversed. */
  paid_at: z.optional(z.string()),
  /** The cash of the reversed payment was given back to the customer. */
  given_back: z.optional(z.boolean()),
  /** How it was paid: one of PAYMENT_METHODS. */
  method: z.optional(z.string()),
  /** A rider weighed the clothes. */
  at_door: z.optional(z.boolean()),
  pickup_date: z.optional(z.string()),
  /** The pickup day before. */
  from_date: z.optional(z.string()),
  /** The evening of another delivery. */
  delivery_date: z.optional(z.string()),
  /** One of ATTEMPT_REASONS. */
  why: z.optional(z.string()),
  photoid: z.optional(z.string()),
});
export type OrderHistoryEntry = z.output<typeof historyEntry>;

/** The oldest first. */
export const orderHistory = z.array(historyEntry);

/** Returns the last entry with a stage. Undefined if the order has never entered another one. */
export const lastStageChange = (history: readonly OrderHistoryEntry[]) => history.findLast(({ stage }) => stage !== undefined);

export const SCALE_PHOTO_PATH = '/orders/photo/';

/** The path of a photo of the scale, which only the customer of its order can load. */
export const scalePhotoPath = (photoid: string) => `${SCALE_PHOTO_PATH}${encodeURIComponent(photoid)}`;
