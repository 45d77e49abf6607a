/** Wash programs and the surcharges of the areas. Specification sections 3, 7 and 9. */
import * as z from 'zod/mini';
import { defineCall, rupees } from '../../contract/define-call.ts';
import { MAX_LISTED_REVIEWS, review } from '../reviews/contract.ts';

/** The services of the specification. Ids are permanent; names may change. */
export const SERVICE_IDS = ['wash', 'wash-iron', 'iron'] as const;
export type ServiceId = (typeof SERVICE_IDS)[number];

/** A value for every service; a lookup accepts the id of any program. */
export type ByService<Value> = Readonly<Record<ServiceId, Value>> & Readonly<Record<string, Value>>;

export const AREAS = ['manesar', 'vatika'] as const;
export type Area = (typeof AREAS)[number];

export const areaNames: Readonly<Record<Area, string>> = { manesar: 'Manesar', vatika: 'Vatika India Next' };

export const program = z.object({
  programid: z.string(),
  program_name: z.string(),
  /** The base rate of one unit, before the area's surcharge. */
  program_rate: rupees,
  unit: z.string(),
  /** Parts separated by $; the first is shown. */
  program_description: z.string(),
});

/** The surcharge of a program in an area, and its rate there before any offer. */
export const variation = z.object({ programid: z.string(), area: z.enum(AREAS), surcharge: rupees, rate: rupees });

export type Program = z.output<typeof program>;
export type Variation = z.output<typeof variation>;

export const programsAndReviews = defineCall({
  method: 'GET',
  path: 'combinedata/proandrev.php',
  summary: `Wash programs, their area variations and all reviews, the newest ${MAX_LISTED_REVIEWS}. With reviews=best, only those of the home page.`,
  caller: 'anyone',
  body: z.object({ reviews: z.optional(z.literal('best')) }),
  data: z.object({ program: z.array(program), reviews: z.array(review), variations: z.array(variation) }),
});

/** The part of a description that is shown. */
export const displayedDescription = ({ program_description }: Pick<Program, 'program_description'>) =>
  program_description.split('$')[0]?.trim() ?? '';
