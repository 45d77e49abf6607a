/** The staff reads and plans the evenings. docs/decisions/0060. */
import { addDays, dayAfter, kolkataDay } from '../../lib/dates.ts';
import { invariant } from '../../lib/invariant.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { AREAS, type Area } from '../catalogue/contract.ts';
import type { AuditValues } from '../staff/desk/audit-contract.ts';
import { staleConflict, type StaffOutcome, type StaffTransaction } from '../staff/service.server.ts';
import type { AuditRow } from '../staff/audit-store.server.ts';
import {
  LISTED_DAYS,
  MAX_DAYS_AHEAD,
  eveningDeskError,
  setEvenings,
  type DeskEvening,
  type DeskPlan,
  type EveningChange,
  type DeskEvenings,
} from './desk/contract.ts';
import { isSameDay, isSameWeek } from './desk/rules.ts';
import { capacityOn } from './rules.ts';
import * as store from './store.server.ts';

/** Functions of the domain `orders`, passed as arguments because it imports this one. */
export interface OrdersOfEvenings {
  /**
   * Returns the number of orders that have a place on each evening from a day to another one, both
   * included, and how many of them are not collected. An evening without one has no row.
   */
  count(db: Db, from: string, to: string): Promise<{ area: string; day: string; booked: number; to_collect: number }[]>;
  /** Returns the number of orders that are to be brought back on each evening, in the same form. */
  countReturns(db: Db, from: string, to: string): Promise<{ area: string; day: string; due: number }[]>;
  /** Blocks new and changed orders until the transaction ends. */
  block(tx: Tx): Promise<unknown>;
}

const LAST_DAY = '9999-12-31';

async function readPlans(db: Db): Promise<DeskPlan[]> {
  const plans = await store.listPlans(db);
  return plans.map(({ area, cut_off, capacity, closed_weekdays }) => ({ area, cut_off, capacity, closed_weekdays }));
}

/** Returns the plans, and `LISTED_DAYS` evenings of each area from `from` on, by default today. */
export async function readDeskEvenings(db: Db, orders: OrdersOfEvenings, from: string | undefined, now: Date): Promise<DeskEvenings> {
  const days = [from ?? kolkataDay(now)];
  while (days.length < LISTED_DAYS) days.push(dayAfter(days.at(-1)!));
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const plans = await readPlans(db);
  const exceptions = await store.listExceptions(db, first, last);
  const booked = await orders.count(db, first, last);
  const returns = await orders.countReturns(db, first, last);
  const toEvening = (day: string, plan: DeskPlan): DeskEvening => {
    const ofArea = exceptions.filter(({ area }) => area === plan.area);
    const counts = booked.find((row) => row.area === plan.area && row.day === day);
    return {
      day,
      area: plan.area,
      capacity: capacityOn({ capacity: plan.capacity, closedWeekdays: plan.closed_weekdays, exceptions: ofArea }, day),
      booked: counts?.booked ?? 0,
      to_collect: counts?.to_collect ?? 0,
      due: returns.find((row) => row.area === plan.area && row.day === day)?.due ?? 0,
      is_exception: ofArea.some((row) => row.day === day),
    };
  };
  return { plans, evenings: days.flatMap((day) => plans.map((plan) => toEvening(day, plan))) };
}

/**
 * Changes a plan or a day of one area or several, and counts their orders again: until now they
 * may not have been counted. Returns an error for a past day and for one too far ahead. New orders
 * wait for the lock, and orders that were decided from the earlier plan are decided again. Throws
 * `ConflictError` if `before` is not current. Its data are those of a success.
 */
export async function changeEvenings(
  { tx, now }: StaffTransaction,
  orders: OrdersOfEvenings,
  change: EveningChange,
): Promise<StaffOutcome<DeskEvenings, 'evening-past' | 'evening-too-far'>> {
  const today = kolkataDay(now);
  if (change.action !== 'plan' && change.day < today) return { error: eveningDeskError('evening-past') };
  if (change.action !== 'plan' && change.day > addDays(today, MAX_DAYS_AHEAD)) return { error: eveningDeskError('evening-too-far') };
  const areas = change.action === 'plan' ? [change.area] : AREAS.filter((area) => change.areas.includes(area));
  const readCurrent = () => readDeskEvenings(tx, orders, change.action === 'plan' ? undefined : change.day, now);
  const rows: AuditRow[] = [];
  for (const area of areas) {
    await store.lockPlan(tx, area);
    if (!(await isCurrent(tx, area, change))) throw staleConflict(setEvenings, await readCurrent());
    const before = await readAuditValues(tx, area, change);
    await apply(tx, area, change);
    rows.push({
      action: change.action === 'plan' ? 'set-evening-plan' : 'set-evening',
      subject: ['evening', change.action === 'plan' ? area : `${area} ${change.day}`],
      before,
      after: await readAuditValues(tx, area, change),
    });
  }
  await orders.block(tx);
  const booked = await orders.count(tx, today, LAST_DAY);
  for (const area of areas) {
    await store.setBookings(
      tx,
      area,
      booked.filter((row) => row.area === area),
    );
  }
  return { data: await readCurrent(), audit: rows };
}

/** Returns true if the change is based on the plan or the evening that is stored. */
async function isCurrent(tx: Tx, area: Area, change: EveningChange): Promise<boolean> {
  const plan = (await readPlans(tx)).find((row) => row.area === area);
  invariant(plan, 'every area has a plan');
  if (change.action === 'plan') return isSameWeek(plan, change.before);
  const seen = change.before.find((row) => row.area === area);
  return seen !== undefined && isSameDay(seen, await readDay(tx, plan, change.day));
}

async function readDay(tx: Tx, { area, capacity, closed_weekdays: closedWeekdays }: DeskPlan, day: string) {
  const exceptions = (await store.listExceptions(tx, day, day)).filter((row) => row.area === area);
  return { capacity: capacityOn({ capacity, closedWeekdays, exceptions }, day), is_exception: exceptions.length > 0 };
}

async function apply(tx: Tx, area: Area, change: EveningChange) {
  switch (change.action) {
    case 'plan': {
      const { cut_off, capacity, closed_weekdays: closed } = change;
      return store.updatePlan(tx, area, { cut_off, capacity, closed_weekdays: [...new Set(closed)].toSorted((a, b) => a - b) });
    }
    case 'evening':
      await store.setException(tx, area, change.day, change.capacity);
      return store.updatePlan(tx, area);
    case 'reset':
      await store.deleteException(tx, area, change.day);
      return store.updatePlan(tx, area);
  }
}

async function readAuditValues(tx: Tx, area: Area, change: EveningChange): Promise<AuditValues> {
  const plan = (await readPlans(tx)).find((row) => row.area === area);
  if (!plan) return null;
  const { cut_off: cutOff, capacity, closed_weekdays: closedWeekdays } = plan;
  if (change.action === 'plan') return { cut_off: cutOff, capacity, closed_weekdays: closedWeekdays.join(' ') };
  return readDay(tx, plan, change.day);
}
