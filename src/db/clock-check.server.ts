import { sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Db } from './database.server.ts';

/** The clock of this machine or of the database is wrong. The message is one line. */
export class WrongClock extends Error {
  override name = 'WrongClock';
}

const MAX_DIFFERENCE_SECONDS = 60;

/**
 * Throws `WrongClock` if the clock differs from the database's by more than a minute. Jobs of a
 * process with a wrong clock would end the sessions and codes of all processes.
 */
export async function checkClock(db: Db, clock: Clock): Promise<void> {
  const before = clock.now();
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  const after = clock.now();
  for (const { at } of rows) {
    // A slow response must not count as a difference.
    const aheadMs = Math.max(before.getTime() - at.getTime(), 0) - Math.max(at.getTime() - after.getTime(), 0);
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    if (seconds > MAX_DIFFERENCE_SECONDS) {
      const direction = aheadMs > 0 ? 'ahead of' : 'behind';
      throw new WrongClock(
        `The clock of this machine is ${seconds} s ${direction} the clock of the database. Set the wrong one, for example with NTP.`,
      );
    }
  }
}
