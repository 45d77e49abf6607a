/** The call that gives a customer another hand-over code. */
import * as z from 'zod/mini';
import { defineErrors } from '../../../contract/errors.ts';
import { defineMessages } from '../../../i18n/messages.ts';
import { defineStaffCall } from '../../staff/desk/contract.ts';
import { change, changeErrors, deskOrder } from './contract.ts';

export const codeMessages = defineMessages({ renewed: 'The customer has a new code' });

export const codeError = defineErrors({
  'too-many-renewals': 'This order got five new codes today. Ask the owner.',
});

export const renewCode = defineStaffCall({
  path: 'staff/renewcode',
  summary:
    'Make a new hand-over code of an order that is out for delivery. Resets the count of wrong codes. At most five times a day, ' +
    'an owner more often.',
  errors: { ...changeErrors, ...codeError.texts },
  body: z.object(change),
  data: deskOrder,
});
