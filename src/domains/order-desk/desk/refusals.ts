import type { ErrorMessage, Message } from '../../../i18n/messages.ts';
import { erasureError } from '../../accounts/desk/contract.ts';
import { orderError } from '../../orders/contract.ts';
import { deliveryError } from '../../orders/delivery-contract.ts';
import { staffError } from '../../staff/desk/contract.ts';
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
};
export type RefusalCode = keyof typeof refusalTexts;

export const isOfCode = (error: Message, code: string): error is ErrorMessage =>
  typeof error === 'object' && 'code' in error && error.code === code;
