/** The bags of an order. */
import * as z from 'zod/mini';

export const bagsShape = {
  /** At the pickup. */
  bags: z.nullable(z.int()),
  /** The count that differs, or else the last one, at the pickup or later. */
  counted_bags: z.nullable(z.int()),
  /** A count differs from that of the pickup, and nothing has ended the difference. */
  bags_differ: z.boolean(),
  /** They differ, and the caller may explain it: a rider who counted them may not. */
  may_explain_bags: z.boolean(),
};
