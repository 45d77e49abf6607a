import type { FastifyRequest } from 'fastify';
import { addSeconds, type Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import type { Limit } from '../../db/limits.server.ts';
import { ApiError } from '../../contract/route.server.ts';
import type { VisitorLimits } from '../../security/client-rate-limits.server.ts';
import { DAYS_KEPT, MOST_KEPT, reportToKeep } from './rules.ts';
import { deleteReportsBefore, deleteReportsBeyond, insertReport } from './store.server.ts';

const ONE_NETWORK: Limit = { name: 'error reports of a network', most: 20, windowSeconds: 10 * 60 };
const EVERYBODY: Limit = { name: 'error reports', most: 500, windowSeconds: 60 * 60 };

export interface Reporting {
  db: Db;
  clock: Clock;
  limits: VisitorLimits;
}

export async function keepReport({ db, clock, limits }: Reporting, request: FastifyRequest, error: string) {
  const wait = (await limits.ofNetwork(db, ONE_NETWORK, request)) || (await limits.inAll(db, EVERYBODY));
  if (wait) throw new ApiError(429, 'Too many error reports, thank you', wait);
  await insertReport(db, reportToKeep(error), clock.now());
}

export async function deleteExpiredReports(db: Db, now: Date) {
  await deleteReportsBefore(db, addSeconds(now, -DAYS_KEPT * 24 * 60 * 60));
  await deleteReportsBeyond(db, MOST_KEPT);
}
