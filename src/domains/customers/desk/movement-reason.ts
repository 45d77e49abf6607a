import type { Language } from '../../../i18n/language.tsx';
import { msg, type Message } from '../../../i18n/messages.ts';

/** The reasons that the program stores in the ledger, in English. People write any other one. */
const STORED_REASONS: readonly (readonly [RegExp, (id: string) => Message])[] = [
  [/^Paid too much for order (\w+)$/, (id) => msg('Paid too much for order {id}', { id })],
  [/^Order (\w+) was cancelled$/, (id) => msg('Order {id} was cancelled', { id })],
  [/^Order (\w+) was weighed again$/, (id) => msg('Order {id} was weighed again', { id })],
  [/^The cancellation of order (\w+) was undone$/, (id) => msg('The cancellation of order {id} was undone', { id })],
  [/^Report ([\w-]+)$/, (id) => msg('Report {id}', { id })],
  [/^Paid from the wallet$/, () => msg('Paid from the wallet')],
  [/^Referral bonus$/, () => msg('Referral bonus')],
  [/^The first delivery was undone$/, () => msg('The first delivery was undone')],
];

/** Returns a reason of the program in the language, and one that a person wrote unchanged. */
export function movementReason({ formatMessage }: Pick<Language, 'formatMessage'>, reason: string): string {
  for (const [pattern, toMessage] of STORED_REASONS) {
    const match = pattern.exec(reason);
    if (match) return formatMessage(toMessage(match[1] ?? ''));
  }
  return reason;
}
