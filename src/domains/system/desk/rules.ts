/** The problems of the system, from the state that the server returns. Pure functions. */
import { fromKolkataDateTime } from '../../../lib/dates.ts';
import { ALERTS, type Alert, type JobRun, type System } from './contract.ts';

/** The name of the job, as the server records it. */
export const LEDGER_JOB = 'audit the ledger';
/** The audit of the entries since the last one, and of the wallets that they move. */
export const NEW_ENTRIES_JOB = 'audit new ledger entries';

/** The run of `npm run backup`, which is not a job of the program. */
export const BACKUP_RUN = 'back up';

/** Jobs start an hour after the end of their last run. */
const LATE_JOB_HOURS = 3;
/** The ledger is audited once a day. */
const LATE_AUDIT_HOURS = 48;
/** A nightly backup takes up to two hours longer than that of the day before. */
const LATE_BACKUP_HOURS = 26;

export type Problem =
  | 'ledger-unbalanced'
  | 'codes-fail'
  | 'codes-unreachable'
  | 'jobs-late'
  | 'photos-fail'
  | 'some-codes-fail'
  | 'messages-wait'
  | 'messages-refused'
  | 'backup-late'
  | 'job-failed'
  | 'ledger-unchecked'
  | 'no-backup'
  | 'messages-off'
  | 'some-messages-off';

const hoursSince = (time: string, now: string) => (fromKolkataDateTime(now).getTime() - fromKolkataDateTime(time).getTime()) / 3_600_000;

const hasOldRun = ({ run }: JobRun, now: string) => run !== null && hoursSince(run.started, now) > LATE_JOB_HOURS;

/**
 * A job that has never run is late if the last run of any job started over `LATE_JOB_HOURS` ago.
 */
const isLate = (job: JobRun, { jobs, now }: System) =>
  job.run === null ? jobs.some((other) => hasOldRun(other, now)) : hasOldRun(job, now);

/** Returns null before the first audit of a new database. */
export const ledgerRunOf = ({ jobs }: System): JobRun['run'] => jobs.find(({ job }) => job === LEDGER_JOB)?.run ?? null;

function ledgerProblem(system: System): Problem | null {
  // Also while the next audit runs, and after one that did not end.
  const audits = system.jobs.filter(({ job }) => job === LEDGER_JOB || job === NEW_ENTRIES_JOB);
  if (audits.some((audit) => (audit.run?.unbalanced ?? null) !== null)) return 'ledger-unbalanced';
  const run = ledgerRunOf(system);
  if (!run) return null;
  const isOld = hoursSince(run.succeeded ?? run.started, system.now) > LATE_AUDIT_HOURS;
  return run.state === 'failed' || run.state === 'interrupted' || isOld ? 'ledger-unchecked' : null;
}

function codeProblem({ messages }: System): Problem | null {
  const { codes_sent: sent, codes_failed: failed, codes_unreachable: unreachable } = messages;
  if (failed === 0) return null;
  if (failed < sent) return 'some-codes-fail';
  return unreachable === failed ? 'codes-unreachable' : 'codes-fail';
}

/** Returns the problem of a live laundry without a recent backup. */
function backupProblem({ backup, now }: System): Problem | null {
  if (!backup.is_expected) return null;
  if (backup.succeeded === null) return 'no-backup';
  return hoursSince(backup.succeeded, now) > LATE_BACKUP_HOURS ? 'backup-late' : null;
}

/** Returns the problems, the worst first. */
export function problemsOf(system: System): Problem[] {
  const { messages } = system;
  const hourly = system.jobs.filter(({ job }) => job !== LEDGER_JOB);
  const ledger = ledgerProblem(system);
  const codes = codeProblem(system);
  const backup = backupProblem(system);
  const found: Record<Problem, boolean> = {
    'ledger-unbalanced': ledger === 'ledger-unbalanced',
    'codes-fail': codes === 'codes-fail',
    'codes-unreachable': codes === 'codes-unreachable',
    'jobs-late': hourly.some((job) => isLate(job, system)),
    'photos-fail': !system.stores_photos,
    'some-codes-fail': codes === 'some-codes-fail',
    'messages-wait': messages.overdue > 0,
    'messages-refused': messages.refused > 0,
    'backup-late': backup === 'backup-late',
    'job-failed': hourly.some(({ run }) => run?.state === 'failed'),
    'ledger-unchecked': ledger === 'ledger-unchecked',
    'no-backup': backup === 'no-backup',
    'messages-off': !messages.are_sent,
    'some-messages-off': messages.are_sent && messages.unsent_kinds.length > 0,
  };
  return (Object.keys(found) as Problem[]).filter((problem) => found[problem]);
}

/** Returns the problems for Today, the worst first. */
export function alertsOf(system: System): Alert[] {
  const problems = problemsOf(system);
  return ALERTS.filter((alert) => problems.includes(alert));
}
