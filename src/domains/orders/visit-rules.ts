/** The deadlines of pickup and delivery, and failed visits: pure functions. */
import { dayAfter, kolkataDateTime, kolkataDay, kolkataTime } from '../../lib/dates.ts';
import type { AreaEvenings, Evening } from '../evenings/contract.ts';
import { offeredEvenings } from '../evenings/rules.ts';
import type { Order, Stage } from './contract.ts';

/**
 * Returns the deadline for bringing clothes back, 'YYYY-MM-DD HH:mm:ss' in Asia/Kolkata: the end of
 * the slot on the promised evening, by default that of the day after the pickup or cancellation.
 */
export const backBy = (pickupDay: string, returnDay: string | null = null): string => endOfSlot(returnDay ?? dayAfter(pickupDay));

/** The hours of `TIMESLOT` in Asia/Kolkata. */
export const SLOT_START_HOUR = 17;
export const SLOT_END_HOUR = 21;

/** Returns the start of `TIMESLOT`, 'YYYY-MM-DD HH:mm:ss' in Asia/Kolkata. */
export const startOfSlot = (day: string): string => `${day} ${SLOT_START_HOUR}:00:00`;

/** Returns the end of `TIMESLOT`, 'YYYY-MM-DD HH:mm:ss' in Asia/Kolkata. */
export const endOfSlot = (day: string): string => `${day} ${SLOT_END_HOUR}:00:00`;

type Deadline = Pick<Order, 'attempt' | 'due_at'>;

/**
 * Returns true if the laundry has not collected or brought back the clothes by `due_at`. Returns
 * false without a deadline, and after a visit that failed in time: that is no delay of the laundry.
 */
export const isLate = ({ attempt, due_at: dueAt }: Deadline, now: Date): boolean =>
  dueAt !== null && kolkataDateTime(now) > dueAt && !(attempt && attempt.at <= dueAt);

/** A visit is not repeated from this time of an evening on: the rider cannot be back in time. */
const LAST_REPEAT_TIME = '20:00';

/**
 * Returns `back_by`, or null if a failed visit has made that time impossible: after a failed pickup
 * until another evening is chosen, after a failed delivery from 20:00 on the due day.
 */
export const promisedBack = ({ attempt, due_at: dueAt, back_by: promised }: Deadline & Pick<Order, 'back_by'>, now: Date): string | null =>
  attempt && dueAt !== null && (dueAt !== promised || kolkataDateTime(now) >= `${dueAt.slice(0, 10)} ${LAST_REPEAT_TIME}`)
    ? null
    : promised;

/** Returns true if another delivery was chosen for a day after today. */
export const isVisitLater = ({ delivery_date: day }: Pick<Order, 'delivery_date'>, now: Date): boolean =>
  day !== null && day > kolkataDay(now);

type Visit = Pick<Order, 'attempt' | 'due_at'>;

/**
 * Returns the days on which a failed visit can be repeated, the earliest first, also if they are
 * full or past the cut-off: that of the failed visit, because the rider is out, and the one that
 * was planned, if the rider came before it. Empty without a failed visit.
 */
export function repeatEvenings({ attempt, due_at: dueAt }: Visit, now: Date): string[] {
  if (!attempt) return [];
  const [today, isOver] = [kolkataDay(now), kolkataTime(now) >= LAST_REPEAT_TIME];
  const days = new Set([attempt.at, ...(dueAt === null ? [] : [dueAt])].map((time) => time.slice(0, 10)));
  return [...days].filter((day) => (isOver ? day > today : day >= today)).toSorted();
}

/**
 * Returns the evenings for another visit after a failed one, or for a pickup without one, the
 * earliest first. Those of `repeatEvenings` have the status 'free'.
 */
export function offeredVisits(area: AreaEvenings, visit: Visit, now: Date): Evening[] {
  const offered = offeredEvenings(area, now);
  const isClosed = (day: string) => area.evenings.some((evening) => evening.day === day && evening.status === 'closed');
  // The rider is on the round anyway on the evening of the failed visit.
  const repeats = repeatEvenings(visit, now).filter((day) => day === visit.attempt?.at.slice(0, 10) || !isClosed(day));
  const others = offered.filter(({ day }) => !repeats.includes(day));
  return [...repeats.map((day): Evening => ({ day, status: 'free', left: null })), ...others].toSorted((one, other) =>
    one.day < other.day ? -1 : 1,
  );
}

/** Why a visit of the rider failed. */
export const ATTEMPT_REASONS = ['nobody-home', 'nothing-to-collect', 'refused', 'address', 'other'] as const;
export type AttemptReason = (typeof ATTEMPT_REASONS)[number];

/** Returns the reasons of a pickup, or those of a delivery. */
export const attemptReasons = (stage: string): readonly AttemptReason[] =>
  ATTEMPT_REASONS.filter((reason) => reason !== 'nothing-to-collect' || stage === ('pickup' satisfies Stage));
