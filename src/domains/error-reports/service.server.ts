import { DAY_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import type { Limit } from '../../db/limits.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Client } from '../../security/client.ts';
import type { ClientRateLimits } from '../../security/client-rate-limits.server.ts';
import { errorReportError } from './contract.ts';
import { MAX_REPORTS, RETENTION_DAYS, scrubReport } from './rules.ts';
import { deleteReportsBefore, deleteOldestReports, insertReport } from './store.server.ts';

const PER_NETWORK: Limit = { name: 'error reports of a network', max: 20, windowSeconds: 10 * 60 };
/** A block of networks may send five times as much: two fifths of all reports. */
const PER_NETWORK_AND_HOUR: Limit = { name: 'error reports of a network in an hour', max: 40, windowSeconds: 60 * 60 };
const IN_TOTAL: Limit = { name: 'error reports', max: 500, windowSeconds: 60 * 60 };

export interface Reporting {
  db: Db;
  clock: Clock;
  limits: ClientRateLimits;
}

/**
 * Stores the scrubbed report. Throws `ApiError` (rate-limited) if the network or the program
 * exceeds its limit.
 */
export async function storeReport({ db, clock, limits }: Reporting, client: Client, error: string): Promise<void> {
  const wait =
    (await limits.consumeForNetwork(db, PER_NETWORK, client)) ||
    (await limits.consumeForNetwork(db, PER_NETWORK_AND_HOUR, client)) ||
    (await limits.consumeGlobally(db, IN_TOTAL));
  if (wait) throw new ApiError('rate-limited', errorReportError('too-many-error-reports'), wait);
  await insertReport(db, scrubReport(error), clock.now());
}

/** Deletes reports after their retention, and the oldest ones beyond the maximum number. */
export async function deleteExpiredReports(db: Db, now: Date): Promise<void> {
  await deleteReportsBefore(db, addSeconds(now, -RETENTION_DAYS * DAY_SECONDS));
  await deleteOldestReports(db, MAX_REPORTS);
}
