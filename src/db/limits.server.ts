/** Limits that all processes share: so many in a window of time, counted in the database by one statement. */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import { invariant } from '../lib/invariant.ts';
import type { Db } from './database.server.ts';
import type { Given } from './statement.server.ts';

export interface Limit {
  /** What is limited, as in 'error reports of a network'. Each name counts by itself. */
  name: string;
  most: number;
  /** Windows stand side by side, so two of them can meet: up to twice `most` may pass within this time. */
  windowSeconds: number;
}

export interface Taking extends Limit {
  subject: string;
  now: Date;
}

/** Takes one from what `subject` has left in this window. When nothing is left, says after how many seconds there is again. */
export async function takeFromLimit(db: Db, taking: Taking): Promise<{ allowed: true } | { allowed: false; retryAfterSeconds: number }> {
  const { name, most, windowSeconds, subject } = taking;
  const window = windowOf(taking);
  const taken = await db
    .insertInto('limit_windows')
    .values({ name, subject_hash: hashSubject(subject), window_start: window.start, taken: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'subject_hash', 'window_start'])
        .doUpdateSet(({ eb, ref }) => ({ taken: eb(ref('limit_windows.taken'), '+', 1) }))
        .where('limit_windows.taken', '<', most),
    )
    .returning('taken')
    .executeTakeFirst();
  return taken ? { allowed: true } : { allowed: false, retryAfterSeconds: Math.ceil(windowSeconds - window.passedMs / 1000) };
}

/** The same as part of a larger statement: takes one for each row of `rows`, and is empty when nothing is left. */
export const limitPart = (rows: string, given: Given<LimitValues>) => sql`
    insert into limit_windows (name, subject_hash, window_start, taken)
    select ${given.limitName}, ${given.subjectHash}, ${given.windowStart}, 1 from ${sql.ref(rows)}
    on conflict (name, subject_hash, window_start) do update set taken = limit_windows.taken + 1 where limit_windows.taken < ${given.most}
    returning taken`;

export const limitValues = (taking: Taking) => ({
  limitName: taking.name,
  subjectHash: hashSubject(taking.subject),
  windowStart: windowOf(taking).start,
  most: taking.most,
});
export type LimitValues = ReturnType<typeof limitValues>;

function windowOf({ windowSeconds, now }: Taking) {
  invariant(windowSeconds <= LONGEST_WINDOW_SECONDS, 'a window is over before its row is swept');
  // Whole milliseconds: a fraction would make two windows of one.
  const passedMs = now.getTime() % (windowSeconds * 1000);
  return { start: new Date(now.getTime() - passedMs), passedMs };
}

/** Subjects are mobile numbers and network addresses: nobody reads them here. */
const hashSubject = (subject: string) => hash('sha256', subject, 'buffer');

/** Rows are one for each subject and window, and strangers make subjects: they leave soon. */
const LONGEST_WINDOW_SECONDS = 24 * 60 * 60;

export const deleteExpiredLimits = (db: Db, now: Date) =>
  db.deleteFrom('limit_windows').where('window_start', '<', addSeconds(now, -LONGEST_WINDOW_SECONDS)).execute();
