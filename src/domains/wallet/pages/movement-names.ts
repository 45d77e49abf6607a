import { defineMessages, type MessageKey } from '../../../i18n/messages.ts';
import type { MovementCause, MovementKind } from '../contract.ts';

export const MOVEMENT_NAMES: Readonly<Record<MovementKind, MessageKey>> = defineMessages({
  promotion: 'Promotion',
  compensation: 'Compensation',
  change: 'Change',
  cashback: 'Cashback',
  paid: 'Paid',
  payout: 'Paid back',
});

export const MOVEMENT_CAUSE_NAMES: Readonly<Record<MovementCause, MessageKey>> = defineMessages({
  referral: 'For a friend who joined',
  report: 'For your report',
  'cancelled-order': 'The order was cancelled',
  overpaid: 'You paid more than the order cost',
  'taken-back': 'Taken back',
});
