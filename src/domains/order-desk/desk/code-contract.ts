/** The call that gives a customer another hand-over code. */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { defineStaffCall } from '../../staff/desk/contract.ts';
import { change, changeErrors, deskOrder } from './contract.ts';

export const codeMessages = defineMessages({ renewed: 'The customer has a new code' });

export const renewCode = defineStaffCall({
  path: 'staff/renewcode',
  summary: 'Make a new hand-over code of an order that is out for delivery. Resets the count of wrong codes.',
  errors: changeErrors,
  body: z.object(change),
  data: deskOrder,
});
