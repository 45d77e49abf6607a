/** Counts of bags without a move, and the explanation of a difference. docs/decisions/0117. */
import * as z from 'zod/mini';
import { singleLineText } from '../../../contract/define-call.ts';
import { defineErrors } from '../../../contract/errors.ts';
import { defineMessages } from '../../../i18n/messages.ts';
import { defineStaffCall } from '../../staff/desk/contract.ts';
import { change, changeErrors, deskError, deskOrder, MAX_BAGS } from './contract.ts';

export const bagsMessages = defineMessages({ counted: 'The bags are counted', explained: 'The explanation is noted' });

export const bagsError = defineErrors({
  'counted-by-you':
    'You counted these bags yourself: an owner, an operator or another rider has to count them, or to explain the difference',
  'bags-match': 'The bags of this order match, or another person has explained the difference',
});

export const countBags = defineStaffCall({
  path: 'staff/countbags',
  summary:
    'Count the bags of an order that the laundry has, without a move. The number of the pickup stays. A count that matches again is ' +
    'refused for a rider who counted bags of the order.',
  errors: { ...changeErrors, ...bagsError.pick('counted-by-you') },
  body: z.object({ ...change, bags: z.int().check(z.gte(0), z.lte(MAX_BAGS)) }),
  data: deskOrder,
});

export const explainBags = defineStaffCall({
  path: 'staff/explainbags',
  summary:
    'Explain why another number of bags was counted last than at the pickup. The order is no task any more until a later count differs. ' +
    'Refused for a rider who counted bags of the order.',
  errors: { ...changeErrors, ...bagsError.pick('bags-match', 'counted-by-you'), ...deskError.pick('reason-required') },
  body: z.object({ ...change, note: singleLineText(deskError.code('reason-required'), { min: 3 }) }),
  data: deskOrder,
});
