import type { Db } from '../../db/database.server.ts';
import type { DatabaseConfig } from '../../db/hosts.server.ts';
import { onOneConnection } from '../../db/one-connection.server.ts';
import { LEDGER_JOB } from '../../domains/system/desk/rules.ts';
import { AUDIT_LIMIT_SECONDS, claimLedgerAudit, errorText } from '../../domains/system/service.server.ts';
import { endClaimedRun, recordProgress, type RunOutcome } from '../../domains/system/store.server.ts';
import { auditInTransaction, isSound } from '../../domains/wallet/service.server.ts';
import { addSeconds, DAY_SECONDS, type Clock } from '../../lib/clock.ts';
import type { Job } from './hourly-jobs.server.ts';

interface LedgerAuditOptions {
  db: Db;
  clock: Clock;
  connection: DatabaseConfig;
  onResult(isBalanced: boolean, now: Date): void;
}

/**
 * Audits the ledger on a connection of its own, in one process at a time. Its progress and its
 * result are in `job_runs`.
 */
export function createLedgerAudit({ db, clock, connection, onResult }: LedgerAuditOptions) {
  const limitMs = AUDIT_LIMIT_SECONDS * 1000;

  /** Runs the audit that was claimed at `startedAt`. Returns the faults, or null. */
  const audit = async (startedAt: Date, stopping: AbortSignal): Promise<string | null> => {
    const claimed = { job: LEDGER_JOB, startedAt };
    const start = performance.now();
    const end = (outcome: RunOutcome, error: string | null) =>
      endClaimedRun(db, { ...claimed, endedAt: clock.now(), durationMs: performance.now() - start, outcome, error });
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(limitMs)]);
    const result = await onOneConnection({ connection, name: 'audit', signal, statementMs: limitMs }, (on) =>
      auditInTransaction(on, (done) => recordProgress(db, claimed, done)),
    ).catch(async (error: unknown) => {
      // The error of the audit is the cause, also if its end cannot be recorded.
      await end('failed', errorText(error)).catch(() => {});
      throw error;
    });
    const faults = isSound(result) ? null : `The ledger is not balanced: ${JSON.stringify(result)}`;
    onResult(faults === null, startedAt);
    await end(faults === null ? 'succeeded' : 'unbalanced', faults);
    return faults;
  };

  let next = new Date(0);
  const job: Job = {
    name: LEDGER_JOB,
    recordsItself: true,
    /** At the start and once a day. Tries again in an hour if another process audits now. */
    async run(now, signal) {
      if (now < next || !(await claimLedgerAudit(db, now))) return;
      const faults = await audit(now, signal);
      next = addSeconds(now, DAY_SECONDS);
      if (faults !== null) throw new Error(faults);
    },
  };
  return {
    job,
    /** Like the job, for an audit that was claimed at `startedAt`. */
    async run(startedAt: Date, signal: AbortSignal) {
      const faults = await audit(startedAt, signal);
      if (faults !== null) throw new Error(faults);
    },
  };
}
