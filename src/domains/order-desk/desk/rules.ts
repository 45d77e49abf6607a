/** Decisions about the work of the staff on orders. Pure functions. */
import { DAY_SECONDS, MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../../lib/clock.ts';
import { addDays, dayAfter, kolkataDay } from '../../../lib/dates.ts';
import { isStage, type Stage } from '../../orders/contract.ts';
import { STAGE_ACTIONS, UNDO_MOVE_SECONDS, type DeskAction } from './contract.ts';

export const isAllowed = (stage: string, action: DeskAction): boolean => isStage(stage) && STAGE_ACTIONS[stage].includes(action);

/** An entry can wait for a network on a phone for this time. */
const MAX_ENTRY_AGE_SECONDS = DAY_SECONDS;
const CLOCKS_DIFFER_SECONDS = 15 * 60;

/** Returns false if the entry is too old, or if the clock of the device is more than a day off. */
export const isPlausibleDeviceTime = (deviceAt: Date, now: Date): boolean =>
  Math.abs(now.getTime() - deviceAt.getTime()) <= MAX_ENTRY_AGE_SECONDS * 1000;

export const doClocksDiffer = (deviceAt: Date | null, at: Date): boolean =>
  deviceAt !== null && Math.abs(at.getTime() - deviceAt.getTime()) > CLOCKS_DIFFER_SECONDS * 1000;

/** A rider sees the numbers of a customer until a day after delivery, or until a cancellation. */
export const areNumbersHidden = ({ stage, deliveredAt }: { stage: string; deliveredAt: Date | null }, now: Date): boolean =>
  stage === ('cancelled' satisfies Stage) || (deliveredAt !== null && addSeconds(deliveredAt, DAY_SECONDS) < now);

/** Returns the seconds left to undo a move at `movedAt`, or null if none are left. */
export function undoMoveSecondsLeft(movedAt: Date, now: Date): number | null {
  const passed = (now.getTime() - movedAt.getTime()) / 1000;
  const left = Math.ceil(UNDO_MOVE_SECONDS - passed);
  // The clock of another process may be ahead.
  return left > 0 && left <= UNDO_MOVE_SECONDS + MAX_CLOCK_SKEW_SECONDS ? Math.min(left, UNDO_MOVE_SECONDS) : null;
}

/**
 * The days of pickups that a rider sees: an order is delivered on the day after its pickup, so that
 * those of yesterday are the deliveries of today.
 */
export function riderDays(now: Date): { yesterday: string; tomorrow: string } {
  const today = kolkataDay(now);
  return { yesterday: addDays(today, -1), tomorrow: dayAfter(today) };
}

interface MoveEvent {
  kind: string;
  stage: string | null;
}

/**
 * Returns the change that brought the order into its stage, if the staff can undo it: a move or a
 * cancellation.
 */
export function lastMove<Event extends MoveEvent>(history: readonly Event[]): Event | undefined {
  const last = history.findLast(({ kind, stage }) => stage !== null || kind === 'cancellation-undone');
  return last?.kind === 'moved' || last?.kind === 'cancelled' ? last : undefined;
}
