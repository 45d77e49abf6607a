/** Keeps demonstrations away from a database that was used in live mode. */
import type { Db } from '../../db/database.server.ts';
import { StartupError } from '../../db/embedded.server.ts';
import { kolkataDay } from '../../lib/dates.ts';
import { refuseSampleAccounts } from './demo.server.ts';

/**
 * Throws `StartupError` if live mode would open the accounts of a demonstration, or a demonstration
 * the accounts of live mode. In live mode, stores that the database is in live use.
 */
export async function claimDatabaseForMode(db: Db, { demo, now }: { demo: boolean; now: Date }) {
  if (demo) return refuseLiveDatabase(db);
  await refuseSampleAccounts(db);
  await recordLiveUse(db, now);
}

/**
 * Throws `StartupError` if the database was used in live mode: in a demonstration, every visitor
 * reads all codes and has the accounts of the sample staff.
 */
export async function refuseLiveDatabase(db: Db) {
  const live = await db.selectFrom('live_use').select('since').executeTakeFirst();
  if (live)
    throw new StartupError(
      `MODE=demo: this database is in live use since ${kolkataDay(live.since)}, and a demonstration is open to its visitors. Set MODE=live, or use another database.`,
    );
}

/** Stores the first use only. */
async function recordLiveUse(db: Db, now: Date) {
  const isRecorded = await db.selectFrom('live_use').select('since').executeTakeFirst();
  // Concurrent processes may record it at the same time.
  if (!isRecorded) {
    await db
      .insertInto('live_use')
      .values({ since: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
