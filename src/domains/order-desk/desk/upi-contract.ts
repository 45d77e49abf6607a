/** The UPI payments of a day, for the owner. Only the server and the console load this file. */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { resourceId, rupees } from '../../../contract/define-call.ts';
import { defineErrors } from '../../../contract/errors.ts';
import { calendarDay, defineStaffCall } from '../../staff/desk/contract.ts';
import { begunUpi } from './begun-upi.ts';
import { at, changeErrors, deskOrder, note, payment } from './contract.ts';

export const MAX_UPI_PAYMENTS = 1000;

export const upiMessages = defineMessages({ dismissed: 'The customer reads that it did not arrive' });

export const upiError = defineErrors({
  'upi-not-found': 'There is no such UPI payment',
  'upi-settled': 'Somebody has noted or dismissed this UPI payment already',
});

export const listUpiPayments = defineStaffCall({
  path: 'staff/upipayments',
  summary:
    'The UPI payments that were noted on a day in Asia/Kolkata, the newest first, at most 1000. Compare them with the statement of ' +
    'the bank: nothing else confirms them. `total` excludes reversed payments. `begun` lists the UPI payments that customers began ' +
    'and the laundry has not noted: first those that a customer reported as paid, the newest first, then those of orders with an ' +
    'unpaid amount.',
  body: z.object({ day: calendarDay }),
  data: z.object({ payments: z.array(z.object({ ...payment.shape, orderid: z.string() })), total: rupees, begun: z.array(begunUpi) }),
});
export type UpiPayments = z.output<typeof listUpiPayments.data>;

/** No version: a payment is settled once, whatever else changes in its order. */
const begunPayment = { orderid: resourceId, reference: resourceId, at };

export const confirmUpi = defineStaffCall({
  path: 'staff/confirmupi',
  summary:
    'Note a UPI payment that a customer began, as the statement of the bank has it, also after a dismissal. What is more than is due ' +
    'goes to the wallet. Requires the header Idempotency-Key.',
  errors: { ...changeErrors, ...upiError.texts },
  body: z.object(begunPayment),
  data: deskOrder,
});

export const dismissUpi = defineStaffCall({
  path: 'staff/dismissupi',
  summary:
    'Note that the bank does not have a UPI payment that a customer reported as paid. The customer reads the reason. Requires the ' +
    'header Idempotency-Key.',
  errors: { ...changeErrors, ...upiError.texts },
  body: z.object({ ...begunPayment, reason: note }),
  data: deskOrder,
});
