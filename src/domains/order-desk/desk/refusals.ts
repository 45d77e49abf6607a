import { formatText, type ErrorMessage, type Message } from '../../../i18n/messages.ts';
import { erasureError } from '../../accounts/desk/contract.ts';
import { orderError } from '../../orders/contract.ts';
import { deliveryError } from '../../orders/delivery-contract.ts';
import { staffError } from '../../staff/desk/contract.ts';
import { bagsError } from './bags-contract.ts';
import { codeError } from './code-contract.ts';
import { deskError } from './contract.ts';
import { CANCELLED_MEANWHILE, MOVED_PICKUP } from './rules.ts';
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

/** The causes of a stale version, which are codes of texts. */
const STALE_CAUSES: ReadonlySet<string> = new Set([...MOVED_PICKUP, ...CANCELLED_MEANWHILE]);

/** Returns the error of a stale version. `params` has the cause with its time and day. */
export const staleError = (cause?: ErrorMessage): ErrorMessage<'changed-meanwhile'> => {
  const stale = staffError('changed-meanwhile');
  return cause ? { ...stale, params: { cause: cause.code, ...cause.params }, message: cause.message } : stale;
};

/** Returns the error of the cause of a stale version, and any other error unchanged. */
export function explainStale({ code, params, message }: ErrorMessage): ErrorMessage {
  const { cause, ...values } = params;
  const isExplained = code === ('changed-meanwhile' satisfies RefusalCode) && typeof cause === 'string' && STALE_CAUSES.has(cause);
  if (!isExplained) return { code, params, message };
  return { code: cause, params: values, message: formatText(deskError.texts[cause as keyof typeof deskError.texts], values) };
}

export const isOfCode = (error: Message, code: string): error is ErrorMessage =>
  typeof error === 'object' && 'code' in error && error.code === code;
