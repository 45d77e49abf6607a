/** The bags of an order. */
import * as z from 'zod/mini';

export const bagsShape = {
  /** At the pickup. */
  bags: z.nullable(z.int()),
  /** The bags that were counted last, at the pickup or later. */
  counted_bags: z.nullable(z.int()),
  /** The last count is not that of the pickup, and no explanation follows it. */
  bags_differ: z.boolean(),
  /** They differ, and the caller may explain it: a rider who counted them may not. */
  may_explain_bags: z.boolean(),
};
