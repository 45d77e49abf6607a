/** Reviews of the laundry. Specification sections 2, 3 and 9. */
import * as z from 'zod/mini';

/** One review as everyone may see it: no mobile and no userid. `review_added` is a date-time in Asia/Kolkata. */
export const review = z.object({ name: z.string(), star_rating: z.int(), message: z.string(), review_added: z.string() });

export type Review = z.output<typeof review>;
