import { sql, type RawBuilder } from 'kysely';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { Db, Tx } from '../../db/database.server.ts';

/**
 * Queues files for deletion at `delete_at`. `photos` must not be empty. A queued photo keeps its
 * time.
 */
export const insertDeletedPhotos = (tx: Tx, photos: readonly { id: string; delete_at: Date }[]) =>
  tx
    .insertInto('deleted_photos')
    .values([...photos])
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Returns the ids of deleted photos that are due, those that are due longest first. */
export async function listDueFiles(
  db: Db,
  { now, maxDelaySeconds, limit, among }: { now: Date; maxDelaySeconds: number; limit: number; among?: readonly string[] | undefined },
): Promise<string[]> {
  // A later time was written by a clock that was ahead.
  const latest = addSeconds(now, maxDelaySeconds + MAX_CLOCK_SKEW_SECONDS);
  const rows = await db
    .selectFrom('deleted_photos')
    .select('id')
    .where((eb) => eb.or([eb('delete_at', '<=', now), eb('delete_at', '>', latest)]))
    .where(sql<boolean>`(${among ?? null}::text[] is null or id = any(${among ?? null}::text[]))`)
    .orderBy('delete_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes a photo from the queue. Its file is deleted. */
export const deleteDueFile = (db: Db, id: string) => db.deleteFrom('deleted_photos').where('id', '=', id).execute();

export const delayDeletion = (db: Db, id: string, deleteAt: Date) =>
  db.updateTable('deleted_photos').set({ delete_at: deleteAt }).where('id', '=', id).execute();

/**
 * Returns the ids of the photos of `table` that were stored before a time, newest first, at most
 * `limit` of them. The domain that owns the table calls it.
 */
export async function listStoredIds(db: Db, table: RawBuilder<unknown>, before: Date, limit?: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${table} where stored_at < ${before} order by stored_at desc limit ${limit ?? null}`.execute(db);
  return rows.map(({ id }) => id);
}
