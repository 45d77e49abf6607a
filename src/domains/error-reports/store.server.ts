import { sql } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import type { ScrubbedReport } from './rules.ts';

export const insertReport = (db: Db, report: ScrubbedReport, reportedAt: Date) =>
  db
    .insertInto('error_reports')
    .values({ ...report, reported_at: reportedAt })
    .execute();

export async function countReports(db: Db, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('error_reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('reported_at', '>=', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the reports by message, the newest first, each group with its newest report. */
export const listReportGroups = (db: Db, { beforeId, limit }: { beforeId: number | undefined; limit: number }) =>
  db
    .with('messages', (on) =>
      on
        .selectFrom('error_reports')
        .select(({ fn }) => [
          'message',
          fn.max<number>('id').as('newest_id'),
          fn.countAll<number>().as('count'),
          fn.min<Date>('reported_at').as('first'),
        ])
        .groupBy('message'),
    )
    .selectFrom('messages')
    .innerJoin('error_reports', 'error_reports.id', 'newest_id')
    .select(['error_reports.id', 'error_reports.message', 'count', 'first', 'reported_at as last', 'report'])
    .where(sql<boolean>`${beforeId ?? null}::bigint is null or newest_id < ${beforeId ?? null}`)
    .orderBy('newest_id', 'desc')
    .limit(limit)
    .execute();

export const deleteReportsBefore = (db: Db, time: Date) => db.deleteFrom('error_reports').where('reported_at', '<', time).execute();

/** Keeps the newest `max` reports and deletes the others. */
export const deleteOldestReports = (db: Db, max: number) =>
  db
    .deleteFrom('error_reports')
    .where('id', '<=', (query) => query.selectFrom('error_reports').select('id').orderBy('id', 'desc').offset(max).limit(1))
    .execute();
