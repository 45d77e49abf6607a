import type { Language } from '../../../i18n/language.tsx';
import { defineMessages, type MessageKey } from '../../../i18n/messages.ts';
import type { MovementCause } from '../../wallet/contract.ts';
import type { WalletMovement } from './contract.ts';

const CAUSE_NAMES: Readonly<Record<Exclude<MovementCause, 'taken-back'>, MessageKey>> = defineMessages({
  referral: 'Referral bonus',
  report: 'A report',
  'cancelled-order': 'The order was cancelled',
  overpaid: 'Paid too much',
});

/**
 * Returns why a movement was made, in the language, or as a person wrote it. Undefined if the kind
 * suffices: a payment from the wallet, and the change of an order that was weighed again.
 */
export function movementReason({ t }: Pick<Language, 't'>, { kind, cause, reason }: WalletMovement): string | undefined {
  if (cause && cause !== 'taken-back') return t(CAUSE_NAMES[cause]);
  return cause || (kind !== 'paid' && kind !== 'change') ? reason : undefined;
}
