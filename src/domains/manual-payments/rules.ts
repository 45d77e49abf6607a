import type { PaymentMethod } from '../payments/contract.ts';

/** The payment methods that the laundry records by hand. */
export const MANUAL_PAYMENT_METHODS = ['cash', 'upi'] as const satisfies readonly PaymentMethod[];
export type ManualPaymentMethod = (typeof MANUAL_PAYMENT_METHODS)[number];

export const isManual = (method: string): method is ManualPaymentMethod => (MANUAL_PAYMENT_METHODS as readonly string[]).includes(method);

/** In paise. The maximum limits the effect of a typing mistake. */
export const MANUAL_PAYMENT_LIMITS = { min: 1, max: 10_000_000 };
