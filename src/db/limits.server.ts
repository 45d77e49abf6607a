/** Limits that all processes share: so many in a window of time, counted in the database by one statement. */
import { createHash } from 'node:crypto';
import { addSeconds } from '../kit/clock.ts';
import { invariant } from '../kit/invariant.ts';
import type { Db } from './database.server.ts';

export interface Limit {
  /** What is limited, as in 'error reports of a network'. Each name counts by itself. */
  name: string;
  most: number;
  /** Windows stand side by side, so two of them can meet: up to twice `most` may pass within this time. */
  windowSeconds: number;
}

/** Takes one from what `subject` has left in this window. When nothing is left, says after how many seconds there is again. */
export async function takeFromLimit(
  db: Db,
  { name, most, windowSeconds, subject, now }: Limit & { subject: string; now: Date },
): Promise<{ allowed: true } | { allowed: false; retryAfterSeconds: number }> {
  invariant(windowSeconds <= LONGEST_WINDOW_SECONDS, 'a window is over before its row is swept');
  // Whole milliseconds: a fraction would make two windows of one.
  const intoWindowMs = now.getTime() % (windowSeconds * 1000);
  const taken = await db
    .insertInto('limit_windows')
    .values({ name, subject_hash: hashSubject(subject), window_start: new Date(now.getTime() - intoWindowMs), taken: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'subject_hash', 'window_start'])
        .doUpdateSet(({ eb, ref }) => ({ taken: eb(ref('limit_windows.taken'), '+', 1) }))
        .where('limit_windows.taken', '<', most),
    )
    .returning('taken')
    .executeTakeFirst();
  return taken ? { allowed: true } : { allowed: false, retryAfterSeconds: Math.ceil(windowSeconds - intoWindowMs / 1000) };
}

/** Subjects are mobile numbers and network addresses: nobody reads them here. */
const hashSubject = (subject: string) => createHash('sha256').update(subject).digest();

/** Rows are one for each subject and window, and strangers make subjects: they leave soon. */
const LONGEST_WINDOW_SECONDS = 24 * 60 * 60;

export const sweepLimits = (db: Db, now: Date) =>
  db.deleteFrom('limit_windows').where('window_start', '<', addSeconds(now, -LONGEST_WINDOW_SECONDS)).execute();
