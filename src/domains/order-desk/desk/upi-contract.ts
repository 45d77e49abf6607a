/** The UPI payments of a day, for the owner. Only the server and the console load this file. */
import * as z from 'zod/mini';
import { rupees } from '../../../contract/define-call.ts';
import { calendarDay, defineStaffCall } from '../../staff/desk/contract.ts';
import { begunUpi, payment } from './contract.ts';

export const MAX_UPI_PAYMENTS = 1000;

export const listUpiPayments = defineStaffCall({
  path: 'staff/upipayments',
  summary:
    'The UPI payments that were noted on a day in Asia/Kolkata, the newest first, at most 1000, to compare them with the statement ' +
    'of the bank: nothing else confirms them. `total` is without reversed ones. `begun`: those that customers began and nobody has ' +
    'noted, while something is left to pay: first those that they say to have paid, the newest first.',
  body: z.object({ day: calendarDay }),
  data: z.object({ payments: z.array(z.object({ ...payment.shape, orderid: z.string() })), total: rupees, begun: z.array(begunUpi) }),
});
export type UpiPayments = z.output<typeof listUpiPayments.data>;
