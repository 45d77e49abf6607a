/** Online payments whose result is not known yet. docs/decisions/0077. */
import * as z from 'zod/mini';
import { rupees } from '../../../contract/define-call.ts';

/** A pending payment at the gateway. It can arrive until it is marked as failed. */
export const begunOnline = z.object({ amount: rupees, begun_at: z.string() });
export type BegunOnline = z.output<typeof begunOnline>;
