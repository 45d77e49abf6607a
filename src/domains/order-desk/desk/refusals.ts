import { formatClock } from '../../../i18n/day-time.ts';
import { formatText, type ErrorMessage, type Message } from '../../../i18n/messages.ts';
import { erasureError } from '../../accounts/desk/contract.ts';
import { orderError } from '../../orders/contract.ts';
import { deliveryError } from '../../orders/delivery-contract.ts';
import { staffError } from '../../staff/desk/contract.ts';
import { bagsError } from './bags-contract.ts';
import { codeError } from './code-contract.ts';
import { deskError } from './contract.ts';
import { upiError } from './upi-contract.ts';

/** Every error of a refused change, which the audit records by its code. */
export const refusalTexts = {
  ...orderError.texts,
  ...deliveryError.texts,
  ...staffError.texts,
  ...erasureError.texts,
  ...deskError.texts,
  ...upiError.texts,
  ...bagsError.texts,
  ...codeError.texts,
};
export type RefusalCode = keyof typeof refusalTexts;

type DeskCode = keyof typeof deskError.texts;

const MOVED_PICKUP_CODES = ['customer-moved-pickup', 'laundry-moved-pickup'] as const satisfies readonly DeskCode[];
const CANCELLED_CODES = ['customer-cancelled', 'laundry-cancelled'] as const satisfies readonly DeskCode[];

/** The causes of a stale version. */
const STALE_CAUSES: readonly DeskCode[] = [...MOVED_PICKUP_CODES, ...CANCELLED_CODES];

const STALE_CODES = ['changed-meanwhile', ...MOVED_PICKUP_CODES, ...CANCELLED_CODES] as const satisfies readonly RefusalCode[];

const WRONG_CODE_CODES = ['wrong-hand-over-code', 'too-many-codes'] as const satisfies readonly DeskCode[];

/** Returns the error of a stale version. `params` has the cause with its time and day. */
export const staleError = (cause?: ErrorMessage): ErrorMessage<'changed-meanwhile'> => {
  const stale = staffError('changed-meanwhile');
  return cause ? { ...stale, params: { cause: cause.code, ...cause.params }, message: cause.message } : stale;
};

/**
 * Returns the error of the cause of a stale version, and any other error unchanged. Its message is
 * English, with the time as on all pages. The parameter `time` stays 'HH:mm'.
 */
export function explainStale({ code, params, message }: ErrorMessage): ErrorMessage {
  const { cause, ...values } = params;
  const known = code === ('changed-meanwhile' satisfies RefusalCode) && STALE_CAUSES.find((other) => other === cause);
  if (!known) return { code, params, message };
  const time = formatClock({ code: 'en' }, String(values.time));
  return { code: known, params: values, message: formatText(deskError.texts[known], { ...values, time }) };
}

const hasCodeOf = (error: Message, codes: readonly RefusalCode[]): error is ErrorMessage =>
  typeof error === 'object' && 'code' in error && codes.some((code) => code === error.code);

export const isOfCode = (error: Message, code: RefusalCode): error is ErrorMessage => hasCodeOf(error, [code]);

/** Returns true for the error of a stale version, also for one that states the cause. */
export const isStale = (error: Message): boolean => hasCodeOf(error, STALE_CODES);

/** Returns true if the pickup was moved to another day meanwhile. */
export const isMovedPickup = (error: Message): boolean => hasCodeOf(error, MOVED_PICKUP_CODES);

/** Returns true if the order was cancelled meanwhile. */
export const isCancelledMeanwhile = (error: Message): boolean => hasCodeOf(error, CANCELLED_CODES);

/** Returns true if the code of a hand-over is not the customer's, or does not work any more. */
export const isWrongCode = (error: Message): boolean => hasCodeOf(error, WRONG_CODE_CODES);
