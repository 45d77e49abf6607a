import { sql, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import type { DB } from '../../db/tables.generated.ts';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';

export type RunOutcome = 'succeeded' | 'failed' | 'unbalanced';

interface RunEnd {
  job: string;
  startedAt: Date;
  endedAt: Date;
  durationMs: number;
  outcome: RunOutcome;
  error: string | null;
}

const toEndColumns = ({ endedAt, durationMs, outcome, error }: RunEnd) => ({
  ended_at: endedAt,
  duration_ms: Math.round(durationMs),
  outcome,
  error,
  ...(outcome === 'unbalanced' && { unbalanced_at: endedAt }),
  ...(outcome === 'succeeded' && { succeeded_at: endedAt, unbalanced_at: null }),
});

/** Records a run that has ended, in place of the last one of the job. */
export const recordRun = (db: Db, run: RunEnd) => {
  const row = { started_at: run.startedAt, progress: 0, ...toEndColumns(run) };
  return db
    .insertInto('job_runs')
    .values({ job: run.job, ...row })
    .onConflict((conflict) => conflict.column('job').doUpdateSet(row))
    .execute();
};

interface Acquisition {
  job: string;
  now: Date;
  abandonedBefore: Date;
  startedBefore?: Date | undefined;
}

/**
 * Records the start of a run and returns true, or returns false if the job is running or the last
 * run did not start before `startedBefore`. Replaces a run that started before `abandonedBefore` or
 * in the future: a killed process left it.
 */
export async function acquireRun(db: Db, { job, now, abandonedBefore, startedBefore }: Acquisition): Promise<boolean> {
  const start = { started_at: now, ended_at: null, duration_ms: null, outcome: null, error: null, progress: 0 };
  const acquired = await db
    .insertInto('job_runs')
    .values({ job, ...start })
    .onConflict((conflict) =>
      conflict
        .column('job')
        .doUpdateSet(start)
        .where((eb: ExpressionBuilder<DB, 'job_runs'>) =>
          eb.or([
            eb.and([eb('job_runs.ended_at', 'is not', null), ...(startedBefore ? [eb('job_runs.started_at', '<=', startedBefore)] : [])]),
            eb.and([eb('job_runs.ended_at', 'is', null), eb('job_runs.started_at', '<', abandonedBefore)]),
            eb('job_runs.started_at', '>', addSeconds(now, MAX_CLOCK_SKEW_SECONDS)),
          ]),
        ),
    )
    .returning('job')
    .executeTakeFirst();
  return acquired !== undefined;
}

/** SQL condition: the run has not ended, and no other run has replaced it. */
const isAcquiredRunSql = ({ job, startedAt }: Pick<RunEnd, 'job' | 'startedAt'>) =>
  sql<SqlBool>`job = ${job} and started_at = ${startedAt} and ended_at is null`;

/** Changes nothing if another run has replaced this one. */
export const recordProgress = (db: Db, run: Pick<RunEnd, 'job' | 'startedAt'>, progress: number) =>
  db.updateTable('job_runs').set({ progress }).where(isAcquiredRunSql(run)).execute();

/** Records the end of an acquired run. Changes nothing if another run has replaced it. */
export const recordRunEnd = (db: Db, run: RunEnd) =>
  db.updateTable('job_runs').set(toEndColumns(run)).where(isAcquiredRunSql(run)).execute();

/** Returns the current or last run of each job. */
export const listRuns = (db: Db) =>
  db
    .selectFrom('job_runs')
    .select(['job', 'started_at', 'ended_at', 'duration_ms', 'outcome', 'error', 'progress', 'succeeded_at', 'unbalanced_at'])
    .execute();

/** Returns the mark of the last sound audit of new entries, null before the first. */
export const readMark = async (db: Db, job: string): Promise<string | null> =>
  (await db.selectFrom('job_runs').select('mark').where('job', '=', job).executeTakeFirst())?.mark ?? null;

/** Sets the mark of an acquired run. Changes nothing if another run has replaced it. */
export const recordMark = (db: Db, run: Pick<RunEnd, 'job' | 'startedAt'>, mark: string) =>
  db.updateTable('job_runs').set({ mark }).where(isAcquiredRunSql(run)).execute();

export interface LedgerAuditResult {
  isBalanced: boolean;
  at: Date;
}

/**
 * Returns the result of the last audit of the ledger that had one, of any process. Undefined before
 * the first.
 */
export async function findAuditResult(db: Db, job: string): Promise<LedgerAuditResult | undefined> {
  const run = await db.selectFrom('job_runs').select(['succeeded_at', 'unbalanced_at']).where('job', '=', job).executeTakeFirst();
  const at = run?.unbalanced_at ?? run?.succeeded_at;
  return at ? { isBalanced: run?.unbalanced_at === null, at } : undefined;
}

/** Returns the end of the last run that succeeded, of any process. Null before the first. */
export const findLastSuccess = async (db: Db, job: string): Promise<Date | null> =>
  (await db.selectFrom('job_runs').select('succeeded_at').where('job', '=', job).executeTakeFirst())?.succeeded_at ?? null;
