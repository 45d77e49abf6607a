/** The history of an order in words. docs/decisions/0072. */
import { formatWeekday } from '../../../../i18n/day-time.ts';
import type { Language } from '../../../../i18n/language.tsx';
import { defineMessages, msg, type MessageKey } from '../../../../i18n/messages.ts';
import { formatKilograms } from '../../../../lib/money.ts';
import { stageDisplay } from '../../contract.ts';
import type { OrderHistoryEntry } from '../../history-contract.ts';
import type { AttemptReason } from '../../visit-rules.ts';

/** Returns '20 pieces'. */
export const piecesText = ({ plural }: Language, items: number): string =>
  plural(items, { one: '{count} piece', other: '{count} pieces' }, { count: items });

/** Returns '2 bags'. */
export const bagsText = ({ plural }: Language, bags: number): string =>
  plural(bags, { one: '{count} bag', other: '{count} bags' }, { count: bags });

/** Returns '12.5 kg, 20 pieces, 2 bags, ₹427.50', without what the entry does not have. */
function figuresText(language: Language, { weight, items, bags, amount }: OrderHistoryEntry): string {
  const { t, rupees } = language;
  return [
    weight !== undefined && t('{weight} kg', { weight: formatKilograms(weight) }),
    items !== undefined && piecesText(language, items),
    bags !== undefined && bagsText(language, bags),
    amount !== undefined && rupees(amount),
  ]
    .filter((part) => part !== false)
    .join(', ');
}

/** Returns '…: the reason', or the text alone. */
const withReason = ({ t }: Language, text: string, { reason }: OrderHistoryEntry) =>
  reason === undefined ? text : t('{text}: {reason}', { text, reason });

/** Returns what happened, with the reason. */
export function historyText(language: Language, entry: OrderHistoryEntry): string {
  return withReason(language, eventText(language, entry), entry);
}

/** Why a visit failed. A newer server can have more reasons. */
const VISITS: Readonly<Record<AttemptReason, MessageKey>> & Readonly<Record<string, MessageKey>> = {
  'nobody-home': msg('Our rider came and met nobody'),
  'nothing-to-collect': msg('Our rider came, and there was nothing to collect'),
  refused: msg('Our rider came and was sent away at the door'),
  address: msg('Our rider did not find your address'),
  other: msg('Our rider came, but the visit did not succeed'),
};

/** By the method of the payment. A newer server can have more methods. */
const PAYMENTS: Readonly<Record<'other', MessageKey>> & Readonly<Record<string, MessageKey>> = defineMessages({
  wallet: '{amount} paid from your wallet',
  cash: '{amount} paid in cash',
  upi: '{amount} paid by UPI',
  gateway: '{amount} paid online',
  other: '{amount} paid',
});

function eventText(language: Language, entry: OrderHistoryEntry): string {
  const { t, translateData } = language;
  const { kind, stage = '', by, pickup_date: day = '', from_date: from } = entry;
  const amount = language.rupees(entry.amount ?? 0);
  const stageLabel = translateData(stageDisplay(stage).label);
  switch (kind) {
    case 'placed':
      return t('Order placed');
    case 'weighed':
      return entry.at_door
        ? t('Weighed at your door: {figures}', { figures: figuresText(language, entry) })
        : t('Weighed: {figures}', { figures: figuresText(language, entry) });
    case 'corrected':
      return t('Corrected to {figures}', { figures: figuresText(language, entry) });
    case 'photographed':
      return t('Photo of the scale');
    case 'moved':
      return stageLabel;
    case 'moved-back':
      return t('Back to {stage}', { stage: stageLabel });
    case 'delivered-without-code':
      return t('Handed over without your code');
    case 'rescheduled': {
      const to = formatWeekday(language, day);
      if (from === day) return t('Another visit on {to}', { to });
      if (by === 'laundry' && from !== undefined) {
        return t('We moved the pickup from {from} to {to}', { from: formatWeekday(language, from), to });
      }
      return t('Pickup moved to {to}', { to });
    }
    case 'attempted':
      return t(VISITS[entry.why ?? ''] ?? VISITS.other);
    case 'delivery-chosen':
      return t('Delivery on {day}', { day: formatWeekday(language, entry.delivery_date ?? '') });
    case 'cancelled':
      return t('Order cancelled');
    case 'cancellation-undone':
      return t('Cancellation undone');
    case 'returned':
      return t('Clothes returned');
    case 'returned-without-code':
      return t('Clothes returned without your code');
    case 'return-undone':
      return t('Your clothes are not returned yet');
    case 'paid':
      return language.formatMessage({ key: PAYMENTS[entry.method ?? ''] ?? PAYMENTS.other, values: { amount } });
    case 'refunded':
      return t('{amount} went into your wallet', { amount });
    case 'refund-reversed':
      return t('{amount} was taken from your wallet again', { amount });
    case 'reported':
      return t('Problem reported');
    case 'report-continued':
      return t('You wrote about your report');
    case 'answered':
      return t('Report answered');
    case 'settled':
      return entry.amount === undefined ? t('Report settled') : t('Report settled, {amount} went into your wallet', { amount });
    case 'payment-dismissed':
      return t('Your UPI payment of {amount} did not arrive', { amount });
    case 'payment-reversed':
      return reversedPaymentText(language, entry);
    case 'code-locked':
      return t('The hand-over code was wrong too often');
    case 'code-renewed':
      return t('You have a new hand-over code');
    default:
      // A kind of a newer server.
      return kind;
  }
}

/** Returns which payment of the customer was reversed, without the reason. */
export const reversedPaymentText = ({ t, day, rupees }: Language, { amount, paid_at: paidAt }: OrderHistoryEntry): string =>
  amount === undefined || paidAt === undefined
    ? t('A payment was taken back')
    : t('Your payment of {amount} on {day} was taken back', { amount: rupees(amount), day: day(paidAt) });

/** Returns the last entry with a weight before `entry`, undefined without one. */
const weighingBefore = (history: readonly OrderHistoryEntry[], entry: OrderHistoryEntry): OrderHistoryEntry | undefined =>
  history.slice(0, history.indexOf(entry)).findLast(({ weight }) => weight !== undefined);

/** Returns '10.5 kg, 20 pieces, ₹359.10' before the correction, or undefined for another entry. */
export function figuresBefore(language: Language, history: readonly OrderHistoryEntry[], entry: OrderHistoryEntry): string | undefined {
  const before = entry.kind === 'corrected' ? weighingBefore(history, entry) : undefined;
  return before && figuresText(language, before);
}
