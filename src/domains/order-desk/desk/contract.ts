/**
 * The work of the staff on orders: lists, one order, weighing, stages, payments at the door.
 * docs/decisions/0053. Only the server and the console load this file.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { kilograms, MAX_LINE_LENGTH, resourceId, rupees, singleLineText } from '../../../contract/define-call.ts';
import { defineErrors } from '../../../contract/errors.ts';
import { AREAS } from '../../catalogue/contract.ts';
import { MANUAL_PAYMENT_METHODS } from '../../manual-payments/rules.ts';
import { NOTIFICATION_KINDS } from '../../notifications/contract.ts';
import { orderError, orderShape, STAGES, type Stage } from '../../orders/contract.ts';
import { REVERSED_CASH } from '../../orders/events-contract.ts';
import { deliveryError } from '../../orders/delivery-contract.ts';
import { ATTEMPT_REASONS } from '../../orders/visit-rules.ts';
import { PAYMENT_METHODS } from '../../payments/contract.ts';
import { calendarDay, defineStaffCall, namedPerson, staffError } from '../../staff/desk/contract.ts';
import { dayCursor } from '../../staff/desk/paging.ts';
import { claimOfOrder } from '../../claims/desk/contract.ts';
import { bagsShape } from './bags-shape.ts';
import { begunOnline } from './begun-online.ts';
import { begunUpi, dismissedUpi } from './begun-upi.ts';
import { orderPhoto } from './order-photo.ts';

/** The `stage` of staff/move for the clothes of a cancelled order. The order stays cancelled. */
export const RETURNED = 'returned';

/** Wrong hand-over codes of an order. Then a reason from the owner or an operator delivers it. */
export const MAX_WRONG_CODES = 5;

/** A code of another form is refused before it counts as a wrong one. */
export const HAND_OVER_CODE = /^\d{4}$/;

export const MAX_BAGS = 99;
export const ORDERS_PER_PAGE = 50;

/** Counts in lists end here: an exact number would read every order. */
export const MAX_COUNTED = 1000;

/** Beyond it, a reconnecting client loads everything again. These fit `STREAM_LIMITS`. */
export const MAX_REPLAYED_CHANGES = 100;

export const deskMessages = defineMessages({
  listed: 'Orders',
  found: 'Order',
  people: 'People',
  weighed: 'Weighed',
  moved: 'Moved',
  movedBack: 'Moved back',
  attempted: 'The visit is noted',
  rescheduled: 'The pickup day is changed',
  cancelled: 'The order is cancelled',
  assigned: 'The rider is changed',
  received: 'The payment is noted',
  reversed: 'The payment is reversed',
  photographed: 'The photo is stored',
});

export const deskError = defineErrors({
  // The causes of a stale version (`changed-meanwhile`). No response has these codes.
  'customer-cancelled': 'At {time} the customer cancelled this order',
  'laundry-cancelled': 'At {time} the laundry cancelled this order',
  'customer-moved-pickup': 'At {time} the customer moved this pickup to {day, date}',
  'laundry-moved-pickup': 'At {time} the laundry moved this pickup to {day, date}',
  'impossible-weight': 'The weight is 0.01 to 1000 kg with at most two decimals, and the pieces are 1 to 10000',
  'wrong-stage': 'The stage of this order does not allow this',
  'own-order': 'This is your own order: another person of the laundry has to do this',
  'not-weighed': 'Weigh the clothes first',
  'code-required': 'Enter the hand-over code of the customer',
  'malformed-code': 'Enter the four digits of the hand-over code',
  'wrong-hand-over-code': 'This is not the hand-over code of this order. Tries left: {left}',
  'too-many-codes': 'The code of this order was wrong too often. The owner or an operator can make a new one, or deliver it with a reason.',
  'reason-required': 'Enter the reason',
  'bags-counted-since': 'Another count of these bags is noted: the owner or an operator has to correct the number of the pickup',
  'same-day': 'The order is on this day already: choose another day',
  'first-stage': 'This order cannot go back any further',
  'washed-order': 'These clothes were already washed: only the owner can move the order back to pickup',
  'wrong-device-time': 'The clock of this device is wrong, or this entry is more than a day old',
  'too-many-visits': 'Four failed visits of this order are noted today, and the customer has a message about each. Ask the owner.',
  'too-many-weighings': 'This order was weighed ten times today, and the customer has a message about each. Ask the owner.',
  'too-many-desk-changes': 'You have changed this order {max} times today. The owner can go on, or you can go on tomorrow.',
  'too-many-owner-changes': 'You have changed this order {max} times today. You can go on tomorrow.',
  'unknown-rider': 'There is no such person in the laundry',
  'amount-unknown': 'The amount is known once the order is weighed and in the queue',
  'impossible-amount': 'The amount is ₹0.01 to ₹100,000',
  'more-than-due': 'This is more than the ₹{rest} that is left to pay',
  'upi-more-than-due': 'Only the owner can note a UPI payment of more than the ₹{rest} that is left to pay',
  'too-much-change':
    'At most ₹{max} above the ₹{rest} that is left to pay goes to the wallet. Give change in cash, or ask the owner to note it.',
  'payment-not-found': 'There is no such payment',
  'not-manual': 'Only cash and UPI can be reversed here',
  'already-reversed': 'This payment is reversed already',
  'change-spent': 'The customer has spent the change: the wallet has ₹{balance} of ₹{change}',
  'too-many-order-photos': 'An order has at most 20 photos',
  'invalid-note': 'A text here has 1 to 200 characters',
});

export const note = singleLineText(deskError.code('invalid-note'), { max: MAX_LINE_LENGTH });
const reversalReason = singleLineText(deskError.code('reason-required'), { min: 3 });

/** The time of the device when the entry was made, for entries that arrive late. */
export const at = z.optional(z.iso.datetime({ offset: true }));
const version = z.int().check(z.gte(0));
export const change = { orderid: resourceId, version, at };

const author = z.object({
  /** `laundry`: a command in the terminal, or the program. */
  kind: z.enum(['staff', 'customer', 'laundry']),
  /** Only of the staff. */
  name: z.nullable(z.string()),
});

export const payment = z.object({
  tid: z.string(),
  method: z.enum(PAYMENT_METHODS),
  amount: rupees,
  received_at: z.string(),
  /** Null if no member of the staff noted it. */
  received_by: z.nullable(z.string()),
  note: z.nullable(z.string()),
  reversal: z.nullable(z.object({ at: z.string(), reason: z.string() })),
});

const historyEntry = z.object({
  version: z.int(),
  kind: z.string(),
  /** The stage that the order entered. */
  stage: z.nullable(z.string()),
  /** Times in Asia/Kolkata: of the server, and of the device if it sent one. */
  at: z.string(),
  device_at: z.nullable(z.string()),
  /** The two times differ by more than 15 minutes. */
  clocks_differ: z.boolean(),
  by: author,
  note: z.nullable(z.string()),
  weight: z.nullable(kilograms),
  items: z.nullable(z.int()),
  amount: z.nullable(rupees),
  method: z.nullable(z.string()),
  /** The new day of a pickup, or of another delivery. */
  pickup_date: z.nullable(z.string()),
  why: z.nullable(z.string()),
  /** Where the cash of a reversed payment is. Null for other changes. */
  cash: z.nullable(z.enum(REVERSED_CASH)),
  /** The bags that the person counted. */
  bags: z.nullable(z.int()),
  /** The name of the rider of an assignment. Null without a rider, and for other changes. */
  rider: z.nullable(z.string()),
});
export type DeskPayment = z.output<typeof payment>;
export type HistoryEntry = z.output<typeof historyEntry>;

const rider = z.nullable(namedPerson);

export const deskOrder = z.object({
  ...orderShape,
  /** Null for a rider a day after the delivery, as the mobile of the customer. */
  mobile: z.nullable(z.string()),
  /** While the caller can undo the last move: the seconds left. Otherwise null. */
  undo_seconds: z.nullable(z.int()),
  /** The SMS that follows the last move if it is not undone. Null: none is sent. */
  undo_message: z.nullable(z.enum(NOTIFICATION_KINDS)),
  detergent: z.string(),
  conditioner: z.string(),
  iron: z.string(),
  /** Null until the amount is due. */
  left_to_pay: z.nullable(rupees),
  /** With `is_erased`, every change of the order is refused. */
  customer: z.object({ name: z.nullable(z.string()), mobile: z.nullable(z.string()), is_guest: z.boolean(), is_erased: z.boolean() }),
  payments: z.array(payment),
  /** The newest that the customer reported as paid, or began while something is left to pay. */
  begun_upi: z.nullable(begunUpi),
  /** The newest pending payment at the gateway, while something is left to pay. */
  begun_online: z.nullable(begunOnline),
  /** The last one that the customer reported and the bank did not have. */
  dismissed_upi: z.nullable(dismissedUpi),
  /** The oldest first. */
  history: z.array(historyEntry),
  /** The newest 20, the oldest of them first. */
  notes: z.array(z.object({ note: z.string(), at: z.string(), by: author })),
  ...bagsShape,
  /**
   * Photos by the staff, oldest first. The customer can load those of the scale. Their path:
   * `orderPhotoPath`.
   */
  photos: z.array(orderPhoto),
  /** The newest first. Null for a rider, who does not handle claims. */
  claims: z.nullable(z.array(claimOfOrder)),
  rider,
  code_tries_left: z.int(),
});
export type DeskOrder = z.output<typeof deskOrder>;

const EVENING_PROBLEMS = ['closed', 'overbooked'] as const;

/** An order in a list. */
export const listedOrder = z.object({
  orderid: z.string(),
  version: z.int(),
  stage: z.string(),
  /** When the order entered its stage. */
  entered_at: z.string(),
  name: z.string(),
  mobile: z.nullable(z.string()),
  area: z.enum(AREAS),
  address1: z.string(),
  address2: z.string(),
  landmark: z.string(),
  program_name: z.string(),
  program_rate: rupees,
  offer_rate: z.int(),
  pickup_date: z.string(),
  timeslot: z.string(),
  /** Set if the evening of the pickup does not accept the order any more. */
  evening: z.nullable(z.enum(EVENING_PROBLEMS)),
  weight: z.nullable(kilograms),
  items: z.nullable(z.int()),
  ...bagsShape,
  total_amount: z.nullable(rupees),
  left_to_pay: z.nullable(rupees),
  /** The UPI payment that the customer reported as paid. */
  reported_upi: z.nullable(begunUpi),
  /** The newest pending payment at the gateway, while something is left to pay. */
  begun_online: z.nullable(begunOnline),
  rider,
  to_return: orderShape.to_return,
  attempt: orderShape.attempt,
  delivery_date: orderShape.delivery_date,
  back_by: orderShape.back_by,
  due_at: orderShape.due_at,
  /** The newest note. */
  note: z.nullable(z.string()),
  /** The newest 20, the oldest of them first. */
  notes: z.array(z.string()),
  wrong_codes: z.int(),
});
export type ListedOrder = z.output<typeof listedOrder>;

export const STAGE_NAMES = STAGES.map(({ stage }) => stage) as [Stage, ...Stage[]];

export const listOrders = defineStaffCall({
  path: 'staff/orders',
  summary:
    'Orders of a stage, a pickup day or an area, or found by order number, name or mobile. Open stages begin with the earliest ' +
    'pickup, others with the latest. `counts` end at 1000. A rider gets the pickups and deliveries of today and tomorrow.',
  body: z.object({
    stage: z.optional(z.enum(STAGE_NAMES)),
    day: z.optional(calendarDay),
    area: z.optional(z.enum(AREAS)),
    search: z.optional(z.string().check(z.maxLength(60))),
    /** Delivered orders that are not paid in full. */
    unpaid: z.optional(z.literal(true)),
    /** Cancelled orders whose clothes the laundry still has. */
    to_return: z.optional(z.literal(true)),
    cursor: dayCursor,
  }),
  data: z.object({
    orders: z.array(listedOrder),
    next: z.nullable(z.string()),
    /** The number of orders of each stage with the other filters. */
    counts: z.record(z.enum(STAGE_NAMES), z.int()),
  }),
});
export type OrderPage = z.output<typeof listOrders.data>;

export const getDeskOrder = defineStaffCall({
  path: 'staff/order',
  summary: 'One order with its customer, payments and history.',
  errors: orderError.pick('order-not-found'),
  body: z.object({ orderid: resourceId }),
  data: deskOrder,
});

const dayErrors = orderError.pick('pickup-day-past', 'pickup-day-closed', 'pickup-day-too-far');
const eveningErrors = orderError.pick('evening-full', 'evening-closed', 'evening-limit', 'evenings-full');
const commonErrors = { ...orderError.pick('order-not-found'), ...deskError.pick('too-many-desk-changes', 'too-many-owner-changes') };
export const changeErrors = {
  ...commonErrors,
  ...deskError.pick('wrong-stage', 'wrong-device-time', 'invalid-note', 'own-order'),
  // Errors of a change that credits the customer.
  ...staffError.pick('own-mobile', 'over-daily-credits'),
};

export const weigh = defineStaffCall({
  path: 'staff/weigh',
  summary:
    'Record weight, pieces and bags, a correction with its reason, or else its note as the reason. As for every change, a stale version ' +
    'is refused with 409 `changed-meanwhile`. `data` is the current order, or null for a rider who does not see it any more. If it was ' +
    'cancelled or its pickup moved, `params` has `cause` (`customer-cancelled`, `laundry-cancelled`, `customer-moved-pickup`, ' +
    '`laundry-moved-pickup`), `time` and, of a pickup, `day`.',
  errors: {
    ...changeErrors,
    ...deskError.pick('impossible-weight', 'change-spent', 'reason-required', 'too-many-weighings', 'bags-counted-since'),
  },
  body: z.object({
    ...change,
    weight: kilograms,
    items: z.int(),
    bags: z.optional(z.int().check(z.gte(1), z.lte(MAX_BAGS))),
    note: z.optional(note),
    reason: z.optional(note),
    /** The customer agrees to hand over the clothes of a pickup that was moved since `version`. */
    collect_now: z.optional(z.literal(true)),
  }),
  data: deskOrder,
});

export const move = defineStaffCall({
  path: 'staff/move',
  summary:
    "Move an order to its next stage, or give the clothes of a cancelled order back ('returned'). 'delivered' and 'returned' need the " +
    'hand-over code, or a reason from the owner or an operator.',
  errors: {
    ...changeErrors,
    ...deskError.pick('not-weighed', 'code-required', 'malformed-code', 'wrong-hand-over-code', 'too-many-codes'),
  },
  body: z.object({
    ...change,
    stage: z.string().check(z.maxLength(40)),
    code: z.optional(z.string().check(z.trim(), z.regex(HAND_OVER_CODE, deskError.code('malformed-code')))),
    reason: z.optional(note),
    /** The bags that were counted. The number of the pickup stays. */
    bags: z.optional(z.int().check(z.gte(0), z.lte(MAX_BAGS))),
  }),
  data: deskOrder,
});

export const moveBack = defineStaffCall({
  path: 'staff/moveback',
  summary:
    'Move an order back by one stage, or undo a return, with a reason. The person who moved it can undo that for a minute without one.',
  errors: { ...changeErrors, ...deskError.pick('reason-required', 'first-stage', 'washed-order', 'change-spent'), ...eveningErrors },
  body: z.object({ ...change, reason: z.optional(note) }),
  data: deskOrder,
});

export const attempt = defineStaffCall({
  path: 'staff/attempt',
  summary: 'Note a failed visit.',
  errors: { ...changeErrors, ...deskError.pick('too-many-visits') },
  body: z.object({ ...change, why: z.enum(ATTEMPT_REASONS), note: z.optional(note) }),
  data: deskOrder,
});

export const rescheduleOrder = defineStaffCall({
  path: 'staff/reschedule',
  summary: 'Change the day of a pickup, or choose that of another delivery after a failed visit. The customer reads the reason.',
  errors: { ...changeErrors, ...dayErrors, ...deliveryError.texts, ...eveningErrors, ...deskError.pick('same-day') },
  body: z.object({ ...change, pickup_date: z.iso.date(), reason: z.optional(note) }),
  data: deskOrder,
});

export const cancelDeskOrder = defineStaffCall({
  path: 'staff/cancel',
  summary: 'Cancel an order before its washing. Everything that was paid for it goes to the wallet.',
  errors: changeErrors,
  body: z.object({ ...change, reason: note }),
  data: deskOrder,
});

export const receive = defineStaffCall({
  path: 'staff/receive',
  summary:
    'Note a payment in cash or by UPI. Requires the header Idempotency-Key. What is too much goes to the wallet: of cash ' +
    'a limited amount, of UPI only if an owner notes it.',
  errors: {
    ...changeErrors,
    ...deskError.pick('amount-unknown', 'impossible-amount', 'more-than-due', 'upi-more-than-due', 'too-much-change'),
  },
  body: z.object({
    orderid: resourceId,
    at,
    method: z.enum(MANUAL_PAYMENT_METHODS),
    amount: rupees,
    overpaid: z.optional(z.boolean()),
    note: z.optional(note),
  }),
  data: deskOrder,
});

export const reversePayment = defineStaffCall({
  path: 'staff/reversepayment',
  summary:
    'Reverse a payment. Requires the header Idempotency-Key. Takes unspent change back. Its cash is taken from the person who holds it, ' +
    'or with `cash` never-received after a hand-in, from what the hand-in expected.',
  errors: {
    ...commonErrors,
    ...staffError.pick('own-mobile', 'over-daily-credits'),
    ...deskError.pick('payment-not-found', 'not-manual', 'already-reversed', 'change-spent'),
    ...deskError.pick('wrong-device-time', 'reason-required', 'own-order'),
  },
  body: z.object({
    tid: z.string().check(z.maxLength(64)),
    reason: reversalReason,
    /** By default 'given-back'. */
    cash: z.optional(z.enum(REVERSED_CASH)),
    at,
  }),
  data: deskOrder,
});
