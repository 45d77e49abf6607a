import { orderError } from '../../orders/contract.ts';
import { deliveryError } from '../../orders/delivery-contract.ts';
import { staffError } from '../../staff/desk/contract.ts';
import { deskError } from './contract.ts';

/** Every error of a refused change, which the audit records by its code. */
export const refusalTexts = { ...orderError.texts, ...deliveryError.texts, ...staffError.texts, ...deskError.texts };
export type RefusalCode = keyof typeof refusalTexts;
