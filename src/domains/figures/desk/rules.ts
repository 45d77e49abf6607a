/** Days, weeks and months of the figures. */
import { DAY_SECONDS } from '../../../lib/clock.ts';
import { addDays } from '../../../lib/dates.ts';
import { asPaise } from '../../../lib/money.ts';
import type { DayFigures } from './contract.ts';

export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

const DAY_MS = DAY_SECONDS * 1000;

/** Returns the start of a day in UTC, in ms: calendar days need no time zone. */
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Returns the number of days, both included. */
export const daysBetween = (from: string, to: string): number => Math.round((timeOf(to) - timeOf(from)) / DAY_MS) + 1;

/** Returns the first day of the period. Weeks begin on Monday. */
export function startOfPeriod(day: string, period: Period): string {
  if (period === 'day') return day;
  if (period === 'month') return `${day.slice(0, 7)}-01`;
  const weekday = new Date(timeOf(day)).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/**
 * Returns the share of the deliveries that were on time, from 0 to 1, or null without deliveries. A
 * delivery that is taken back on a later day counts there, so that counts can be negative.
 */
export const onTimeShare = ({ delivered, on_time }: Pick<DayFigures, 'delivered' | 'on_time'>): number | null =>
  delivered <= 0 ? null : Math.min(1, Math.max(0, on_time / delivered));

/** Returns the figures of each period, as those of its first day in `days`. */
export function groupByPeriod(days: readonly DayFigures[], period: Period): DayFigures[] {
  const groups = new Map<string, DayFigures>();
  for (const figures of days) {
    const start = startOfPeriod(figures.day, period);
    const group = groups.get(start);
    groups.set(start, group ? add(group, figures) : figures);
  }
  return [...groups.values()];
}

/** Returns the figures of all days together, undefined without days. */
export const totalOf = (days: readonly DayFigures[]): DayFigures | undefined =>
  days.length === 0 ? undefined : days.reduce((sum, figures) => add(sum, figures));

/** Returns the sums of two periods. The wallet liability is that of the last day. */
function add(one: DayFigures, next: DayFigures): DayFigures {
  const sums = { delivered: one.delivered + next.delivered, on_time: one.on_time + next.on_time };
  return {
    ...sums,
    day: one.day,
    orders: one.orders + next.orders,
    weight: one.weight + next.weight,
    revenue: asPaise(one.revenue + next.revenue),
    received: {
      cash: asPaise(one.received.cash + next.received.cash),
      upi: asPaise(one.received.upi + next.received.upi),
      gateway: asPaise(one.received.gateway + next.received.gateway),
      wallet: asPaise(one.received.wallet + next.received.wallet),
    },
    wallet_liability: next.wallet_liability,
    bonuses: asPaise(one.bonuses + next.bonuses),
    compensation: asPaise(one.compensation + next.compensation),
    on_time_share: onTimeShare(sums),
    cancellations: one.cancellations + next.cancellations,
    claims: one.claims + next.claims,
  };
}
