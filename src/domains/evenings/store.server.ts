import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Area } from '../catalogue/contract.ts';
import type { EveningPlan } from './rules.ts';

/** SQL for a part of a query: the plans that were changed, with the days from `today` on. */
export const changedPlansSql = (today: string) => sql<EveningPlan>`(
  select area, version, cut_off as "cutOff", capacity, closed_weekdays as "closedWeekdays",
         (select coalesce(json_agg(json_build_object('day', day, 'capacity', capacity)), '[]')
            from evening_exceptions where area = plan.area and day >= ${today}) as exceptions,
         (select coalesce(json_agg(json_build_object('day', day, 'booked', booked)), '[]')
            from evening_bookings where area = plan.area and day >= ${today}) as bookings
    from evening_plans plan where version > 0)`;

/** Returns the plans that were changed, with their exceptions and bookings from `today` on. */
export async function listChangedPlans(db: Db, today: string): Promise<EveningPlan[]> {
  const { plans } = await db.selectNoFrom([jsonArrayFrom(changedPlansSql(today)).as('plans')]).executeTakeFirstOrThrow();
  return plans;
}

/** A booking of one order on an evening, decided from this version of the plan. */
export interface EveningBooking {
  area: Area;
  day: string;
  version: number;
  /** At least 1. Null: any number, and nothing is counted. */
  capacity: number | null;
}

/** A booking that is counted. */
type CountedBooking = EveningBooking & { capacity: number };

/** SQL for a part of a statement: one row if the plan is still the one that was read. */
export const currentPlanSql = ({ area, version }: EveningBooking) =>
  sql`select area from evening_plans where area = ${area} and version = ${version}`;

/**
 * SQL for a part of a statement: books an evening and returns one row, or no row if the evening is
 * full or has no capacity. Concurrent orders of one evening wait for its row lock. `from` is an SQL
 * name: nothing is booked if it has no rows.
 */
export const bookSql = ({ area, day, capacity }: CountedBooking, from: string) => sql`
  insert into evening_bookings (area, day, booked)
  select ${area}, ${day}, 1 from ${sql.ref(from)} where ${capacity}::int > 0
  on conflict (area, day) do update set booked = evening_bookings.booked + 1
    where evening_bookings.booked < ${capacity}
  returning 1`;

/** Books an evening. Returns false if it is full, or if its plan has changed since it was read. */
export async function book(tx: Tx, booking: CountedBooking): Promise<boolean> {
  const { rows } = await sql`with plan as (${currentPlanSql(booking)}) ${bookSql(booking, 'plan')}`.execute(tx);
  return rows.length === 1;
}

/** Books an evening, also beyond its capacity. */
export const bookBeyondCapacity = (tx: Tx, { area, day }: EveningBooking) =>
  sql`insert into evening_bookings (area, day, booked) values (${area}, ${day}, 1)
      on conflict (area, day) do update set booked = evening_bookings.booked + 1`.execute(tx);

/** Releases one place. Does nothing on an evening whose orders are not counted. */
export const releaseBooking = (on: Db, { area, day }: Pick<EveningBooking, 'area' | 'day'>) =>
  sql`update evening_bookings set booked = booked - 1 where area = ${area} and day = ${day} and booked > 0`.execute(on);

/**
 * Locks the plan of an area until the transaction ends, for changes of the plan and of orders that
 * have a booking. New orders do not wait for it.
 */
export const lockPlan = (tx: Tx, area: Area) => sql`select from evening_plans where area = ${area} for no key update`.execute(tx);

/** Returns the plan of each area without exceptions and bookings. */
export const listPlans = (db: Db) =>
  db.selectFrom('evening_plans').select(['area', 'version', 'cut_off', 'capacity', 'closed_weekdays']).orderBy('area').execute();

/** Returns the exceptions of all areas from `from` to `to`, both included, in no order. */
export const listExceptions = (db: Db, from: string, to: string) =>
  db.selectFrom('evening_exceptions').select(['area', 'day', 'capacity']).where('day', '>=', from).where('day', '<=', to).execute();

interface PlanChange {
  cut_off: string;
  capacity: number | null;
  closed_weekdays: number[];
}

/** Increments the version, and sets the given columns. */
export const updatePlan = (tx: Tx, area: Area, change: Partial<PlanChange> = {}) =>
  tx
    .updateTable('evening_plans')
    .set(({ eb }) => ({ ...change, version: eb('version', '+', 1) }))
    .where('area', '=', area)
    .execute();

/** Inserts or replaces the capacity of a day. Null is any number of orders, 0 a closed evening. */
export const setException = (tx: Tx, area: Area, day: string, capacity: number | null) =>
  tx
    .insertInto('evening_exceptions')
    .values({ area, day, capacity })
    .onConflict((conflict) => conflict.columns(['area', 'day']).doUpdateSet({ capacity }))
    .execute();

export const deleteException = (tx: Tx, area: Area, day: string) =>
  tx.deleteFrom('evening_exceptions').where('area', '=', area).where('day', '=', day).execute();

/** Replaces the counts of an area. The caller locks the orders. */
export async function setBookings(tx: Tx, area: Area, bookings: readonly { day: string; booked: number }[]) {
  await tx.deleteFrom('evening_bookings').where('area', '=', area).execute();
  const rows = bookings.map(({ day, booked }) => ({ area, day, booked }));
  if (rows.length > 0) await tx.insertInto('evening_bookings').values(rows).execute();
}
