/** The board of the orders. */
import * as z from 'zod/mini';
import { AREAS } from '../../catalogue/contract.ts';
import type { Stage } from '../../orders/contract.ts';
import { calendarDay, defineStaffCall } from '../../staff/desk/contract.ts';
import { listedOrder } from './contract.ts';

/**
 * The columns of the board in their order, one for each stage, with the filter of `staff/orders`
 * for a column that does not show every order of its stage.
 */
export const COLUMN_FILTERS: Readonly<Record<Stage, { unpaid?: true; to_return?: true }>> = {
  pickup: {},
  queue: {},
  washing: {},
  delivery: {},
  cancelled: { to_return: true },
  delivered: { unpaid: true },
};
export type Column = Stage;
export const COLUMNS = Object.keys(COLUMN_FILTERS) as readonly Column[];

export const getBoard = defineStaffCall({
  path: 'staff/board',
  summary:
    'The first orders of each open stage, of the delivered orders that are not paid and of the cancelled ones whose clothes have to ' +
    'go back, as in staff/orders, the orders of every stage whose bags differ, and the numbers of reports without an answer and of UPI payments that customers reported. Counts end at 1000.',
  body: z.object({ day: z.optional(calendarDay), area: z.optional(z.enum(AREAS)) }),
  data: z.object({
    columns: z.record(z.enum(COLUMNS), z.object({ orders: z.array(listedOrder), next: z.nullable(z.string()), count: z.int() })),
    /** Orders of every stage whose bags differ, the latest pickup first. Empty for a rider. */
    bags_differ: z.array(listedOrder),
    /** Null for a role that may not see reports. */
    open_claims: z.nullable(z.int()),
    /** UPI payments that customers reported as paid. Null for a role that may not settle them. */
    reported_upi: z.nullable(z.int()),
    /** Hand-ins with a difference to explain. Null for a role that may not explain it. */
    cash_differences: z.nullable(z.int()),
  }),
});
export type Board = z.output<typeof getBoard.data>;
