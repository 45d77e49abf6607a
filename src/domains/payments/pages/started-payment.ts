import type { Paise } from '../../../lib/money.ts';
import { tabStorage } from '../../../browser/tab-storage.ts';

export interface PaymentOfTab {
  tid: string;
  orderid: string;
  /** Undefined if a version without it stored the payment. */
  amount?: Paise;
}

/**
 * The online payment that was started last in this tab. The result page requests its state with the
 * order, because the server returns nothing about the order for a `tid` alone.
 */
export const startedPayment = tabStorage<PaymentOfTab | null>('startedpayment', null);

/** Returns the payment if it was started in this tab, otherwise undefined. */
export const paymentOfTab = (started: PaymentOfTab | null, tid: string): PaymentOfTab | undefined =>
  started?.tid === tid ? started : undefined;
