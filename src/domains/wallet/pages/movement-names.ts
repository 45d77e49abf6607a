import { defineMessages, type MessageKey } from '../../../i18n/messages.ts';
import type { MovementKind } from '../contract.ts';

export const MOVEMENT_NAMES: Readonly<Record<MovementKind, MessageKey>> = defineMessages({
  promotion: 'Promotion',
  compensation: 'Compensation',
  change: 'Change',
  cashback: 'Cashback',
  paid: 'Paid',
});
