import type { Db } from '../../db/database.server.ts';
import type { ScrubbedReport } from './rules.ts';

export const insertReport = (db: Db, report: ScrubbedReport, reportedAt: Date) =>
  db
    .insertInto('error_reports')
    .values({ ...report, reported_at: reportedAt })
    .execute();

export const deleteReportsBefore = (db: Db, time: Date) => db.deleteFrom('error_reports').where('reported_at', '<', time).execute();

/** Keeps the newest `max` reports and deletes the others. */
export const deleteOldestReports = (db: Db, max: number) =>
  db
    .deleteFrom('error_reports')
    .where('id', '<=', (query) => query.selectFrom('error_reports').select('id').orderBy('id', 'desc').offset(max).limit(1))
    .execute();
