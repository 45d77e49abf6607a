/**
 * The evenings as the staff sees and plans them. Only the server and the console load this file.
 * docs/decisions/0060.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { defineErrors } from '../../../contract/errors.ts';
import { AREAS } from '../../catalogue/contract.ts';
import { calendarDay, defineStaffCall } from '../../staff/desk/contract.ts';

/** The number of days in the response of `staff/slots`. */
export const LISTED_DAYS = 14;
const MAX_CAPACITY = 1000;
/** Evenings can be changed for this many days ahead. */
export const MAX_DAYS_AHEAD = 365;

export const eveningMessages = defineMessages({ listed: 'Evenings', saved: 'The evenings are saved' });

export const eveningDeskError = defineErrors({
  'evening-past': 'This evening is over',
  'evening-too-far': 'Evenings can be changed for a year ahead',
  'impossible-capacity': 'Enter a whole number from 1 to 1,000, or nothing for any number',
  'invalid-cut-off': 'Enter a time such as 16:00',
});

const area = z.enum(AREAS);

/** Null: any number. */
const capacity = z.nullable(z.int(eveningDeskError.code('impossible-capacity')).check(z.gte(1), z.lte(MAX_CAPACITY)));

/** The limit of a plan as a person writes it. Empty: any number. */
export const writtenLimit = z.codec(
  z.string().check(z.regex(/^\s*(?:[1-9]\d{0,2}|1000)?\s*$/, eveningDeskError.code('impossible-capacity'))),
  z.nullable(z.int()),
  { decode: (text) => (text.trim() === '' ? null : Number(text)), encode: (count) => String(count ?? '') },
);

/** A capacity as a person writes it, at least 1. */
export const writtenCapacity = z.codec(
  z.string().check(z.regex(/^\s*(?:[1-9]\d{0,2}|1000)\s*$/, eveningDeskError.code('impossible-capacity'))),
  z.int(),
  { decode: Number, encode: String },
);

/** 'HH:MM' in Asia/Kolkata. */
export const cutOff = z
  .string(eveningDeskError.code('invalid-cut-off'))
  .check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, eveningDeskError.code('invalid-cut-off')));

const week = z.object({
  cut_off: cutOff,
  capacity,
  /** 1 is Monday, 7 is Sunday. */
  closed_weekdays: z.array(z.int().check(z.gte(1), z.lte(7))).check(z.maxLength(7)),
});
const plan = z.object({ area, ...week.shape });
export type DeskPlan = z.output<typeof plan>;

const areaCapacity = z.object({
  area,
  /** Null: any number. 0: closed. */
  capacity: z.nullable(z.int()),
  /** The day differs from the plan. */
  is_exception: z.boolean(),
});

const evening = z.object({
  day: z.string(),
  ...areaCapacity.shape,
  /** The orders that are not cancelled, or were cancelled after the weighing. */
  booked: z.int(),
  /** The booked orders that are not collected. Only their pickup can move to another day. */
  to_collect: z.int(),
  /** The orders that are to be brought back on the evening. */
  due: z.int(),
});
export type DeskEvening = z.output<typeof evening>;

const deskEvenings = z.object({ plans: z.array(plan), evenings: z.array(evening) });

export const listDeskEvenings = defineStaffCall({
  path: 'staff/slots',
  summary: `The plan of each area, and ${LISTED_DAYS} evenings from a day on, by default today, with their capacity and what is booked.`,
  body: z.object({ from: z.optional(calendarDay) }),
  data: deskEvenings,
});
export type DeskEvenings = z.output<typeof listDeskEvenings.data>;

const onDay = {
  areas: z.array(area).check(z.minLength(1), z.maxLength(AREAS.length)),
  day: calendarDay,
  /** Each area of `areas`. */
  before: z.array(areaCapacity).check(z.maxLength(AREAS.length)),
};

export const setEvenings = defineStaffCall({
  path: 'staff/setslots',
  summary:
    'Change the plan of an area, set the capacity of one evening (0 closes it, null is any number), or return an evening to the plan. ' +
    'Orders that are booked stay. `before` has the plan, or the evening in each area, that the change is based on. If it is not the ' +
    'current one, the change is refused with 409 `changed-meanwhile`. `data` has the plans, and the evenings from the day on, in both cases.',
  errors: eveningDeskError.texts,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('plan'), ...plan.shape, before: week }),
    z.object({
      action: z.literal('evening'),
      ...onDay,
      capacity: z.nullable(z.int(eveningDeskError.code('impossible-capacity')).check(z.gte(0), z.lte(MAX_CAPACITY))),
    }),
    z.object({ action: z.literal('reset'), ...onDay }),
  ]),
  data: deskEvenings,
});
export type EveningChange = z.output<typeof setEvenings.body>;
