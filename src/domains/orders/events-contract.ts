/**
 * The events of an order: their kinds, contents and properties.
 * docs/decisions/0081. events-store.server.ts stores and reads them.
 */
import type { OrderParty, Stage } from './contract.ts';

/** Where the cash of a reversed payment is. */
export const REVERSED_CASH = ['given-back', 'never-received'] as const;
export type ReversedCash = (typeof REVERSED_CASH)[number];

/**
 * The content of an event: values that no other row stores, or that identify another row. The
 * customer reads each `reason`, the words of the staff.
 */
export type OrderEventContent =
  | { kind: 'placed' }
  /** `reason` is that of a correction. */
  | {
      kind: 'weighed';
      weightGrams: number;
      items: number;
      /** If they were counted. */
      bags?: number | undefined;
      /** A rider weighed the clothes. */
      isAtDoor: boolean;
      reason?: string | undefined;
    }
  /** `reason` is that of a delivery without the hand-over code. */
  | { kind: 'moved'; stage: Stage; reason?: string | undefined }
  /**
   * The staff corrected the stage: the order is in an earlier one again. Without a `reason`, the
   * person undid the last move.
   */
  | { kind: 'moved-back'; stage: Stage; reason?: string | undefined }
  /** The staff photographed the scale. */
  | { kind: 'photographed'; photoId: string }
  /** A hand-over code was wrong. The history of the customer does not have it. */
  | { kind: 'wrong-code' }
  /** The hand-over code was wrong too often. */
  | { kind: 'code-locked' }
  /** The id of this event determines the new hand-over code (`codeRenewal`). */
  | { kind: 'code-renewed' }
  /**
   * A visit of the rider failed. `visitedAt` is earlier than the event if the device of the rider
   * was offline. Events of an older version do not have it.
   */
  | { kind: 'attempted'; why: string; visitedAt?: Date | undefined }
  /** The evening of another delivery after a failed visit. */
  | { kind: 'delivery-chosen'; deliveryDay: string; reason?: string | undefined }
  /** The staff counted the bags without a move. Their number is that of the author. */
  | { kind: 'bags-counted' }
  /** The staff explained why another number was counted last than at the pickup. */
  | { kind: 'bags-explained' }
  /** The order has another rider, or none. */
  | { kind: 'assigned'; riderId: string | null }
  /** `refundPaise` is what this cancellation credits. */
  | { kind: 'cancelled'; by: OrderParty; refundPaise: number; reason?: string | undefined }
  /**
   * The order is in the stage from which it was cancelled. Events of an older version do not have
   * `by`.
   */
  | { kind: 'cancellation-undone'; by?: OrderParty | undefined }
  /**
   * The customer has the clothes of a cancelled order again. `reason` is that of a return without
   * the hand-over code.
   */
  | { kind: 'returned'; reason?: string | undefined }
  /**
   * The staff corrected that: the laundry still has them. Without a `reason`, the person undid the
   * return.
   */
  | { kind: 'return-undone'; reason?: string | undefined }
  /** The wallet was credited for a payment. */
  | { kind: 'refunded'; amountPaise: number }
  /** A reversed payment or a correction took such a credit back, or a part of it. */
  | { kind: 'refund-reversed'; amountPaise: number }
  /** Events of an older version have neither `by` nor `fromDay`. */
  | {
      kind: 'rescheduled';
      pickupDay: string;
      fromDay?: string | undefined;
      by?: OrderParty | undefined;
      reason?: string | undefined;
    }
  /** `reference` is that of the payment. */
  | { kind: 'paid'; reference: string }
  /** The customer began a payment at the gateway: the staff must not take it twice. */
  | { kind: 'payment-begun'; reference: string }
  /** The customer reports that a begun UPI payment is paid. */
  | { kind: 'payment-reported'; reference: string }
  /** The laundry did not find that payment at its bank. */
  | { kind: 'payment-dismissed'; reference: string; amountPaise: number; reason?: string | undefined }
  | { kind: 'payment-failed'; reference: string }
  /**
   * The staff had noted it by mistake. `cash` is where the cash is. Events of an older version do
   * not have all values.
   */
  | {
      kind: 'payment-reversed';
      reference: string;
      amountPaise?: number | undefined;
      /** The amount that the reversal debited from the wallet. Undefined if it debited none. */
      debitedPaise?: number | undefined;
      cash?: ReversedCash | undefined;
      reason?: string | undefined;
    }
  /** A message in the thread of a claim. `settledPaise` is the credit that settles the claim. */
  | { kind: 'claim-message'; claimId: string; by: OrderParty; settledPaise?: number | undefined }
  /** A claim has another person who handles it, or none. */
  | { kind: 'claim-assigned'; claimId: string; personId: string | null };

export type OrderEventKind = OrderEventContent['kind'];

/** An event to be written in the transaction of its change. */
export type NewOrderEvent = OrderEventContent & { at: Date };

/** An event of a newer version. Its stage still counts. */
interface UnknownEvent {
  kind: 'unknown';
  name: string;
}

interface Recorded {
  id: number;
  at: Date;
  /** The stage that the order entered with the event, null if it kept its stage. */
  stage: Stage | null;
}

/** An event of the history of an order. */
export type OrderEvent = (OrderEventContent | UnknownEvent) & Recorded;

interface EventProperties {
  /** The stage that an order always enters with it. Null if it enters none, or the event has it. */
  stage: Stage | null;
  /**
   * An earlier failed visit, and the evening chosen after it, no longer apply, although the order
   * enters no stage.
   */
  supersedesVisit: boolean;
  /** It changes where the order or its clothes are, although the order enters no stage. */
  isMove: boolean;
  /** The person who did it can undo it for a minute. */
  isUndoable: boolean;
  /** Without an author of the staff, the customer did it. Other events contain their author. */
  isByCustomer: boolean;
  /**
   * A change of the staff with an earlier version is refused. The exceptions: docs/decisions/0106.
   */
  makesStale: boolean;
}

const PLAIN = { stage: null, supersedesVisit: false, isMove: false, isUndoable: false, isByCustomer: false, makesStale: true };

/**
 * The properties of each kind. Every rule about kinds of events reads them. An event with a stage
 * is a move and supersedes a visit, whatever its kind.
 */
export const ORDER_EVENTS = {
  placed: { ...PLAIN, stage: 'pickup', isByCustomer: true },
  weighed: { ...PLAIN, supersedesVisit: true },
  moved: { ...PLAIN, isUndoable: true },
  'moved-back': PLAIN,
  photographed: { ...PLAIN, makesStale: false },
  'wrong-code': { ...PLAIN, makesStale: false },
  'code-locked': PLAIN,
  'code-renewed': PLAIN,
  attempted: { ...PLAIN, supersedesVisit: true },
  'delivery-chosen': { ...PLAIN, supersedesVisit: true, isByCustomer: true },
  'bags-counted': PLAIN,
  'bags-explained': { ...PLAIN, makesStale: false },
  assigned: PLAIN,
  cancelled: { ...PLAIN, stage: 'cancelled', isUndoable: true },
  'cancellation-undone': { ...PLAIN, isMove: true },
  returned: { ...PLAIN, supersedesVisit: true, isMove: true, isUndoable: true },
  'return-undone': { ...PLAIN, isMove: true },
  refunded: PLAIN,
  'refund-reversed': PLAIN,
  rescheduled: { ...PLAIN, supersedesVisit: true, isByCustomer: true },
  paid: PLAIN,
  'payment-begun': { ...PLAIN, isByCustomer: true, makesStale: false },
  'payment-reported': { ...PLAIN, isByCustomer: true },
  'payment-dismissed': PLAIN,
  'payment-failed': PLAIN,
  'payment-reversed': PLAIN,
  'claim-message': PLAIN,
  'claim-assigned': { ...PLAIN, makesStale: false },
  unknown: PLAIN,
} as const satisfies Record<OrderEvent['kind'], EventProperties>;

/** Returns true if an earlier failed visit, and the evening chosen after it, no longer apply. */
export const supersedesVisit = ({ kind, stage }: Pick<OrderEvent, 'kind' | 'stage'>): boolean =>
  stage !== null || ORDER_EVENTS[kind].supersedesVisit;

/** Returns true if the event changed where the order or its clothes are. */
export const isMove = ({ kind, stage }: Pick<OrderEvent, 'kind' | 'stage'>): boolean => stage !== null || ORDER_EVENTS[kind].isMove;
