/**
 * Fixed-window limits that all processes share, counted in the database with one statement each.
 */
import { hash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { DAY_SECONDS, MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../lib/clock.ts';
import { startOfKolkataDay } from '../lib/dates.ts';
import { invariant } from '../lib/invariant.ts';
import { transaction, type Db } from './database.server.ts';

export interface Limit {
  /** For example 'error reports of a network'. Each name has separate counts. */
  name: string;
  max: number;
  /**
   * A divisor of a day. The first window of a day begins at midnight in Asia/Kolkata, so that
   * 'tomorrow' in an error message is correct. Windows do not slide: up to twice `max` can pass
   * within this time, around the end of a window.
   */
  windowSeconds: number;
}

/** One use of a limit by `subject`: a customer, a mobile number or a network. */
export interface LimitUse extends Limit {
  subject: string;
  now: Date;
}

/** `uses`: those of this window, this one included. */
export type LimitResult = { allowed: true; uses: number } | { allowed: false; retryAfterSeconds: number };

/** Counts one use. If the limit is reached, returns the seconds until the next window instead. */
export async function consumeLimit(db: Db, use: LimitUse): Promise<LimitResult> {
  const { rows } = await countUseSql(use).execute(db);
  const [counted] = rows;
  return counted ? { allowed: true, uses: counted.uses } : refused(use);
}

/** Returns the result for a reached limit. */
const refused = (use: LimitUse) =>
  ({ allowed: false, retryAfterSeconds: Math.ceil(use.windowSeconds - windowOf(use).passedMs / 1000) }) as const;

/**
 * Returns SQL that counts one use, also as part of a larger statement. The SQL returns one row, or
 * no row if the limit is reached. Concurrent uses of one subject wait for its row lock. `from` is
 * the rest of a query: without a row of it, nothing is counted.
 */
export function countUseSql(use: LimitUse, from: RawBuilder<unknown> = sql``): RawBuilder<{ uses: number }> {
  return sql`
    insert into limit_windows (name, subject_hash, window_start, taken)
    select ${use.name}, ${hashSubject(use.subject)}, ${windowOf(use).start}, 1 ${from}
    on conflict (name, subject_hash, window_start) do update set taken = limit_windows.taken + 1
      where limit_windows.taken < ${use.max}
    returning taken as uses`;
}

/** Returns the uses of the current window. */
export async function readUses(db: Db, use: LimitUse): Promise<number> {
  const row = await db
    .selectFrom('limit_windows')
    .select('taken as uses')
    .where('name', '=', use.name)
    .where('subject_hash', '=', hashSubject(use.subject))
    .where('window_start', '=', windowOf(use).start)
    .executeTakeFirst();
  return row?.uses ?? 0;
}

/**
 * Returns whether another use is allowed, without counting it. A concurrent use can reach the limit
 * before the caller counts its own.
 */
export async function readLimit(db: Db, use: LimitUse): Promise<LimitResult> {
  const uses = await readUses(db, use);
  return uses < use.max ? { allowed: true, uses } : refused(use);
}

/** Undoes one counted use. */
export const releaseUse = (db: Db, use: LimitUse) =>
  db
    .updateTable('limit_windows')
    .set(({ eb, ref }) => ({ taken: eb(ref('taken'), '-', 1) }))
    .where('name', '=', use.name)
    .where('subject_hash', '=', hashSubject(use.subject))
    .where('window_start', '=', windowOf(use).start)
    .execute();

/**
 * Returns the start of the current window and the time since then. Throws if windows of this length
 * do not fill a day.
 */
function windowOf({ windowSeconds, now }: LimitUse) {
  invariant(windowSeconds <= MAX_WINDOW_SECONDS, 'a window ends before its row is deleted');
  invariant(DAY_SECONDS % windowSeconds === 0, 'windows of equal length fill a day');
  // Whole milliseconds: a fraction of one would give requests of the same window different rows.
  const passedMs = (now.getTime() - startOfKolkataDay(now).getTime()) % (windowSeconds * 1000);
  return { start: new Date(now.getTime() - passedMs), passedMs };
}

/** Subjects are personal data (mobile numbers, network addresses), so only their hash is stored. */
const hashSubject = (subject: string) => hash('sha256', subject, 'buffer');

/**
 * Anonymous requests create a row for each subject and window, so rows are deleted after this time.
 */
const MAX_WINDOW_SECONDS = DAY_SECONDS;

/** One statement for all would reach the time limit of a statement with a few 100,000 rows. */
const WINDOWS_PER_STATEMENT = 5000;

/** Deletes windows that have ended, and those of the future, which a clock that was ahead wrote. */
export async function deleteExpiredLimits(db: Db, now: Date, signal?: AbortSignal) {
  const ended = sql`window_start < ${addSeconds(now, -MAX_WINDOW_SECONDS)} order by window_start`;
  const future = sql`window_start > ${addSeconds(now, MAX_CLOCK_SKEW_SECONDS)} order by window_start desc`;
  for (const which of [ended, future]) {
    for (;;) {
      if (signal?.aborted) return;
      if ((await deletePart(db, which)) === 0n) break;
    }
  }
}

/**
 * Deletes the first `WINDOWS_PER_STATEMENT` windows and returns their number. Each execution is
 * planned: a cached plan of the time when the table was small compares each row with every one to
 * delete, and many networks have filled the table since.
 */
const deletePart = (db: Db, which: RawBuilder<unknown>): Promise<bigint> =>
  transaction(db, async (tx) => {
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
    const { numAffectedRows } = await sql`
      delete from limit_windows where ctid = any(array(
        select ctid from limit_windows where ${which} limit ${WINDOWS_PER_STATEMENT}))`.execute(tx);
    return numAffectedRows ?? 0n;
  });
