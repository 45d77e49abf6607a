/**
 * The evenings on which an order can be collected: pure functions. Specification section 4; design
 * section 6, "Ordering".
 */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { kolkataDay } from '../../lib/dates.ts';
import type { AreaEvenings, Evening } from '../evenings/contract.ts';
import { comingEvenings, firstFree, nextPickupDay, offeredEvenings, pickupDay } from '../evenings/rules.ts';
import { orderError } from './contract.ts';

/** The errors of an evening that accepts no order. */
export type EveningErrorCode = 'evening-full' | 'evening-closed' | 'evening-limit' | 'evenings-full';

/**
 * Returns the error of a full or closed evening. It names the next free evening, or the first free
 * one of `coming` if no later one is free. Returns 'evenings-full' if `coming` has no free evening.
 */
function eveningError({ day, status }: Evening, coming: readonly Evening[]): ErrorMessage<EveningErrorCode> {
  const free = firstFree(coming, day);
  if (!free) return orderError('evenings-full', { lastDay: coming.at(-1)?.day ?? '' });
  return orderError(status === 'closed' ? 'evening-closed' : 'evening-full', { pickupDay: free.day });
}

/**
 * The open pickups of an account, and those of the guests of a number, on one evening with a
 * capacity. A household needs no more, and no customer can fill an evening. The staff can exceed
 * it. docs/decisions/0060 and 0145.
 */
export const MAX_PICKUPS_PER_EVENING = 3;

/**
 * Returns the error of an evening on which the customer has `MAX_PICKUPS_PER_EVENING` orders, with
 * the next free day. Returns 'evenings-full' if no other evening is free.
 */
export function pickupLimitError(day: string, area: AreaEvenings, now: Date): ErrorMessage<EveningErrorCode> {
  const others = comingEvenings(area, now).filter((evening) => evening.day !== day);
  const free = firstFree(others, day);
  if (!free) return orderError('evenings-full', { lastDay: others.at(-1)?.day ?? '' });
  return orderError('evening-limit', { pickups: MAX_PICKUPS_PER_EVENING, pickupDay: free.day });
}

/**
 * Returns the error of the evening of an existing order, or null if the evening is free. An evening
 * that `area` does not list has no limit, and is free. Accepts a day after its cut-off.
 */
export function checkEvening(day: string, area: AreaEvenings, now: Date): ErrorMessage<EveningErrorCode> | null {
  const evening = area.evenings.find((row) => row.day === day);
  return !evening || evening.status === 'free' ? null : eveningError(evening, comingEvenings(area, now));
}

/**
 * Returns the error of a day that accepts no order, otherwise null. `day` is the next pickup day or
 * later.
 */
function checkComingDay(day: string, area: AreaEvenings, now: Date): ErrorMessage<EveningErrorCode | 'pickup-day-too-far'> | null {
  const coming = comingEvenings(area, now);
  const evening = coming.find((row) => row.day === day);
  const last = offeredEvenings(area, now).at(-1)?.day ?? coming[0].day;
  if (!evening || day > last) return orderError('pickup-day-too-far', { lastDay: last });
  return evening.status === 'free' ? null : eveningError(evening, coming);
}

/** Returns the error of a day to which an order cannot be rescheduled, otherwise null. */
export function checkPickupDay(
  day: string,
  area: AreaEvenings,
  now: Date,
): ErrorMessage<EveningErrorCode | 'pickup-day-past' | 'pickup-day-closed' | 'pickup-day-too-far'> | null {
  if (day >= pickupDay(now, area.cut_off)) return checkComingDay(day, area, now);
  const code = day < kolkataDay(now) ? 'pickup-day-past' : 'pickup-day-closed';
  return orderError(code, { pickupDay: nextPickupDay(area, now) });
}

type OrderDayErrorCode = EveningErrorCode | 'pickup-moved' | 'pickup-day-too-far';
type OrderDayCheck = { day: string } | { error: ErrorMessage<OrderDayErrorCode> };

/**
 * Returns `requested`, the day that the customer saw or chose, if it accepts a new order, otherwise
 * its error. Without `requested`, returns the first free evening.
 */
export function checkOrderDay(requested: string | undefined, area: AreaEvenings, now: Date): OrderDayCheck {
  const next = pickupDay(now, area.cut_off);
  // The usual case, without the list of evenings.
  if ((requested ?? next) === next && area.evenings.every((evening) => evening.day !== next)) return { day: next };
  const free = nextPickupDay(area, now);
  const day = requested ?? free;
  if (day < next) return { error: orderError('pickup-moved', { pickupDay: free }) };
  const error = checkComingDay(day, area, now);
  return error ? { error } : { day };
}
