import { WEEKDAYS } from '../rules.ts';
import type { DeskEvening, DeskPlan } from './contract.ts';

type Week = Omit<DeskPlan, 'area'>;

export const isSameWeek = (one: Week, other: Week): boolean =>
  one.cut_off === other.cut_off &&
  one.capacity === other.capacity &&
  WEEKDAYS.every((weekday) => one.closed_weekdays.includes(weekday) === other.closed_weekdays.includes(weekday));

type PlannedDay = Pick<DeskEvening, 'capacity' | 'is_exception'>;

/** The number of booked orders does not matter. */
export const isSameDay = (one: PlannedDay, other: PlannedDay): boolean =>
  one.capacity === other.capacity && one.is_exception === other.is_exception;
