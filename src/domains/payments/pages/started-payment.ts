import { tabStorage } from '../../../browser/tab-storage.ts';

interface StartedPayment {
  tid: string;
  orderid: string;
}

/**
 * The online payment that was started last in this tab. A tid reveals neither its order nor whether
 * its payment failed: only with the order can the result page ask for both.
 */
export const startedPayment = tabStorage<StartedPayment | null>('startedpayment', null);

/** Returns the order of a payment that was started in this tab, otherwise undefined. */
export const orderOfPayment = (started: StartedPayment | null, tid: string): string | undefined =>
  started?.tid === tid ? started.orderid : undefined;
