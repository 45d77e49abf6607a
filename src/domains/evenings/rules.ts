/** Which evenings accept an order: pure functions. A day is a day in Asia/Kolkata. */
import { dayAfter, kolkataDay, kolkataTime } from '../../lib/dates.ts';
import type { Area } from '../catalogue/contract.ts';
import type { AreaEvenings, Evening } from './contract.ts';

/** The cut-off of a new plan. The column in the database has the same default. */
const DEFAULT_CUT_OFF = '16:00';

/** The evenings of an area whose plan was never changed. */
export const WITHOUT_LIMITS: AreaEvenings = { cut_off: DEFAULT_CUT_OFF, evenings: [] };

/** The number of days in which the next free evening is searched. */
const HORIZON_DAYS = 30;

/** The number of evenings that an order can be for, or be rescheduled to. */
const OFFERED_EVENINGS = 7;

/** From this number of free places down, the number is shown. */
const FEW_PLACES = 3;

/** 1 is Monday. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

/** Returns the day of the next pickup: today until the cut-off, then tomorrow. */
export function pickupDay(now: Date, cutOff = DEFAULT_CUT_OFF): string {
  const today = kolkataDay(now);
  return kolkataTime(now) < cutOff ? today : dayAfter(today);
}

/**
 * Returns the evenings of `HORIZON_DAYS` days, the next pickup first. An evening that `evenings`
 * does not list has no limit and is free.
 */
export function comingEvenings({ cut_off: cutOff, evenings }: AreaEvenings, now: Date): [Evening, ...Evening[]] {
  const limited = new Map(evenings.map((evening) => [evening.day, evening]));
  const evening = (day: string): Evening => limited.get(day) ?? { day, status: 'free', left: null };
  const coming: [Evening, ...Evening[]] = [evening(pickupDay(now, cutOff))];
  while (coming.length < HORIZON_DAYS) coming.push(evening(dayAfter(coming.at(-1)!.day)));
  return coming;
}

/**
 * Returns the day of the first free evening from `day` on, by default of all. If none is free from
 * then on, the day of the first free one. If none is free at all, that of the next pickup.
 */
export function nextPickupDay(area: AreaEvenings, now: Date, day?: string | null): string {
  const coming = comingEvenings(area, now);
  return (firstFree(coming, day) ?? coming[0]).day;
}

/**
 * Returns the first free evening from `from` on, otherwise the first free one of all. Undefined if
 * none is free.
 */
export function firstFree(coming: readonly Evening[], from?: string | null): Evening | undefined {
  const free = coming.filter(({ status }) => status === 'free');
  return free.find(({ day }) => day >= (from ?? '')) ?? free[0];
}

/**
 * Returns the next `OFFERED_EVENINGS` evenings that are not closed, and if none of them is free,
 * further ones until the first free one.
 */
export function offeredEvenings(area: AreaEvenings, now: Date): Evening[] {
  const open = comingEvenings(area, now).filter(({ status }) => status !== 'closed');
  return open.slice(0, Math.max(OFFERED_EVENINGS, open.findIndex(({ status }) => status === 'free') + 1));
}

/** The evenings of an area as the laundry plans them, with the orders that are counted. */
export interface EveningPlan {
  area: Area;
  version: number;
  cutOff: string;
  /** Null: any number. */
  capacity: number | null;
  /** 1 is Monday, 7 is Sunday. */
  closedWeekdays: readonly number[];
  /** A capacity of 0 closes the evening. */
  exceptions: readonly { day: string; capacity: number | null }[];
  bookings: readonly { day: string; booked: number }[];
}

/** Returns the ISO weekday of a day YYYY-MM-DD: 1 is Monday, 7 is Sunday. */
export const isoWeekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** Returns the number of orders that an evening accepts. Null: any number. 0: it is closed. */
export function capacityOn(
  { capacity, closedWeekdays, exceptions }: Pick<EveningPlan, 'capacity' | 'closedWeekdays' | 'exceptions'>,
  day: string,
): number | null {
  const exception = exceptions.find((row) => row.day === day);
  if (exception) return exception.capacity;
  return closedWeekdays.includes(isoWeekday(day)) ? 0 : capacity;
}

/**
 * Returns true if more orders are booked than the evening accepts now, because its plan was changed
 * or the laundry booked beyond it. False without a limit.
 */
export function isOverbooked(plan: EveningPlan, day: string): boolean {
  const capacity = capacityOn(plan, day);
  return capacity !== null && (plan.bookings.find((row) => row.day === day)?.booked ?? 0) > capacity;
}

function toEvening(day: string, capacity: number, booked: number): Evening {
  if (capacity === 0) return { day, status: 'closed', left: null };
  const left = capacity - booked;
  if (left <= 0) return { day, status: 'full', left: null };
  return { day, status: 'free', left: left <= FEW_PLACES ? left : null };
}

/** Returns the coming evenings of a plan that have a limit, as customers see them. */
export function toAreaEvenings(plan: EveningPlan, now: Date): AreaEvenings {
  const booked = new Map(plan.bookings.map((row) => [row.day, row.booked]));
  const evenings: Evening[] = [];
  let day = kolkataDay(now);
  // One day more, because the first one may be over.
  for (let index = 0; index <= HORIZON_DAYS; index += 1) {
    const capacity = capacityOn(plan, day);
    if (capacity !== null) evenings.push(toEvening(day, capacity, booked.get(day) ?? 0));
    day = dayAfter(day);
  }
  return { cut_off: plan.cutOff, evenings };
}
