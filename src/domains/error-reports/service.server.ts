import { addSeconds } from '../../kit/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { takeFromLimit, type Limit } from '../../db/limits.server.ts';
import { Refusal } from '../../web/answer.server.ts';
import { DAYS_KEPT, MOST_KEPT, reportToKeep } from './rules.ts';
import { deleteReportsBefore, deleteReportsBeyond, insertReport } from './store.server.ts';

const ONE_NETWORK: Limit = { name: 'error reports of a network', most: 20, windowSeconds: 10 * 60 };
const EVERYBODY: Limit = { name: 'error reports', most: 500, windowSeconds: 60 * 60 };

/** `network` is where the report comes from; undefined where no limit of that kind binds. */
export async function keepReport(db: Db, error: string, network: string | undefined, now: Date) {
  if (network !== undefined) await take(db, ONE_NETWORK, network, now);
  await take(db, EVERYBODY, 'everybody', now);
  await insertReport(db, reportToKeep(error), now);
}

async function take(db: Db, limit: Limit, subject: string, now: Date) {
  const taken = await takeFromLimit(db, { ...limit, subject, now });
  if (!taken.allowed) throw new Refusal(429, 'Too many error reports, thank you', taken.retryAfterSeconds);
}

export async function sweepReports(db: Db, now: Date) {
  await deleteReportsBefore(db, addSeconds(now, -DAYS_KEPT * 24 * 60 * 60));
  await deleteReportsBeyond(db, MOST_KEPT);
}
