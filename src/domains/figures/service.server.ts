/** The figures of the laundry by day. docs/decisions/0062. */
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import { dayAfter, kolkataDay } from '../../lib/dates.ts';
import { asPaise } from '../../lib/money.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import { figuresError, MAX_REPORT_DAYS, type DayFigures } from './desk/contract.ts';
import { daysBetween, onTimeShare } from './desk/rules.ts';
import { updateFigures, listFigures, type FigureRow } from './store.server.ts';

/**
 * Returns the figures of each day from `from` to `to`, but not of days after today. Returns an
 * error if `from` is after `to`, or for more than `MAX_REPORT_DAYS` days.
 */
export async function readReport(
  db: Db,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<Outcome<{ days: DayFigures[] }, 'too-many-days' | 'no-days'>> {
  if (from > to) return { error: figuresError('no-days') };
  if (daysBetween(from, to) > MAX_REPORT_DAYS) return { error: figuresError('too-many-days', { days: MAX_REPORT_DAYS }) };
  const today = kolkataDay(now);
  const last = to < today ? to : today;
  const rows = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => listFigures(tx, from, last));
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const days: DayFigures[] = [];
  let liability = byDay.get(null)?.liability_paise ?? 0;
  for (let day = from; day <= last; day = dayAfter(day)) {
    const row = byDay.get(day);
    liability += row?.liability_paise ?? 0;
    days.push(toDayFigures(day, row ?? NOTHING, liability));
  }
  return { data: { days } };
}

const NOTHING: FigureRow = {
  placed: 0,
  cancelled: 0,
  delivered: 0,
  on_time: 0,
  grams: 0,
  revenue_paise: asPaise(0),
  cash_paise: asPaise(0),
  upi_paise: asPaise(0),
  gateway_paise: asPaise(0),
  wallet_paise: asPaise(0),
  liability_paise: asPaise(0),
  bonus_paise: asPaise(0),
  compensation_paise: asPaise(0),
  claimed: 0,
};

const toDayFigures = (day: string, row: FigureRow, liabilityPaise: number): DayFigures => ({
  day,
  orders: row.placed,
  weight: row.grams,
  revenue: row.revenue_paise,
  received: {
    cash: row.cash_paise,
    upi: row.upi_paise,
    gateway: row.gateway_paise,
    wallet: row.wallet_paise,
  },
  wallet_liability: asPaise(liabilityPaise),
  bonuses: row.bonus_paise,
  compensation: row.compensation_paise,
  delivered: row.delivered,
  on_time: row.on_time,
  on_time_share: onTimeShare({ delivered: row.delivered, on_time: row.on_time }),
  cancellations: row.cancelled,
  claims: row.claimed,
});

/** Newer facts are added up when they are read: a transaction may still write them. */
const OPEN_SECONDS = 2 * 60;

/** Adds up the facts since the last run, so that a report reads those of a few minutes. */
export const addUpNewFigures = (db: Db, now: Date, signal?: AbortSignal): Promise<void> => addUp(db, { now, recomputeFrom: null, signal });

/**
 * Adds yesterday and today up again: a fact that was written late, while they were added up, is not
 * in their sums.
 */
export const addUpRecentFigures = (db: Db, now: Date, signal?: AbortSignal): Promise<void> =>
  addUp(db, { now, recomputeFrom: kolkataDay(addSeconds(now, -DAY_SECONDS)), signal });

/**
 * Adds up batch by batch, until no facts are left or another process adds them up. Rejects once
 * `signal` is aborted.
 */
async function addUp(db: Db, { now, recomputeFrom, signal }: { now: Date; recomputeFrom: string | null; signal: AbortSignal | undefined }) {
  const until = addSeconds(now, -OPEN_SECONDS);
  // Only the first batch recomputes: the others follow it.
  for (let day = recomputeFrom; ; day = null) {
    signal?.throwIfAborted();
    const from = day;
    if ((await transaction(db, (tx) => updateFigures(tx, until, from))) !== 'added') return;
  }
}
