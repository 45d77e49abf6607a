/** Orders: placing, listing, following. Specification sections 2 to 5, 7 to 9; design section 6. */
import * as z from 'zod/mini';
import { defineMessages, msg, type MessageKey } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { expectedUserid, defineCall, resourceId, kilograms, rupees } from '../../contract/define-call.ts';
import { addressFieldErrors, addressForm, addressShape } from '../addresses/contract.ts';
import { AREAS } from '../catalogue/contract.ts';
import { serviceChoices } from './choices-contract.ts';
import { orderHistory } from './history-contract.ts';

export const TIMESLOT = '05:00 - 09:00 PM';
export const ORDERS_PER_PAGE = 10;

interface StageProperties {
  stage: string;
  /** The only stage that an order can move to; null at the end. */
  next: string | null;
  label: MessageKey;
  /** In percent. */
  progress: number;
  /** The expected time until delivery. */
  expected: MessageKey;
  /** Whether an amount is due. Before the stage `queue` the weight can still change. */
  isPayable: boolean;
  /** Whether the wallet can pay its half. A database trigger repeats it; a test compares them. */
  walletPayment: boolean;
  /** The parties that may cancel the order. A customer only before the clothes are weighed. */
  cancelledBy: readonly OrderParty[];
}

/** The two parties of an order, as the authors of its changes. A guest is a customer here. */
const ORDER_PARTIES = ['customer', 'laundry'] as const;
export type OrderParty = (typeof ORDER_PARTIES)[number];

/**
 * The stages of an order, from the first to the last (specification section 4), and `cancelled`,
 * which an order enters from the stages with a `cancelledBy` (docs/decisions/0047).
 */
export const STAGES = [
  {
    stage: 'pickup',
    next: 'queue',
    label: msg('Pickup Pending'),
    progress: 0,
    expected: msg('Not Updated'),
    isPayable: false,
    walletPayment: false,
    cancelledBy: ['customer', 'laundry'],
  },
  {
    stage: 'queue',
    next: 'washing',
    label: msg('In-Queue'),
    progress: 25,
    expected: msg('14-16 Hour'),
    isPayable: true,
    walletPayment: true,
    cancelledBy: ['laundry'],
  },
  {
    stage: 'washing',
    next: 'delivery',
    label: msg('Washing/Drying'),
    progress: 50,
    expected: msg('11-13 Hour'),
    isPayable: true,
    walletPayment: true,
    cancelledBy: [],
  },
  {
    stage: 'delivery',
    next: 'delivered',
    label: msg('Out for delivery'),
    progress: 75,
    expected: msg('3-5 Hour'),
    isPayable: true,
    walletPayment: true,
    cancelledBy: [],
  },
  {
    stage: 'delivered',
    next: null,
    label: msg('Delivered'),
    progress: 100,
    expected: msg('Delivered'),
    isPayable: true,
    walletPayment: false,
    cancelledBy: [],
  },
  {
    stage: 'cancelled',
    next: null,
    label: msg('Cancelled'),
    progress: 0,
    expected: msg('Cancelled'),
    isPayable: false,
    walletPayment: false,
    cancelledBy: [],
  },
] as const satisfies readonly StageProperties[];
export type Stage = (typeof STAGES)[number]['stage'];

export const isStage = (text: string): text is Stage => STAGES.some(({ stage }) => stage === text);

/** The stages that follow one another, without `cancelled`. */
export const PROGRESS_STAGES = STAGES.filter(({ stage }) => stage !== 'cancelled');

/**
 * For this time, a customer can undo a cancellation, and a person of the staff a move. The message
 * about a move is sent afterwards.
 */
export const UNDO_SECONDS = 60;

/**
 * Returns the texts and the progress of a stage. An unknown stage has its raw name and 0 % (design
 * section 6, "Stages").
 */
export const stageDisplay = (stage: string): { label: string; progress: number; expected: string } =>
  STAGES.find((row) => row.stage === stage) ?? { label: stage, progress: 0, expected: 'Not Updated' };

export const orderMessages = defineMessages({
  placed: 'Order placed successfully',
  placeFailed: 'Some error occured while placing order, please report it at {email} or try again',
  startAgain: 'Some error occured, please select your wash program again',
  hintProgram: '* Please select wash program',
  hintSlot: '* Please select a pickup timeslot',
  hintAddress: '* Please select a pickup & delivery address or checkout as guest',
  detailFailed: 'Something went wrong while getting your order details, CAUSE - {cause}',
  /**
   * Shown instead of weight, items and amount before the pickup (design section 6, "Weight and
   * items").
   */
  atPickup: 'Calculated at pickup',
  none: "You don't have any recent orders.",
  listed: 'Orders',
  found: 'Order',
  cancelled: 'Your order is cancelled',
  cancellationUndone: 'Your order is active again',
  rescheduled: 'Your pickup day has been changed',
});

export const orderError = defineErrors({
  'order-not-found': 'No order found with order number {orderid}',
  'out-of-orders': 'out of orders',
  'unknown-address': 'This address was deleted, please select another one',
  'area-mismatch': 'Your order and its address are in different areas, please change the area or select another address',
  'unknown-program': 'This wash program is not offered any more, please select another one',
  'unknown-timeslot': 'This pickup timeslot is not offered, please select another one',
  'wrong-options': 'These options do not belong to the wash program, please select it again',
  'rates-changed': 'The rates have changed, please check them and place the order again',
  /**
   * The response is the same for an expired, unknown, newer or another customer's offer, so that it
   * reveals nothing.
   */
  'offer-changed': 'Your offer is not the one that was shown any more, please check the rate and place the order again',
  'pickup-moved': 'The pickup you saw is now closed, the next one is on {pickupDay, date}. Please place the order again',
  'order-key-reused': 'This order was already placed with other details',
  'too-many-orders': 'These are more orders than we can take from you in a day, please try again tomorrow or call us',
  'mobile-not-verified': 'Please verify your mobile number first',
  'already-picked-up': 'Your clothes are picked up already, please call us at {mobile}',
  'order-cancelled': 'This order is cancelled',
  'undo-expired': 'The minute to undo this is over, please place a new order',
  'cancelled-by-laundry': 'We cancelled this order, please call us at {mobile}',
  'refund-spent': 'The refund is spent, so the order stays cancelled',
  'too-many-changes': 'These are more changes than we can take from you in a day, please call us at {mobile}',
  'pickup-day-past': 'This day is over, the next pickup is on {pickupDay, date}',
  'pickup-day-closed': 'The pickup of this day is closed, the next one is on {pickupDay, date}',
  'pickup-day-too-far': 'This day is too far ahead, please choose one until {lastDay, date}',
  'evening-full': 'This evening is full, the next free one is on {pickupDay, date}',
  'evening-closed': 'We do not come on this evening, the next free one is on {pickupDay, date}',
  'evening-limit': 'One customer can have {pickups} pickups on an evening, the next free evening is on {pickupDay, date}',
  'evenings-full': 'All evenings until {lastDay, date} are full, please try again tomorrow or call us',
});

const percent = z.int().check(z.gte(0), z.lte(100));

/** Weight, items and amounts are null until pickup. */
export const orderShape = {
  orderid: z.string(),
  /** Date-time in Asia/Kolkata. */
  order_date: z.string(),
  washing_stage: z.string(),
  /** Date-time in Asia/Kolkata; null until the order is delivered. */
  delivered_date: z.nullable(z.string()),
  /** When the clothes were first weighed, a date-time in Asia/Kolkata. */
  collected_date: z.nullable(z.string()),
  /** The stages that the order has entered, the first one first, with times in Asia/Kolkata. */
  stages: z.array(z.object({ stage: z.string(), entered_at: z.string() })),
  /** Increases with every change of the order and its payments. */
  version: z.int(),
  programid: z.string(),
  program_name: z.string(),
  /** Includes the area's surcharge, before the offer. */
  program_rate: rupees,
  unit: z.string(),
  total_weight: z.nullable(kilograms),
  total_items: z.nullable(z.int()),
  /** Rate times weight, before the offer. */
  order_cost: z.nullable(rupees),
  /** With the discount of the offer. */
  total_amount: z.nullable(rupees),
  /** The sum of the payments that are received and not reversed. */
  amount_paid: rupees,
  offer_rate: percent,
  offerid: z.nullable(z.string()),
  area: z.enum(AREAS),
  timeslot: z.string(),
  pickup_date: z.string(),
  /** While the caller can undo the cancellation: the seconds left. Otherwise null. */
  undo_seconds: z.nullable(z.int()),
  /** The order is cancelled, and the laundry still has its clothes. */
  to_return: z.boolean(),
  /** When the clothes of a cancelled order were given back, a date-time in Asia/Kolkata. */
  returned_date: z.nullable(z.string()),
  /**
   * A visit of the rider that failed and waits for another evening, until the next step of the
   * order: one of ATTEMPT_REASONS, and the date-time in Asia/Kolkata.
   */
  attempt: z.nullable(z.object({ why: z.string(), at: z.string() })),
  /** The evening that the customer chose after a failed delivery, until the next visit. */
  delivery_date: z.nullable(z.string()),
  /** The deadline for bringing the clothes back, in Asia/Kolkata. `promisedBack` reads it. */
  back_by: z.nullable(z.string()),
  /** The deadline of the pickup, later of bringing the clothes back. `isLate` reads it. */
  due_at: z.nullable(z.string()),
  /** Set for a cancelled order. `reason` is null if the customer gave none. */
  cancellation: z.nullable(z.object({ by: z.enum(ORDER_PARTIES), at: z.string(), reason: z.nullable(z.string()) })),
  /** From 1 to 5, given by the customer. */
  stars: z.nullable(z.int()),
  ...addressShape,
};

const order = z.object({
  ...orderShape,
  /**
   * The customer gives it to the rider. Null before the clothes are on their way back, after the
   * hand-over, and while the code is locked after too many wrong tries.
   */
  hand_over_code: z.nullable(z.string()),
  /** The customer has rated this order. */
  reviewed: z.boolean(),
  /** The bags of the pickup, if the rider counted them. */
  bags: z.nullable(z.int()),
  /** The customer reported a UPI payment that the laundry has not compared with its bank yet. */
  has_reported_upi: z.boolean(),
  /** The first name of the rider of the next visit. Null without one. */
  rider: z.nullable(z.string()),
  history: orderHistory,
});
export type Order = z.output<typeof order>;

export const addOrder = defineCall({
  method: 'POST',
  path: 'orders/addorder.php',
  summary: 'Place an order. Rates and offer must equal the server’s; the pickup day must accept orders. Send the header Idempotency-Key.',
  caller: 'customer-or-guest',
  errors: {
    ...orderError.pick(
      'unknown-address',
      'area-mismatch',
      'unknown-program',
      'unknown-timeslot',
      'wrong-options',
      'rates-changed',
      'offer-changed',
      'pickup-moved',
      'pickup-day-too-far',
      'evening-full',
      'evening-closed',
      'evening-limit',
      'evenings-full',
      'order-key-reused',
      'too-many-orders',
      'mobile-not-verified',
    ),
    ...addressFieldErrors,
  },
  body: z.object({
    userid: expectedUserid,
    addressid: z.optional(resourceId),
    /** Replaces addressid in a guest session. */
    guest_address: z.optional(addressForm),
    timeslot: z.string().check(z.maxLength(40)),
    /** The day shown with the slot, or chosen. Without it, the next free one. */
    pickup_date: z.optional(z.iso.date()),
    program: resourceId,
    programrate: rupees,
    orderrate: rupees,
    /** Without it, the area whose rate is `programrate`; of several, that of the address. */
    area: z.optional(z.enum(AREAS)),
    offerid: z.optional(z.nullable(resourceId)),
    offerrate: z.optional(percent),
    ...serviceChoices,
    /** The text above the button, which a guest has read. The server stores its own texts only. */
    consent: z.optional(z.string()),
  }),
  data: z.object({
    orderid: z.string(),
    timeslot: z.string(),
    pickup_date: z.string(),
    /** As in `orderShape`. Processes of an earlier version omit it. */
    back_by: z.optional(z.string()),
    area: z.enum(AREAS),
    offerrate: percent,
    orderrate: rupees,
  }),
});

/** The validated body of addOrder. */
export type OrderRequest = z.output<typeof addOrder.body>;
export type PlacedOrder = z.output<typeof addOrder.data>;
export type PlaceOrderErrorCode = keyof typeof addOrder.errors;

export const getOrders = defineCall({
  method: 'POST',
  path: 'orders/getorder.php',
  summary: 'The newest ten orders, and with `with_open` also the ten newest others under way. A guest sees those of this browser.',
  caller: 'customer-or-guest',
  body: z.object({ userid: expectedUserid, with_open: z.optional(z.boolean()) }),
  data: z.array(order),
});

export const getMoreOrders = defineCall({
  method: 'POST',
  path: 'orders/getmoreorder.php',
  summary: "The next ten orders after `offset`; 'out of orders' when there are none.",
  caller: 'customer-or-guest',
  errors: orderError.pick('out-of-orders'),
  body: z.object({ userid: expectedUserid, offset: z.int().check(z.gte(0), z.lte(100_000)) }),
  data: z.array(order),
});

/**
 * The path of the server-sent events of an order. An event has the newest `version` of the order as
 * its data. docs/decisions/0045.
 */
export const ORDER_EVENTS_PATH = 'orders/events';
export const orderEventsUrl = (orderid: string) => `/${ORDER_EVENTS_PATH}?orderid=${encodeURIComponent(orderid)}`;

export const getOrder = defineCall({
  method: 'POST',
  path: 'orders/getspecificorder.php',
  summary: 'One order, as a list of one.',
  caller: 'customer-or-guest',
  errors: orderError.pick('order-not-found'),
  body: z.object({ userid: expectedUserid, orderid: resourceId }),
  data: z.array(order),
});

export const cancelOrder = defineCall({
  method: 'POST',
  path: 'orders/cancelorder',
  summary: 'Cancel an order before it is weighed. Repeatable.',
  caller: 'customer-or-guest',
  errors: orderError.pick('order-not-found', 'already-picked-up', 'too-many-changes'),
  body: z.object({ userid: expectedUserid, orderid: resourceId }),
  data: z.object({
    orderid: z.string(),
    /**
     * The sum of the payments. The wallet has it, for the order of a guest once the order is
     * assigned to an account.
     */
    refund: rupees,
    /** The seconds left to undo the cancellation; null if it cannot be undone. */
    undo_seconds: z.nullable(z.int()),
  }),
});

const eveningErrors = orderError.pick('evening-full', 'evening-closed', 'evening-limit', 'evenings-full');

export const undoCancel = defineCall({
  method: 'POST',
  path: 'orders/undocancel',
  summary: 'Undo a cancellation within a minute. Repeatable.',
  caller: 'customer-or-guest',
  errors: {
    ...orderError.pick('order-not-found', 'undo-expired', 'cancelled-by-laundry', 'refund-spent', 'too-many-changes'),
    ...eveningErrors,
  },
  body: z.object({ userid: expectedUserid, orderid: resourceId }),
  data: z.object({ orderid: z.string(), washing_stage: z.string() }),
});

/** The path of the calendar file of a pickup. Outside links.ts, whose script every page loads. */
export const calendarPath = (orderid: string) => `/orders/calendar/${encodeURIComponent(orderid)}`;

export const reschedule = defineCall({
  method: 'POST',
  path: 'orders/reschedule',
  summary: 'Change the day of a pickup.',
  caller: 'customer-or-guest',
  errors: {
    ...orderError.pick('too-many-changes', 'order-not-found', 'already-picked-up', 'order-cancelled'),
    ...orderError.pick('pickup-day-past', 'pickup-day-closed', 'pickup-day-too-far'),
    ...eveningErrors,
  },
  body: z.object({ userid: expectedUserid, orderid: resourceId, pickup_date: z.iso.date() }),
  data: z.object({ orderid: z.string(), timeslot: z.string(), pickup_date: z.string() }),
});
