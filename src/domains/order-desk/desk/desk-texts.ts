import { msg, type MessageKey } from '../../../i18n/messages.ts';
import type { OrderEvent, ReversedCash } from '../../orders/events-contract.ts';
import type { AttemptReason } from '../../orders/visit-rules.ts';
import type { Column } from './board-contract.ts';
import type { OrderPhotoKind } from './order-photo.ts';

/** Why a visit failed. A newer server can have more reasons. */
export const ATTEMPT_TEXTS: Readonly<Record<AttemptReason, MessageKey>> & Readonly<Record<string, MessageKey>> = {
  'nobody-home': msg('Nobody was home'),
  'nothing-to-collect': msg('There was nothing to collect'),
  refused: msg('The customer refused'),
  address: msg('The address was not found'),
  other: msg('Another reason'),
};

/** The texts of the events of an order. A newer server can have more kinds. */
export const HISTORY_TEXTS: Readonly<Record<Exclude<OrderEvent['kind'], 'unknown'>, MessageKey>> & Readonly<Record<string, MessageKey>> = {
  placed: msg('Order placed'),
  weighed: msg('Weighed'),
  moved: msg('Moved'),
  'moved-back': msg('Moved back'),
  attempted: msg('Failed visit'),
  assigned: msg('Rider changed'),
  cancelled: msg('Cancelled'),
  'cancellation-undone': msg('Cancellation undone'),
  refunded: msg('Money to the wallet'),
  'refund-reversed': msg('Money taken back from the wallet'),
  rescheduled: msg('Pickup day changed'),
  returned: msg('Clothes returned'),
  'return-undone': msg('Return undone'),
  'delivery-chosen': msg('Another delivery chosen'),
  paid: msg('Payment'),
  'payment-begun': msg('Online payment begun'),
  'payment-reported': msg('The customer says: paid'),
  'payment-dismissed': msg('UPI payment not at the bank'),
  'payment-failed': msg('Payment failed'),
  'payment-reversed': msg('Payment reversed'),
  photographed: msg('Photo of the scale'),
  'wrong-code': msg('Wrong code'),
  'code-locked': msg('Hand-over code wrong too often'),
  'code-renewed': msg('New hand-over code'),
  'bags-counted': msg('Bags counted'),
  'bags-explained': msg('Difference of the bags explained'),
  'claim-message': msg('Message about a report'),
  'claim-assigned': msg('Report assigned'),
};

/** Where the cash of a reversed payment is. */
export const REVERSED_CASH_TEXTS = {
  'given-back': msg('The cash goes back to the customer'),
  'never-received': msg('The cash was never received'),
} as const satisfies Record<ReversedCash, MessageKey>;

/** The subject of a photo of the staff. */
export const PHOTO_KIND_TEXTS: Readonly<Record<OrderPhotoKind, MessageKey>> = {
  weigh: msg('On the scale'),
  damage: msg('Damage'),
  'hand-over': msg('Handed over'),
};

export const METHOD_TEXTS: Readonly<Record<string, MessageKey>> = {
  cash: msg('Cash'),
  upi: msg('UPI'),
  gateway: msg('Online'),
  wallet: msg('Wallet'),
};

export const COLUMN_LABELS: Readonly<Record<Column, MessageKey>> = {
  pickup: msg('Pickup'),
  queue: msg('In-Queue'),
  washing: msg('Washing/Drying'),
  delivery: msg('Out for delivery'),
  cancelled: msg('To return'),
  delivered: msg('Not paid'),
};
