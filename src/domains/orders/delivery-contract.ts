/** The evening of another delivery after a failed visit. docs/decisions/0073. */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { expectedUserid, defineCall, resourceId } from '../../contract/define-call.ts';
import { orderError } from './contract.ts';

export const deliveryMessages = defineMessages({ chosen: 'Your delivery evening is noted' });

/** Separate from `orderError`, because every page loads that file. */
export const deliveryError = defineErrors({
  'no-failed-delivery': 'This order does not wait for another delivery, please look at it again',
  'delivery-day-closed': 'It is too late for this evening, the next one is on {deliveryDay, date}',
});

export const chooseDelivery = defineCall({
  method: 'POST',
  path: 'orders/choosedelivery',
  summary: 'Choose the evening of another delivery, after a visit that failed. Can be changed until that evening.',
  caller: 'customer-or-guest',
  errors: {
    ...orderError.pick('order-not-found', 'too-many-changes', 'pickup-day-too-far'),
    ...orderError.pick('evening-full', 'evening-closed', 'evening-limit', 'evenings-full'),
    ...deliveryError.pick('no-failed-delivery', 'delivery-day-closed'),
  },
  body: z.object({ userid: expectedUserid, orderid: resourceId, delivery_date: z.iso.date() }),
  data: z.object({ orderid: z.string(), timeslot: z.string(), delivery_date: z.string() }),
});
