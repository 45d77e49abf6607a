/**
 * Bookings of orders on evenings. docs/decisions/0060. A statement of `orders` writes the booking
 * of a new order.
 */
import { addDays, dayAfter, kolkataDay } from '../../lib/dates.ts';
import { invariant } from '../../lib/invariant.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { AREAS, type Area } from '../catalogue/contract.ts';
import type { AreaEvenings, Evenings } from './contract.ts';
import { WITHOUT_LIMITS, capacityOn, toAreaEvenings, type EveningPlan } from './rules.ts';
import { bookBeyondCapacity, lockPlan, listChangedPlans, releaseBooking, book, type EveningBooking } from './store.server.ts';

const planOf = (plans: readonly EveningPlan[], area: Area) => plans.find((plan) => plan.area === area);

/**
 * Returns the evenings of every area as customers see them. An area without a row in `plans` has no
 * limits.
 */
export function toEvenings(plans: readonly EveningPlan[], now: Date): Evenings {
  const evenings = (area: Area): AreaEvenings => {
    const plan = planOf(plans, area);
    return plan ? toAreaEvenings(plan, now) : WITHOUT_LIMITS;
  };
  return Object.fromEntries(AREAS.map((area) => [area, evenings(area)])) as Evenings;
}

/** Returns the evenings of every area as customers see them. */
export const readEvenings = async (db: Db, now: Date): Promise<Evenings> => toEvenings(await listChangedPlans(db, kolkataDay(now)), now);

/**
 * Returns the booking that an order needs on an evening. `plans` are the changed ones: in another
 * area, the capacity is null.
 */
export function bookingOn(plans: readonly EveningPlan[], area: Area, day: string): EveningBooking {
  const plan = planOf(plans, area);
  return { area, day, version: plan?.version ?? 0, capacity: plan ? capacityOn(plan, day) : null };
}

/** The number of days in which an evening for the return is searched. */
const RETURN_DAYS = 30;

/**
 * Returns the promised evening for bringing clothes back: the first one after `day` that is not
 * closed. `plans` are the changed ones, with the exceptions from `day` on. If all are closed, it is
 * the day after. The trigger orders_set_return_day has the same rule. docs/decisions/0130.
 */
export function returnDay(plans: readonly EveningPlan[], area: Area, day: string): string {
  const plan = planOf(plans, area);
  const evenings = Array.from({ length: RETURN_DAYS }, (_, index) => addDays(day, index + 1));
  return evenings.find((evening) => !plan || capacityOn(plan, evening) !== 0) ?? dayAfter(day);
}

interface EveningKey {
  area: Area;
  day: string;
}

/** Releases the booking of an order. Does nothing on an evening whose orders are not counted. */
export async function releaseEvening(tx: Tx, evening: EveningKey): Promise<void> {
  await lockPlan(tx, evening.area);
  await releaseBooking(tx, evening);
}

/**
 * Books an evening for an existing order. Returns null, or the error of `check` or `checkBooked`,
 * with nothing booked. `checkBooked` is called after the booking, while no other order of the
 * evening can be committed. On a past day and on an evening without a capacity, orders are not
 * counted: returns the result of `check`, books nothing and does not call `checkBooked`.
 */
export async function bookEvening<Refusal>(
  tx: Tx,
  { area, day }: EveningKey,
  now: Date,
  check: (evenings: AreaEvenings) => Refusal | null,
  checkBooked: (evenings: AreaEvenings) => Promise<Refusal | null>,
): Promise<Refusal | null> {
  const today = kolkataDay(now);
  await lockPlan(tx, area);
  const plans = await listChangedPlans(tx, today);
  const evenings = toEvenings(plans, now)[area];
  const error = check(evenings);
  const booking = bookingOn(plans, area, day);
  const { capacity } = booking;
  if (error || day < today || capacity === null) return error;
  if (await book(tx, { ...booking, capacity })) {
    const refusal = await checkBooked(evenings);
    if (refusal) await releaseBooking(tx, booking);
    return refusal;
  }
  // Concurrent orders have filled the evening. Until the lock ends, no booking is released.
  const refusal = check(toEvenings(await listChangedPlans(tx, today), now)[area]);
  invariant(refusal, 'an evening that cannot be booked is full');
  return refusal;
}

/**
 * Books an evening, also one that is full or closed. Does nothing on a past day and on an evening
 * without a capacity, where orders are not counted.
 */
export async function bookEveningBeyondCapacity(tx: Tx, { area, day }: EveningKey, now: Date): Promise<void> {
  const today = kolkataDay(now);
  await lockPlan(tx, area);
  const booking = bookingOn(await listChangedPlans(tx, today), area, day);
  if (day >= today && booking.capacity !== null) await bookBeyondCapacity(tx, booking);
}
