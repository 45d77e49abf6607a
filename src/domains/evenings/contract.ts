/**
 * The evenings on which the laundry collects: cut-off, capacity and closed days of each area.
 * docs/decisions/0060.
 */
import * as z from 'zod/mini';
import { defineCall, noBody } from '../../contract/define-call.ts';
import type { Area } from '../catalogue/contract.ts';

const EVENING_STATUSES = ['free', 'full', 'closed'] as const;

const evening = z.object({
  /** In Asia/Kolkata, YYYY-MM-DD. */
  day: z.string(),
  status: z.enum(EVENING_STATUSES),
  /** The number of places if only a few are left, otherwise null. */
  left: z.nullable(z.int()),
});
export type Evening = z.output<typeof evening>;

const areaEvenings = z.object({
  /** 'HH:MM': orders placed before it are picked up the same day. */
  cut_off: z.string(),
  /** The evenings with a limit, from today on. Every other evening is free. */
  evenings: z.array(evening),
});
export type AreaEvenings = z.output<typeof areaEvenings>;

export const getEvenings = defineCall({
  method: 'GET',
  path: 'orders/evenings',
  summary: 'The cut-off of each area, and its evenings with a limit in the next 30 days.',
  caller: 'anyone',
  body: noBody,
  data: z.object({ manesar: areaEvenings, vatika: areaEvenings } satisfies Record<Area, typeof areaEvenings>),
});
export type Evenings = z.output<typeof getEvenings.data>;
