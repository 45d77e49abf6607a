/**
 * Programs and rates as the owner sets them. Only the server and the console load this file.
 * docs/decisions/0057.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { defineErrors } from '../../../contract/errors.ts';
import { noBody, rupees, typedRupees } from '../../../contract/define-call.ts';
import { defineStaffCall } from '../../staff/desk/contract.ts';
import { AREAS, SERVICE_IDS } from '../contract.ts';
import { RATE_LIMITS, SURCHARGE_LIMITS } from '../rules.ts';

export const catalogueDeskMessages = defineMessages({ listed: 'Programs', saved: 'The rates are saved' });

export const catalogueDeskError = defineErrors({
  'impossible-rate': 'A rate is ₹1 to ₹10,000',
  'impossible-surcharge': 'A surcharge is ₹0 to ₹1,000',
});

export const typedRate = typedRupees(catalogueDeskError.code('impossible-rate'), RATE_LIMITS);
export const typedSurcharge = typedRupees(catalogueDeskError.code('impossible-surcharge'), SURCHARGE_LIMITS);

const prices = z.object({ rate: rupees, surcharges: z.record(z.enum(AREAS), rupees) });
export type Prices = z.output<typeof prices>;

const deskProgram = z.object({
  programid: z.string(),
  name: z.string(),
  unit: z.string(),
  rate: rupees,
  /** The rate of a new catalogue, before the owner sets one. */
  is_sample: z.boolean(),
  surcharges: z.record(z.enum(AREAS), rupees),
});
export type DeskProgram = z.output<typeof deskProgram>;

export const listPrograms = defineStaffCall({
  path: 'staff/programs',
  summary: 'The programs with their rates and the surcharges of the areas.',
  body: noBody,
  data: z.array(deskProgram),
});

export const setProgram = defineStaffCall({
  path: 'staff/setprogram',
  summary:
    'Set the rate of a program and its surcharges. Placed orders keep their rates. `before` has the amounts that the change is based ' +
    'on, null for a program that is not offered. If they are not the current ones, the change is refused with 409 `changed-meanwhile`, ' +
    'and `data` has the current programs.',
  errors: catalogueDeskError.texts,
  body: z.object({ programid: z.enum(SERVICE_IDS), ...prices.shape, before: z.nullable(prices) }),
  data: z.array(deskProgram),
});
