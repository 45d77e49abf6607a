import type { Db, Snapshot } from '../../db/database.server.ts';
import type { DatabaseConfig } from '../../db/hosts.server.ts';
import { onOneConnection } from '../../db/one-connection.server.ts';
import { LEDGER_JOB, NEW_ENTRIES_JOB } from '../../domains/system/desk/rules.ts';
import {
  acquireDueLedgerAudit,
  acquireNewEntriesAudit,
  AUDIT_LIMIT_SECONDS,
  errorText,
  NEW_ENTRIES_LIMIT_SECONDS,
} from '../../domains/system/service.server.ts';
import { recordRunEnd, readMark, recordMark, recordProgress, type RunOutcome } from '../../domains/system/store.server.ts';
import { auditSnapshot, auditNewEntries, isSound, type LedgerAudit } from '../../domains/wallet/service.server.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from './periodic-jobs.server.ts';

interface LedgerAuditOptions {
  db: Db;
  clock: Clock;
  connection: DatabaseConfig;
}

/**
 * Audits the ledger on a connection of its own, in one process at a time. Progress and results are
 * in `job_runs`. A job throws if the ledger is not balanced.
 */
export interface LedgerAuditJobs {
  /** Audits all of the ledger, once a day. */
  job: Job;
  /** Audits the new entries, every few minutes. */
  newEntriesJob: Job;
  /** Like `job`, for an audit that was acquired at `startedAt`. */
  run(startedAt: Date, stopping: AbortSignal): Promise<void>;
}

export function createLedgerAudit({ db, clock, connection }: LedgerAuditOptions): LedgerAuditJobs {
  interface Acquired {
    job: string;
    startedAt: Date;
  }

  /** Runs `work`, records its end, and throws if it found faults. */
  const audit = async (
    acquired: Acquired,
    { limitSeconds, stopping }: { limitSeconds: number; stopping: AbortSignal },
    work: (on: Snapshot) => Promise<LedgerAudit | undefined>,
  ) => {
    const limitMs = limitSeconds * 1000;
    const start = performance.now();
    const end = (outcome: RunOutcome, error: string | null) =>
      recordRunEnd(db, { ...acquired, endedAt: clock.now(), durationMs: performance.now() - start, outcome, error });
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(limitMs)]);
    const result = await onOneConnection({ connection, name: 'audit', signal, statementMs: limitMs }, work).catch(
      async (error: unknown) => {
        // The error of the audit is the cause, also if its end cannot be recorded.
        await end('failed', errorText(error)).catch(() => {});
        throw error;
      },
    );
    const faults = result === undefined || isSound(result) ? null : `The ledger is not balanced: ${JSON.stringify(result)}`;
    await end(faults === null ? 'succeeded' : 'unbalanced', faults);
    if (faults !== null) throw new Error(faults);
  };

  const auditAll = (startedAt: Date, stopping: AbortSignal) => {
    const acquired = { job: LEDGER_JOB, startedAt };
    return audit(acquired, { limitSeconds: AUDIT_LIMIT_SECONDS, stopping }, (on) =>
      auditSnapshot(on, (done) => recordProgress(db, acquired, done)),
    );
  };

  /** A mark stays until the entries since it are sound, so that a fault is found again. */
  const auditNew = (startedAt: Date, stopping: AbortSignal) => {
    const acquired = { job: NEW_ENTRIES_JOB, startedAt };
    return audit(acquired, { limitSeconds: NEW_ENTRIES_LIMIT_SECONDS, stopping }, async (on) => {
      const { audit: result, mark } = await auditNewEntries(on, await readMark(on, NEW_ENTRIES_JOB));
      if (result === undefined || isSound(result)) await recordMark(db, acquired, mark);
      return result;
    });
  };

  const job: Job = {
    name: LEDGER_JOB,
    recordsItself: true,
    async run(now, signal) {
      if (await acquireDueLedgerAudit(db, now)) await auditAll(now, signal);
    },
  };
  const newEntriesJob: Job = {
    name: NEW_ENTRIES_JOB,
    recordsItself: true,
    async run(now, signal) {
      if (await acquireNewEntriesAudit(db, now)) await auditNew(now, signal);
    },
  };
  return { job, newEntriesJob, run: auditAll };
}
