import type { Db } from '../../db/database.server.ts';
import type { KeptReport } from './rules.ts';

export const insertReport = (db: Db, report: KeptReport, reportedAt: Date) =>
  db
    .insertInto('error_reports')
    .values({ ...report, reported_at: reportedAt })
    .execute();

export const deleteReportsBefore = (db: Db, time: Date) => db.deleteFrom('error_reports').where('reported_at', '<', time).execute();

/** Keeps the newest `most`. */
export const deleteReportsBeyond = (db: Db, most: number) =>
  db
    .deleteFrom('error_reports')
    .where('id', '<=', (query) => query.selectFrom('error_reports').select('id').orderBy('id', 'desc').offset(most).limit(1))
    .execute();
