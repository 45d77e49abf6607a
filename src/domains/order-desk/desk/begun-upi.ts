/** UPI payments that wait for a decision of the owner. docs/decisions/0077. */
import * as z from 'zod/mini';
import { rupees } from '../../../contract/define-call.ts';

/** A UPI payment whose code a customer opened: only the bank's statement confirms a payment. */
export const begunUpi = z.object({
  orderid: z.string(),
  amount: rupees,
  /** The text that the payment app writes into the statement. */
  reference: z.string(),
  begun_at: z.string(),
  /** When the customer reported it as paid. */
  reported_at: z.nullable(z.string()),
  /**
   * The unpaid amount of the order, also of one that was moved back to its pickup. More goes to the
   * wallet of the customer.
   */
  left_to_pay: rupees,
});
export type BegunUpi = z.output<typeof begunUpi>;

/** The statement of the bank does not have it. */
export const dismissedUpi = z.object({ ...begunUpi.shape, dismissed_at: z.string(), reason: z.string() });
