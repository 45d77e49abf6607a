/** The riders of orders. */
import * as z from 'zod/mini';
import { noBody, resourceId } from '../../../contract/define-call.ts';
import { defineStaffCall, namedPerson } from '../../staff/desk/contract.ts';
import { change, changeErrors, deskError, deskOrder } from './contract.ts';

export const assign = defineStaffCall({
  path: 'staff/assign',
  summary: 'Assign an order to a rider, or remove its rider.',
  errors: { ...changeErrors, ...deskError.pick('unknown-rider') },
  body: z.object({ ...change, rider: z.nullable(resourceId) }),
  data: deskOrder,
});

export const listRiders = defineStaffCall({
  path: 'staff/riders',
  summary: 'The people who can be the rider of an order.',
  body: noBody,
  data: z.array(namedPerson),
});
