/** Arithmetic of the figures. */
import { DAY_SECONDS } from '../../../lib/clock.ts';
import type { DayFigures } from './contract.ts';

const DAY_MS = DAY_SECONDS * 1000;

/** Calendar days need no time zone. */
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
/** Returns the number of days, both included. */
export const daysBetween = (from: string, to: string): number => Math.round((timeOf(to) - timeOf(from)) / DAY_MS) + 1;

/**
 * Returns the share of the deliveries that were on time, from 0 to 1, or null without deliveries. A
 * delivery that is taken back on a later day counts there, so that counts can be negative.
 */
export const onTimeShare = ({ delivered, on_time }: Pick<DayFigures, 'delivered' | 'on_time'>): number | null =>
  delivered <= 0 ? null : Math.min(1, Math.max(0, on_time / delivered));
