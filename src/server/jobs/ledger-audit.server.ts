import type { Db } from '../../db/database.server.ts';
import type { DatabaseConfig } from '../../db/hosts.server.ts';
import { onOneConnection } from '../../db/one-connection.server.ts';
import { LEDGER_JOB } from '../../domains/system/desk/rules.ts';
import { AUDIT_LIMIT_SECONDS, acquireDueLedgerAudit, errorText } from '../../domains/system/service.server.ts';
import { endAcquiredRun, recordProgress, type RunOutcome } from '../../domains/system/store.server.ts';
import { auditInTransaction, isSound } from '../../domains/wallet/service.server.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from './hourly-jobs.server.ts';

interface LedgerAuditOptions {
  db: Db;
  clock: Clock;
  connection: DatabaseConfig;
}

/**
 * Audits the ledger on a connection of its own, in one process at a time. Its progress and its
 * result are in `job_runs`.
 */
export function createLedgerAudit({ db, clock, connection }: LedgerAuditOptions) {
  const limitMs = AUDIT_LIMIT_SECONDS * 1000;

  /** Runs the audit that was acquired at `startedAt`. Returns the faults, or null. */
  const audit = async (startedAt: Date, stopping: AbortSignal): Promise<string | null> => {
    const acquired = { job: LEDGER_JOB, startedAt };
    const start = performance.now();
    const end = (outcome: RunOutcome, error: string | null) =>
      endAcquiredRun(db, { ...acquired, endedAt: clock.now(), durationMs: performance.now() - start, outcome, error });
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(limitMs)]);
    const result = await onOneConnection({ connection, name: 'audit', signal, statementMs: limitMs }, (on) =>
      auditInTransaction(on, (done) => recordProgress(db, acquired, done)),
    ).catch(async (error: unknown) => {
      // The error of the audit is the cause, also if its end cannot be recorded.
      await end('failed', errorText(error)).catch(() => {});
      throw error;
    });
    const faults = isSound(result) ? null : `The ledger is not balanced: ${JSON.stringify(result)}`;
    await end(faults === null ? 'succeeded' : 'unbalanced', faults);
    return faults;
  };

  const job: Job = {
    name: LEDGER_JOB,
    recordsItself: true,
    async run(now, signal) {
      if (!(await acquireDueLedgerAudit(db, now))) return;
      const faults = await audit(now, signal);
      if (faults !== null) throw new Error(faults);
    },
  };
  return {
    job,
    /** Like the job, for an audit that was acquired at `startedAt`. */
    async run(startedAt: Date, signal: AbortSignal) {
      const faults = await audit(startedAt, signal);
      if (faults !== null) throw new Error(faults);
    },
  };
}
