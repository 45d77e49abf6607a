import { tabStorage } from '../../../browser/tab-storage.ts';

interface PaymentOfTab {
  tid: string;
  orderid: string;
}

/**
 * The online payment that was started last in this tab. The result page requests its state with the
 * order, because the server returns nothing about the order for a `tid` alone.
 */
export const startedPayment = tabStorage<PaymentOfTab | null>('startedpayment', null);

/** Returns the order of a payment that was started in this tab, otherwise undefined. */
export const orderOfPayment = (started: PaymentOfTab | null, tid: string): string | undefined =>
  started?.tid === tid ? started.orderid : undefined;
